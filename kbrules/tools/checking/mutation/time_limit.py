"""Something done within a time of its own, however busy the machine is; else it is broken off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeUp(BaseException):
    """The time is up; no `Exception`, since nobody on the way may take it for a fault."""


@contextmanager
def within_seconds(seconds: float) -> Iterator[None]:
    """Raise TimeUp in what is done if the processor is at it for longer.

    Only the main thread of a system with timers can be broken off; elsewhere all is done to its
    end, which comes, since every rule ends.
    """
    if not hasattr(signal, "setitimer") or not _is_main():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeUp
