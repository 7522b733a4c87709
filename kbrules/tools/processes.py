"""The worker pool: parts of a job done by this process, by others, or by a cluster of Dask."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from functools import partial
from math import inf
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Lock, Thread
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar
from uuid import uuid4

from kbrules import __version__
from kbrules.diagnostics import CodedError

# The message where a library of an extra is not installed.


class MissingExtra(CodedError):
    """Libraries of an extra of kbrules are not there."""

    code = "KB045"

    def __init__(self, extra: str, why: str) -> None:
        help = f"pip install 'kbrules[{extra}]'"
        super().__init__(f"this needs the extra `{extra}` of kbrules: {why}", help)


# The worker pool: parts of a job done by this process, or by those of an executor.
#
# What comes of a part depends neither on who does it nor on the order.


Part = TypeVar("Part")
Result = TypeVar("Result")
PartType = TypeVar("PartType", contravariant=True)
ResultType = TypeVar("ResultType", covariant=True)
Work = Callable[[Part], Result]

_QUEUED_PER_WORKER = 2  # parts that wait for each worker, so that none is idle
_MAX_PREPARED = 4  # jobs that a worker stays prepared for


class RulesChanged(CodedError):
    """A worker reads other rules than those that were asked about, or has another kbrules."""

    help = "start again; a cluster needs the same kbrules and the same folders"

    def __init__(self, message: str = "the rules were changed while they were played") -> None:
        super().__init__(message)


class WorkerLost(CodedError):
    """A worker process is gone: somebody ended it, or there was no memory for it. Code KB058."""

    code = "KB058"
    help = "fewer `--jobs` need less memory"

    def __init__(
        self, message: str = "a worker process was ended", help: str | None = None
    ) -> None:
        super().__init__(message, help)


def cores() -> int:
    """How many processes can run at once, as far as this one may use the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool(Protocol[PartType, ResultType]):
    """Does parts of a job. It is closed in the end, so that no process stays behind."""

    def run(self, parts: Iterable[PartType], deadline: float = inf) -> Iterator[ResultType]:
        """The result of each part, in the order in which they are done.

        The next part is asked for when a worker is free. deadline: by `time.perf_counter`; parts
        that several processes have not done by then are given up.
        """
        ...

    def close(self) -> None:
        """End the processes; their unfinished parts are given up."""
        ...


class Serial(Generic[Part, Result]):
    """This process."""

    def __init__(self, work: Work[Part, Result]) -> None:
        self._work = work

    def run(self, parts: Iterable[Part], deadline: float = inf) -> Iterator[Result]:
        return map(self._work, parts)

    def close(self) -> None:
        return


class Parallel(Generic[Part, Result]):
    """A pool by an executor.

    jobs: how many there are. prepare: called once by each worker with `arguments`, gives what does
    a part there; an exception of it is raised here. executor: one of `concurrent.futures` or alike
    that somebody else looks after; without it, processes of our own. WorkerLost if it breaks.
    """

    def __init__(
        self,
        jobs: int,
        prepare: Callable[..., Work[Part, Result]],
        *arguments: object,
        executor: Executor | None = None,
    ) -> None:
        self._jobs, self._is_own = jobs, executor is None
        self._executor = executor or processes(jobs)
        self._job = partial(_run_part, (uuid4().hex, __version__), prepare, arguments)

    def run(self, parts: Iterable[Part], deadline: float = inf) -> Iterator[Result]:
        waiting: set[Future[Result]] = set()
        try:
            for part in parts:
                waiting.add(self._executor.submit(self._job, part))
                if len(waiting) >= _QUEUED_PER_WORKER * self._jobs:
                    done, waiting = _wait_for_next(waiting, deadline)
                    yield from (each.result() for each in done)
            while waiting and perf_counter() < deadline:
                done, waiting = _wait_for_next(waiting, deadline)
                yield from (each.result() for each in done)
        except BrokenExecutor:
            raise WorkerLost from None
        finally:
            for each in waiting:
                each.cancel()

    def close(self) -> None:
        if self._is_own:
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()


def pool_of(
    jobs: int, prepare: Callable[..., Work[Part, Result]], *arguments: object
) -> WorkerPool[Part, Result]:
    """The pool of so many processes; one is this process, which is prepared at once."""
    return Serial(prepare(*arguments)) if jobs <= 1 else Parallel(jobs, prepare, *arguments)


def processes(jobs: int) -> Executor:
    """An executor of so many new processes, which end with this one."""
    return ProcessPoolExecutor(jobs, get_context("spawn"), _init_worker)


def _wait_for_next(
    waiting: set[Future[Result]], deadline: float
) -> tuple[set[Future[Result]], set[Future[Result]]]:
    """Those that are done next, at the deadline perhaps none, and the others."""
    timeout = None if deadline == inf else max(0.0, deadline - perf_counter())
    done, others = wait(waiting, timeout, FIRST_COMPLETED)
    return done, others


def _init_worker() -> None:
    """Make a process of our own a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever called us
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this process when the one that called it is gone, however that came about."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


_PREPARED: dict[tuple[str, str], Callable[[Any], Any]] = {}
"""What does the parts of a job in this worker, by the job."""
_ONE_AT_A_TIME = Lock()
"""Threads of one process share rules and kernels, which only one of them may use at a time."""


def _run_part(
    job: tuple[str, str],
    prepare: Callable[..., Work[Part, Result]],
    arguments: tuple[object, ...],
    part: Part,
) -> Result:
    """Do a part here. job: its name, and the version of kbrules that asks for it."""
    if job[1] != __version__:
        raise RulesChanged
    with _ONE_AT_A_TIME:
        if job not in _PREPARED:
            if len(_PREPARED) >= _MAX_PREPARED:
                _PREPARED.clear()
            _PREPARED[job] = prepare(*arguments)
            gc.freeze()  # the rules stay to the end
        result: Result = _PREPARED[job](part)
        return result
