"""A cluster of Dask as an executor: parts are done by its worker processes, wherever they are.

A worker that is gone costs no part: its scheduler gives what it had begun to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from logging import CRITICAL, getLogger
from threading import Event, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from kbrules.tools.processes.extras import MissingExtra
from kbrules.tools.processes.pool import WorkerLost

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterExecutor", "ClusterLost", "cluster"]

CONNECTING = 5.0  # seconds for the scheduler to answer
LONELY = 30.0  # seconds without a worker after which nobody waits for one
_LOOK = 1.0
_START = "see to it that `dask scheduler` runs there, and `dask worker`: docs/scale.md says how"


class ClusterLost(WorkerLost):
    """The cluster cannot be reached, or does no work any more. Code KB059; help: what to do."""

    code = "KB059"

    def __init__(self, message: str, help: str = _START) -> None:
        super().__init__(message, help)


class ClusterExecutor(Executor):
    """The processes of a cluster. What cannot be done there raises ClusterLost in its future."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address
        self._inner = client.get_executor(pure=False)
        self._waiting: set[Future[Any]] = set()
        self._over = Event()
        Thread(target=self._watch, daemon=True).start()

    @property
    def size(self) -> int:
        """How many worker processes there are now."""
        return len(self._client.nthreads())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call a function that it can import too."""
        found: Future[Any] = Future()
        try:
            there = self._inner.submit(fn, *args, **kwargs)
        except Exception as error:
            raise self._lost(str(error)) from None
        self._waiting.add(found)
        there.add_done_callback(lambda there: self._tell(there, found))
        found.add_done_callback(lambda found: there.cancel() if found.cancelled() else None)
        return found

    def _tell(self, there: Future[Any], found: Future[Any]) -> None:
        """Let a future of ours say what one of the cluster says."""
        if not self._takes(found) or not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(there.result())
        except CancelledError:
            found.set_exception(self._lost("it was shut down"))
        except Exception as error:
            is_lost = _is_of_cluster(error) or self._client.status != "running"
            found.set_exception(self._lost(str(error)) if is_lost else error)

    def _takes(self, found: Future[Any]) -> bool:
        """Whether nobody else has told what comes of a future."""
        try:
            self._waiting.remove(found)
        except KeyError:
            return False
        return True

    def _watch(self) -> None:
        """Give up what waits for a worker when there has been none for long."""
        lonely = 0.0
        while not self._over.wait(_LOOK):
            try:
                lonely = 0.0 if self.size else lonely + _LOOK
            except Exception:
                lonely += _LOOK
            if lonely >= LONELY:
                for each in filter(self._takes, [*self._waiting]):
                    each.set_exception(self._lost(f"it has had no worker for {LONELY:.0f} seconds"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster to others."""
        self._over.set()
        self._inner.shutdown(wait=wait and not cancel_futures)

    def _lost(self, why: str) -> ClusterLost:
        return ClusterLost(f"the cluster `{self._address}` does no more work: {why}")


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
        client.close(timeout=CONNECTING)


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
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterLost(f"there is no cluster at `{address}`: {error}") from None
    if not _has_a_worker(client):
        client.close(timeout=CONNECTING)
        raise ClusterLost(f"the cluster at `{address}` has no worker")
    return client


def _has_a_worker(client: Client) -> bool:
    """Whether a worker is there, or comes in a moment."""
    end = perf_counter() + CONNECTING
    while not client.nthreads():
        if perf_counter() > end:
            return False
        sleep(_LOOK / 10)
    return True


def _is_of_cluster(error: Exception) -> bool:
    """Whether it is the cluster that failed, and not what it was asked to do."""
    return type(error).__module__.partition(".")[0] in ("distributed", "tornado", "dask")
