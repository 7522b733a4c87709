"""The worker pool: parts of a job done by this process, by others, or by a cluster of Dask."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from functools import partial
from logging import CRITICAL, getLogger
from math import inf
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from kbrules import __version__, diagnostics

if TYPE_CHECKING:
    from distributed import Client


# The message where a library of an extra is not installed.


class MissingExtra(diagnostics.CodedError):
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
Work = Callable[[Part], Result]

_QUEUED_PER_WORKER = 2  # parts that wait for each worker, so that none is idle
_MAX_PREPARED = 4  # jobs that a worker stays prepared for
PARALLEL_SECONDS = 4.0  # seconds of work from which on it pays to start other processes


class RulesChanged(diagnostics.CodedError):
    """A worker reads other rules than those that were asked about, or has another kbrules."""

    help = "start again; a cluster needs the same kbrules and the same folders"

    def __init__(self, message: str = "the rules were changed while they were played") -> None:
        super().__init__(message)


class WorkerLost(diagnostics.CodedError):
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


SecondsLeft = Callable[[], float]
"""Tells how many seconds one process would need for the parts that are left."""


class WorkerPool(Generic[Part, Result]):
    """Does parts of a job, in this process. It is closed in the end, so that no process stays."""

    def __init__(self, work: Work[Part, Result]) -> None:
        self._work = work

    def run(
        self,
        parts: Iterable[Part],
        deadline: float = inf,
        seconds_left: SecondsLeft = lambda: inf,
    ) -> Iterator[Result]:
        """Yield the result of each part, in the order in which they are done.

        The next part is asked for when a worker is free. deadline: by `time.perf_counter`; parts
        that several processes have not done by then are given up. seconds_left: asked between two
        parts, for a pool that grows.
        """
        return map(self._work, parts)

    def close(self) -> None:
        """End the processes; their unfinished parts are given up."""


class Parallel(WorkerPool[Part, Result]):
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

    def run(
        self, parts: Iterable[Part], deadline: float = inf, seconds_left: SecondsLeft = lambda: inf
    ) -> Iterator[Result]:
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


class Growing(WorkerPool[Part, Result]):
    """This process, until so much is left that others are worth the seconds they take to start.

    work: does a part here. jobs: how many processes there are then; with one, this one stays alone.
    The rest: see `Parallel`.
    """

    def __init__(
        self,
        work: Work[Part, Result],
        jobs: int,
        prepare: Callable[..., Work[Part, Result]],
        *arguments: object,
    ) -> None:
        self._work, self._jobs = work, jobs
        self._start = partial(Parallel[Part, Result], jobs, prepare, *arguments)
        self._others: Parallel[Part, Result] | None = None

    def run(
        self, parts: Iterable[Part], deadline: float = inf, seconds_left: SecondsLeft = lambda: inf
    ) -> Iterator[Result]:
        parts = iter(parts)
        while self._others is None:
            for part in parts:
                yield self._work(part)
                if self._jobs > 1 and seconds_left() > PARALLEL_SECONDS:
                    self._others = self._start()
                    break
            else:
                return
        yield from self._others.run(parts, deadline)

    def close(self) -> None:
        if self._others is not None:
            self._others.close()


def processes(jobs: int) -> Executor:
    """An executor of so many new processes, which end with this one."""
    return ProcessPoolExecutor(jobs, get_context("spawn"), _init_worker)


def _wait_for_next(
    waiting: set[Future[Result]], deadline: float
) -> tuple[set[Future[Result]], set[Future[Result]]]:
    """Those that are done next, at the deadline perhaps none, and the others."""
    timeout = None if deadline == inf else max(0.0, deadline - perf_counter())
    return wait(waiting, timeout, FIRST_COMPLETED)


def _init_worker() -> None:
    """Make a process of our own a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever called us
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this process when the one that called it is gone, however that came about."""
    if (parent := parent_process()) is not None:
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


# A cluster of Dask as an executor: parts are done by its worker processes, wherever they are.


CONNECT_SECONDS = 5.0  # seconds for the scheduler to answer
NO_WORKER_SECONDS = 30.0  # seconds without a worker after which nobody waits for one
_POLL_SECONDS = 1.0
_CLUSTER_MODULES = ("distributed", "tornado", "dask")
"""Whose errors say that the cluster failed, and not what it was asked to do."""
_START_HELP = (
    "see to it that `dask scheduler` runs there, and `dask worker`: docs/scale.md says how"
)


class ClusterLost(WorkerLost):
    """The cluster cannot be reached, or does no work any more. Code KB059; help: what to do."""

    code, help = "KB059", _START_HELP


class ClusterExecutor(Executor):
    """The processes of a cluster. What cannot be done there raises ClusterLost in its future."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address
        self._dask_executor = client.get_executor(pure=False)
        self._waiting: set[Future[Any]] = set()
        self._is_shut_down = Event()
        Thread(target=self._watch, daemon=True).start()

    @property
    def size(self) -> int:
        """How many worker processes there are now."""
        return len(self._client.nthreads())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call a function that it can import too."""
        future: Future[Any] = Future()
        try:
            remote = self._dask_executor.submit(fn, *args, **kwargs)
        except Exception as error:
            raise self._cluster_lost(str(error)) from None
        self._waiting.add(future)
        remote.add_done_callback(lambda remote: self._copy_result(remote, future))
        future.add_done_callback(lambda future: remote.cancel() if future.cancelled() else None)
        return future

    def _copy_result(self, remote: Future[Any], future: Future[Any]) -> None:
        """Let a future of ours say what one of the cluster says."""
        if not self._claim(future) or not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(remote.result())
        except CancelledError:
            future.set_exception(self._cluster_lost("it was shut down"))
        except Exception as error:
            is_own = type(error).__module__.partition(".")[0] in _CLUSTER_MODULES
            is_lost = is_own or self._client.status != "running"
            future.set_exception(self._cluster_lost(str(error)) if is_lost else error)

    def _claim(self, future: Future[Any]) -> bool:
        """Whether nobody else has told what comes of a future."""
        try:
            self._waiting.remove(future)
        except KeyError:
            return False
        return True

    def _watch(self) -> None:
        """Give up what waits for a worker when there has been none for long."""
        idle_seconds = 0.0
        while not self._is_shut_down.wait(_POLL_SECONDS):
            try:
                idle_seconds = 0.0 if self.size else idle_seconds + _POLL_SECONDS
            except Exception:
                idle_seconds += _POLL_SECONDS
            if idle_seconds >= NO_WORKER_SECONDS:
                reason = f"it has had no worker for {NO_WORKER_SECONDS:.0f} seconds"
                for each in filter(self._claim, [*self._waiting]):
                    each.set_exception(self._cluster_lost(reason))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster to others."""
        self._is_shut_down.set()
        self._dask_executor.shutdown(wait=wait and not cancel_futures)

    def _cluster_lost(self, reason: str) -> ClusterLost:
        return ClusterLost(f"the cluster `{self._address}` does no more work: {reason}")


@contextmanager
def cluster(address: str) -> Iterator[ClusterExecutor]:
    """The cluster whose scheduler has an address, such as `tcp://127.0.0.1:8786`.

    Its worker processes must import this very kbrules, and find folders of rules by the same paths.
    MissingExtra without the extra `cluster`, ClusterLost if there is no such cluster, or no worker.
    """
    client = _client(address)
    executor = ClusterExecutor(client, address)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False)
        client.close(timeout=CONNECT_SECONDS)


def _client(address: str) -> Client:
    if "://" not in address:
        help = "write it as the scheduler says it: `tcp://127.0.0.1:8786`"
        raise ClusterLost(f"`{address}` is no address of a cluster", help)
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("cluster", str(error)) from None
    getLogger("distributed.client").setLevel(CRITICAL)  # what it would say, ClusterLost says
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterLost(f"there is no cluster at `{address}`: {error}") from None
    if not _has_worker(client):
        client.close(timeout=CONNECT_SECONDS)
        raise ClusterLost(f"the cluster at `{address}` has no worker")
    return client


def _has_worker(client: Client) -> bool:
    """Whether a worker is there, or comes in a moment."""
    end = perf_counter() + CONNECT_SECONDS
    while not client.nthreads():
        if perf_counter() > end:
            return False
        sleep(_POLL_SECONDS / 10)
    return True
