"""From nothing to the end of the program: processes of their own, with a warm file cache."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.timing import ROUNDS, spent

STARTS = {
    "`kbrules check` of everything shipped": (("-m", "kbrules", "check"), 0.6),
    "`kbrules --help`": (("-m", "kbrules", "--help"), 0.25),
    "`import kbrules`": (("-c", "import kbrules"), 0.1),
}
"""What is started, by how it is called, and how long it may take."""


def rows() -> Iterator[Row]:
    """CPU seconds of the processes, in turns; alone on a machine that is what one waits."""
    took: dict[str, list[float]] = {what: [] for what in STARTS}
    for _ in range(1 + ROUNDS):
        for what, (words, _most) in STARTS.items():
            took[what].append(_started(words))
    for what, (_words, most) in STARTS.items():
        yield Row(f"cold {what}", median(took[what][1:]), "s", Goal(most, is_most=True))


def _started(words: tuple[str, ...]) -> float:
    # A program that may not keep what it compiled would be compiled at every start.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = spent()
    subprocess.run([sys.executable, *words], capture_output=True, check=False, env=kept)
    return spent() - before
