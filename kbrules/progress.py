"""How far a long job is: what it tells whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Part = TypeVar("Part")

OnProgress = Callable[[int, int | None, str], object]
"""What is told how much is done, of how much if that is known, and of what, as `positions`.

A job of several stages counts something else in each, or begins again with fewer.
"""


def silent(done: int, wanted: int | None, unit: str) -> None:
    """Tell nobody."""


def with_progress(
    parts: Sequence[Part], unit: str, on_progress: OnProgress = silent
) -> Iterator[Part]:
    """The parts of a job in turn; each is told as done when the next one is asked for."""
    if parts:
        on_progress(0, len(parts), unit)
    for number, part in enumerate(parts, 1):
        yield part
        on_progress(number, len(parts), unit)
