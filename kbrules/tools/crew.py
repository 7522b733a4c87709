"""Who plays: this very process, or several, each of which has got ready by itself.

What comes of a part does not depend on who plays it, nor in which order.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from math import inf
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from kbrules.diagnostics import RulesError

__all__ = ["Alone", "Changed", "Crew", "Gone", "Many", "cores"]

Part = TypeVar("Part")
Asked = TypeVar("Asked", contravariant=True)
Done = TypeVar("Done")
Given = TypeVar("Given", covariant=True)

_AHEAD = 2  # parts that wait for each process, so that none has to


class Changed(Exception):
    """The rules that a process read are no longer those that were asked about."""


class Gone(Exception):
    """A process that played is there no more: somebody ended it, or there was no room for it."""


def cores() -> int:
    """How many processes can play at once, as far as this one may use the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew(Protocol[Asked, Given]):
    """Plays parts. Whoever has one dismisses it, so that nobody goes on without them."""

    def play(self, parts: Iterable[Asked], deadline: float = inf) -> Iterator[Given]:
        """What comes of each part, in whatever order they are done.

        The next part is asked for when somebody is free to play it. deadline: by
        `time.perf_counter`; what several have not done by then is given up.
        """
        ...

    def dismiss(self) -> None:
        """Nobody is needed any more; what is being played is given up."""
        ...


class Alone(Generic[Part, Done]):
    """This process."""

    def __init__(self, work: Callable[[Part], Done]) -> None:
        self._work = work

    def play(self, parts: Iterable[Part], deadline: float = inf) -> Iterator[Done]:
        return map(self._work, parts)

    def dismiss(self) -> None:
        return


class Many(Generic[Part, Done]):
    """Several processes.

    get_ready: run by each of them with `orders`, gives what plays a part there; Changed if rules
    are no longer what they were.
    """

    def __init__(
        self, jobs: int, get_ready: Callable[..., Callable[[Part], Done]], *orders: object
    ) -> None:
        self._jobs = jobs
        self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (get_ready, orders))

    def play(self, parts: Iterable[Part], deadline: float = inf) -> Iterator[Done]:
        waiting: set[Future[Done]] = set()
        try:
            for part in parts:
                waiting.add(self._pool.submit(_go_on, part))
                if len(waiting) >= _AHEAD * self._jobs:
                    done, waiting = _next(waiting, deadline)
                    yield from (each.result() for each in done)
            while waiting and perf_counter() < deadline:
                done, waiting = _next(waiting, deadline)
                yield from (each.result() for each in done)
        except BrokenExecutor:
            raise Gone from None

    def dismiss(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()


def _next(
    waiting: set[Future[Done]], deadline: float
) -> tuple[set[Future[Done]], set[Future[Done]]]:
    """Those that are done next, at the deadline perhaps none, and the others."""
    left = None if deadline == inf else max(0.0, deadline - perf_counter())
    done, others = wait(waiting, left, FIRST_COMPLETED)
    return done, others


_WORK: list[Callable[[Any], Any]] = []  # of a process of a crew: what plays a part


def _begin(get_ready: Callable[..., Callable[[Part], Done]], orders: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever called us
    Thread(target=_leave_with_caller, daemon=True).start()
    with suppress(Changed, RulesError):
        _WORK[:] = [get_ready(*orders)]
    gc.freeze()  # the rules stay to the end


def _leave_with_caller() -> None:
    """End this process when the one that called it is gone, however that came about."""
    caller = parent_process()
    if caller is not None:
        connection.wait([caller.sentinel])
        os._exit(1)


def _go_on(part: Part) -> Any:
    for work in _WORK:
        return work(part)
    raise Changed
