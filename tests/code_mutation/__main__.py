"""`make mutate-code`: change the code at sampled places, and run the tests that should notice.

What no test noticed is printed, and how many changes of each package were.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.code_mutation.run import TESTS, told, tried


def main() -> None:
    """Sample, try, and tell."""
    parser = ArgumentParser(prog="make mutate-code", description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="changes of each package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--python", default=sys.executable, help="what runs the tests")
    parser.add_argument("--output", type=Path, help="a file for all results, as JSON lines")
    asked = parser.parse_args()
    with ProcessPoolExecutor(2, max_tasks_per_child=1) as pool:
        runs = [
            pool.submit(tried, package, asked.seed, asked.sample, asked.python) for package in TESTS
        ]
        results = [each for run in runs for each in run.result()]
    if asked.output:
        asked.output.write_text("".join(json.dumps(each) + "\n" for each in results))
    print("\n".join(told(results)))


if __name__ == "__main__":
    main()
