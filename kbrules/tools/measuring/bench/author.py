"""What an author waits for: a file checked again, and scenarios run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from kbrules.library.resources import data_root
from kbrules.scenario.running.collect import collect
from kbrules.tools.authoring.check import FileChecker
from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.timing import ROUNDS, seconds

SUITE = (data_root("rules"), Path("tests/scenarios"))
"""What `make run` tests: the examples of the rules and, in a checkout, the scenarios."""


def rows() -> Iterator[Row]:
    """Milliseconds of a check, scenarios per second."""
    file = next(iter(sorted(data_root("rules").rglob("*.kb"))))
    checker = FileChecker()
    checker.check([file])
    again = median(seconds(partial(checker.recheck, file)) for _ in range(ROUNDS))
    yield Row("warm check of one rule file", 1000 * again, "ms", Goal(50, is_most=True))
    items = list(collect([path for path in SUITE if path.is_dir()]))
    for item in items:
        item.run()
    took = median(seconds(lambda: [item.run() for item in items]) for _ in range(3))
    yield Row("scenarios and examples", len(items) / took, "per s", Goal(1000))
