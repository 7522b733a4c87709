"""How far a command is: one line on standard error, on a terminal and only there."""

from __future__ import annotations

import sys
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

__all__ = ["Progress"]

DELAY = 1.0  # seconds: what is done by then needs no line


class Progress:
    """Shows what a command does, how much of it is done and how long it will take.

    what: the work, as `checking`. unit: what is counted, if anything is. The line appears after a
    second and is gone in the end; it is written to a terminal alone.
    """

    def __init__(self, what: str, unit: str = "") -> None:
        self._what, self._unit = what, unit
        self._lock = Lock()
        self._bar: Bar | None = None
        self._first: int | None = None
        self._done = 0
        self._wanted: int | None = None
        self._timer = Timer(DELAY, self._begin) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, for good."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def show(self, done: int, wanted: int | None = None) -> None:
        """Say how much is done, of how much if that is known.

        What was done before the first call took no time of this run.
        """
        if self._first is None:
            self._first = done
        self._done, self._wanted = done, wanted
        with self._lock:
            if self._bar is not None:
                self._tell(self._bar)

    def _begin(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._bar = _bar(self._unit)
                self._bar.add_task(self._what, total=None)
                self._tell(self._bar)
                self._bar.start()

    def _tell(self, bar: Bar) -> None:
        first = self._first or 0
        total = None if self._wanted is None else self._wanted - first
        bar.update(bar.task_ids[0], completed=self._done - first, total=total, first=first)


def _bar(unit: str) -> Bar:
    """What draws the line: rich, which typer brings."""
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import (
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Counted(ProgressColumn):
        """So many of so many, and how many a second."""

        def render(self, task: Task) -> Text:
            first = task.fields.get("first", 0)
            if not unit or not (task.completed or first):
                return Text()
            of = "" if task.total is None else f" of {task.total + first:,.0f}"
            rate = f", {task.speed:,.1f} a second" if task.speed else ""
            return Text(f"{task.completed + first:,.0f}{of} {unit}{rate}")

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    return Bar(
        *columns, Counted(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
