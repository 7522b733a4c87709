"""What an author waits for while typing: every shipped rule file, and a file of 200 cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from kbrules.library.resources import data_root
from kbrules.tools.language_service.completing.completion import complete
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.measuring.bench.many import write_box
from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.timing import seconds

CARDS, EDITS = 200, 25
TYPED = "    gold 1 per hex in mine & ad"
SYNTAX, NAMES, PROPOSALS = "syntax", "names and sorts", "proposals"
LIMITS = {SYNTAX: 50, NAMES: 250, PROPOSALS: 50}
"""Milliseconds that may pass after an edit in 19 of 20 cases."""


def rows() -> Iterator[Row]:
    """Milliseconds after an edit, in the middle and in 19 of 20 cases."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder), CARDS)
        files = sorted(data_root("rules").rglob("*.kb"))
        found = _waited([*files, *[Path(folder) / "many.kb"] * EDITS])
    for what, took in found.items():
        took.sort()
        middle, most = took[len(took) // 2], took[ceil(0.95 * len(took)) - 1]
        yield Row(f"{what} after an edit, the median", 1000 * middle, "ms")
        goal = Goal(LIMITS[what], is_most=True)
        yield Row(f"{what} after an edit, 19 of 20", 1000 * most, "ms", goal)


def _waited(files: list[Path]) -> dict[str, list[float]]:
    """The seconds of each answer after an edit of each file, at a place drawn by chance."""
    workspace, chance = Workspace(), Random(0)
    found: dict[str, list[float]] = {what: [] for what in LIMITS}
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
            found[what].append(seconds(answer))
        workspace.open_text(path, "\n".join(lines))
    return found


def _answers(workspace: Workspace, path: Path, offset: int) -> dict[str, Callable[[], object]]:
    return {
        SYNTAX: partial(workspace.syntax, path),
        PROPOSALS: partial(complete, workspace, path, offset),
        NAMES: partial(workspace.findings, path),
    }
