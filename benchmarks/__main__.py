"""`python -m benchmarks [--json] [--only PART ...] [--record]`: measure the targets of speed."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Iterator

from benchmarks import latency, peers, speed
from benchmarks.measurement import ROUNDS, Absent, Row, bench_report
from kbrules.tools.reports.report import as_text

PARTS: dict[str, Callable[[], Iterator[Row | Absent]]] = {
    "speed": speed.rate_rows,
    "others": peers.rows,
    "small": latency.call_rows,
    "starts": latency.start_rows,
    "cold": latency.kernel_rows,
    "author": latency.check_rows,
    "editor": latency.typing_rows,
    "many": latency.large_box_rows,
    "counted": speed.count_rows,
}


def main() -> None:
    """Measure the requested parts and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON, at the end")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=[*PARTS], metavar="PART",
                        help=f"what to measure: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--record", action="store_true",
                        help="write the counts of bytecodes that the tests hold")  # fmt: skip
    arguments = parser.parse_args()
    if arguments.record:
        speed.record()
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
