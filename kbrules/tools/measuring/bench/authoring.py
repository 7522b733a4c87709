"""What an author waits for: a file checked again, scenarios run, and each answer while typing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from kbrules.library.resources import data_root
from kbrules.scenario.running.collect import collect
from kbrules.tools.authoring.check import FileChecker
from kbrules.tools.language_service.completing.completion import complete
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.measuring.bench.large_boxes import write_box
from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.timing import ROUNDS, seconds

SUITE = (data_root("rules"), Path("tests/scenarios"))
"""What `make run` tests: the examples of the rules and, in a checkout, the scenarios."""


def check_rows() -> Iterator[Row]:
    """Milliseconds of a check, scenarios per second."""
    file = next(iter(sorted(data_root("rules").rglob("*.kb"))))
    checker = FileChecker()
    checker.check([file])
    recheck = median(seconds(partial(checker.check, [file])) for _ in range(ROUNDS))
    yield Row("warm check of one rule file", 1000 * recheck, "ms", Goal(50, is_most=True))
    items = list(collect([path for path in SUITE if path.is_dir()]))
    for item in items:
        item.run()
    suite = median(seconds(lambda: [item.run() for item in items]) for _ in range(3))
    yield Row("scenarios and examples", len(items) / suite, "per s", Goal(1000))


CARDS, EDITED_TIMES = 200, 25
TYPED = "    gold 1 per hex in mine & ad"
SYNTAX, NAMES, PROPOSALS = "syntax", "names and sorts", "proposals"
LIMITS = {SYNTAX: 50, NAMES: 250, PROPOSALS: 50}
"""Milliseconds that may pass after an edit in 19 of 20 cases."""


def typing_rows() -> Iterator[Row]:
    """Milliseconds after an edit, in the middle and in 19 of 20 cases."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder), CARDS)
        files = sorted(data_root("rules").rglob("*.kb"))
        times = _answer_times([*files, *[Path(folder) / "many.kb"] * EDITED_TIMES])
    for what, measured in times.items():
        measured.sort()
        middle, slow = measured[len(measured) // 2], measured[ceil(0.95 * len(measured)) - 1]
        yield Row(f"{what} after an edit, the median", 1000 * middle, "ms")
        goal = Goal(LIMITS[what], is_most=True)
        yield Row(f"{what} after an edit, 19 of 20", 1000 * slow, "ms", goal)


def _answer_times(files: list[Path]) -> dict[str, list[float]]:
    """The seconds of each answer after an edit of each file, at a place drawn by chance."""
    workspace, chance = Workspace(), Random(0)
    times: dict[str, list[float]] = {what: [] for what in LIMITS}
    for path in dict.fromkeys(files):
        workspace.open_text(path, workspace.text(path))
        workspace.findings(path)
    for path in files:
        lines = workspace.text(path).split("\n")
        at = chance.randrange(len(lines))
        text = "\n".join([*lines[:at], TYPED, *lines[at:]])
        offset = len("\n".join([*lines[:at], TYPED]))
        workspace.open_text(path, text)
        for what, answer in _answers(workspace, path, offset).items():
            times[what].append(seconds(answer))
        workspace.open_text(path, "\n".join(lines))
    return times


def _answers(workspace: Workspace, path: Path, offset: int) -> dict[str, Callable[[], object]]:
    return {
        SYNTAX: partial(workspace.syntax, path),
        PROPOSALS: partial(complete, workspace, path, offset),
        NAMES: partial(workspace.findings, path),
    }
