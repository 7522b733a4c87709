"""Who plays: this process, or several of which each has read the rules itself.

What comes of a seed does not depend on who plays it, and results come in the order of their seeds.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from time import perf_counter
from types import TracebackType

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.dealing import Question
from kbrules.tools.balance.playing import Result, played

__all__ = ["Changed", "Crew"]

_AHEAD = 2  # parts that wait for each process, so that none has to
_PART = 0.25  # seconds that a part should take: to hand one out costs a few thousandths of one
_WORTH = 4.0  # seconds of play from which on it pays to have others read the rules, too


class Changed(Exception):
    """The rules that another process read are no longer those that were asked about."""


class Crew:
    """Plays seeds; calls for others when it sees that it takes long.

    jobs: processes, at most. To be left as a context, so that nobody goes on without us.
    """

    def __init__(self, ruleset: Ruleset, asked: Question, jobs: int) -> None:
        self._ruleset = ruleset
        self._asked = asked
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():  # nobody waits for what is not wanted any more
                process.terminate()

    def results(self, seeds: range) -> Iterator[list[Result]]:
        """The results of the seeds in their order, a few at a time."""
        begun = perf_counter()
        for at, seed in enumerate(seeds, 1):
            yield self._play(range(seed, seed + 1))
            each = (perf_counter() - begun) / at
            left = seeds[at:]
            if self._jobs > 1 and (self._pool is not None or each * len(left) > _WORTH):
                yield from self._by_many(left, max(1, round(_PART / each)))
                return

    def _play(self, seeds: range) -> list[Result]:
        return list(played(self._ruleset, self._asked, seeds))

    def _by_many(self, seeds: range, count: int) -> Iterator[list[Result]]:
        if self._pool is None:
            orders = self._asked, self._ruleset.digest
            self._pool = ProcessPoolExecutor(self._jobs, get_context("spawn"), _begin, orders)
        waiting: deque[Future[list[Result] | None]] = deque()
        for at in range(0, len(seeds), count):
            waiting.append(self._pool.submit(_go_on, seeds[at : at + count]))
            if len(waiting) > _AHEAD * self._jobs:
                yield _told(waiting.popleft())
        while waiting:
            yield _told(waiting.popleft())


def _told(of: Future[list[Result] | None]) -> list[Result]:
    results = of.result()
    if results is None:
        raise Changed
    return results


_WORK: list[tuple[Ruleset, Question]] = []  # of a process of the crew: what it was begun with


def _begin(asked: Question, digest: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever called us
    Thread(target=_leave_with_caller, daemon=True).start()
    ruleset = load(*asked.boxes, folders=asked.folders)
    _WORK[:] = [(ruleset, asked)] if ruleset.digest == digest else []
    gc.freeze()  # the rules stay to the end


def _leave_with_caller() -> None:
    """End this process when the one that called it is gone, however that came about."""
    caller = parent_process()
    if caller is not None:
        connection.wait([caller.sentinel])
        os._exit(1)


def _go_on(seeds: range) -> list[Result] | None:
    """The results of some seeds; None if the rules have changed meanwhile."""
    return next((list(played(*work, seeds)) for work in _WORK), None)
