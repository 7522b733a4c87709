"""One thread that does what takes long, the urgent first, so that typing never waits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from queue import PriorityQueue
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


class Urgency(IntEnum):
    """What is done first."""

    STOP = 0
    ANSWER = 1
    SYNTAX = 2
    NAMES = 3
    EXAMPLES = 4
    LINTS = 5


@dataclass(order=True, slots=True)
class _Job:
    urgency: int
    number: int
    act: Callable[[], Any] = field(compare=False)
    future: Future[Any] = field(compare=False)


class Worker:
    """Does one thing after another in a thread of its own, which ends with the process."""

    def __init__(self, name: str) -> None:
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._stopped = False

    def do(self, urgency: Urgency, act: Callable[[], Result]) -> Future[Result]:
        """What comes of it once it is its turn; may be cancelled before that."""
        if not self._thread.is_alive() and not self._stopped:
            self._thread.start()
        future: Future[Result] = Future()
        self._jobs.put(_Job(urgency, next(self._numbers), act, future))
        return future

    @property
    def is_stopped(self) -> bool:
        """Whether nothing that it does is wanted any more."""
        return self._stopped

    def stop(self) -> None:
        """End the thread after what it does now."""
        self._stopped = True
        self._jobs.put(_Job(Urgency.STOP, next(self._numbers), lambda: None, Future()))

    def _run(self) -> None:
        while not self._stopped:
            job = self._jobs.get()
            if job.future.set_running_or_notify_cancel():
                try:
                    job.future.set_result(job.act())
                except BaseException as fault:
                    job.future.set_exception(fault)
            del job  # what came of it may be large
