"""`python -m kbrules.tools.measuring.bench [--json] [--only PART ...] [--record]`: it measures."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Iterator

from kbrules.tools.measuring.bench import (
    authoring,
    bytecode_counts,
    large_boxes,
    peer_rows,
    processes,
    single_calls,
    speed,
)
from kbrules.tools.measuring.bench.rows import Absent, Row, bench_report
from kbrules.tools.measuring.bench.timing import ROUNDS
from kbrules.tools.reports.terminal import as_text

PARTS: dict[str, Callable[[], Iterator[Row | Absent]]] = {
    "speed": speed.rows,
    "others": peer_rows.rows,
    "small": single_calls.rows,
    "starts": processes.start_rows,
    "cold": processes.kernel_rows,
    "author": authoring.check_rows,
    "editor": authoring.typing_rows,
    "many": large_boxes.rows,
    "counted": bytecode_counts.rows,
}

PROGRAM = "python -m kbrules.tools.measuring.bench"


def main() -> None:
    """Measure the parts that are wanted and print them."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument("--json", action="store_true", help="print data, at the end")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=[*PARTS], metavar="PART",
                        help=f"what to measure: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--record", action="store_true",
                        help="write down the counts that the tests hold")  # fmt: skip
    arguments = parser.parse_args()
    if arguments.record:
        bytecode_counts.record()
        return
    python = platform.python_version()
    if arguments.json:
        rows = [row for name in arguments.only for row in PARTS[name]()]
        print(json.dumps({"python": python, **bench_report("all", rows).data}, indent=1))
        return
    print(f"Python {python}, CPU time, medians of {ROUNDS} rounds in turns")
    for name in arguments.only:
        print(f"\n{as_text(bench_report(name, [*PARTS[name]()]))}", flush=True)


if __name__ == "__main__":
    main()
