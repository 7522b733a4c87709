"""How far a command is: one line on standard error, on a terminal and only there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock, Timer
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

DELAY = 1.0  # seconds of the command: what is done by then needs no line
LEAST_DELAY = 0.1  # seconds of later work, lest a line only flickers
_BEGUN = perf_counter()
_LEAST_RATE = 0.05  # things a second; of fewer there would stand a 0


class Progress:
    """Shows what a command does, how much of it is done and how long it will take.

    what: the work, as `checking`. The line appears after the first second of the command and is
    gone in the end; it is written to a terminal alone.
    """

    def __init__(self, what: str) -> None:
        self._what, self._begun = what, perf_counter()
        self._lock = Lock()
        self._bar: Bar | None = None
        self._stage: _Stage | None = None
        delay = max(LEAST_DELAY, DELAY - (self._begun - _BEGUN))
        self._timer = Timer(delay, self._begin) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        _open.append(self)
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
        _open.remove(self)
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

    def show(self, done: int, wanted: int | None = None, unit: str = "") -> None:
        """Say how much is done, of how much if that is known, and of what.

        What was done before the first call took no time of this run. The clock begins again with
        another unit, and where fewer are done than before.
        """
        now, stage = perf_counter(), self._stage
        if stage is None or stage.unit != unit or done < stage.done:
            stage = _Stage(unit, done, now)
        self._stage = stage.at(done, wanted, now)

    def _begin(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._bar = _bar(self._line)
                self._bar.add_task("", total=None)
                self._bar.start()

    def _line(self) -> str:
        """The whole line."""
        now = perf_counter()
        elapsed = f"{self._what} {_time(now - self._begun)}"
        return elapsed if self._stage is None else f"{elapsed} {self._stage.text(now)}"


_open: list[Progress] = []


def clear_progress() -> None:
    """Take away any line that shows, for good: what is printed would run into it."""
    for each in _open:
        each.clear()


@dataclass(frozen=True, slots=True)
class _Stage:
    """A count of things of one unit; `first` of them were done when its clock began.

    seen: when the last was done. Times are those of `perf_counter`.
    """

    unit: str
    first: int
    begun: float
    done: int = 0
    wanted: int | None = None
    seen: float = 0.0

    def at(self, done: int, wanted: int | None, now: float) -> _Stage:
        """The same with more of them done."""
        return _Stage(self.unit, self.first, self.begun, done, wanted, now)

    @property
    def rate(self) -> float:
        """How many are done in a second; 0 as long as nobody knows."""
        seconds = self.seen - self.begun
        return (self.done - self.first) / seconds if seconds > 0 else 0.0

    def text(self, now: float) -> str:
        """So many of so many, how long the others will take, and how many a second."""
        of = "" if self.wanted is None else f" of {self.wanted:,}"
        parts = [f"{self.done:,}{of} {self.unit}"]
        if self.wanted is not None and self.rate:
            left = (self.wanted - self.done) / self.rate - (now - self.seen)
            parts.append(f"{_time(left)} left")
        if self.rate >= _LEAST_RATE:
            parts.append(f"{self.rate:,.1f} a second")
        return ", ".join(parts)


def _time(seconds: float) -> str:
    return str(timedelta(seconds=max(0, round(seconds))))


def _bar(tell: Callable[[], str]) -> Bar:
    """What draws the line: rich, which typer brings."""
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, SpinnerColumn, Task
    from rich.table import Column
    from rich.text import Text

    class LineColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(tell())

    return Bar(
        SpinnerColumn(),
        LineColumn(Column(no_wrap=True, overflow="ellipsis")),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
