"""A cluster of Dask as an executor: parts are done by its worker processes, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from logging import CRITICAL, getLogger
from threading import Event, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from kbrules.tools.processes import MissingExtra, WorkerLost

if TYPE_CHECKING:
    from distributed import Client


CONNECT_SECONDS = 5.0  # seconds for the scheduler to answer
NO_WORKER_SECONDS = 30.0  # seconds without a worker after which nobody waits for one
_POLL_SECONDS = 1.0
_START_HELP = (
    "see to it that `dask scheduler` runs there, and `dask worker`: docs/scale.md says how"
)


class ClusterLost(WorkerLost):
    """The cluster cannot be reached, or does no work any more. Code KB059; help: what to do."""

    code = "KB059"

    def __init__(self, message: str, help: str = _START_HELP) -> None:
        super().__init__(message, help)


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
            is_lost = _is_cluster_error(error) or self._client.status != "running"
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
                for each in filter(self._claim, [*self._waiting]):
                    each.set_exception(
                        self._cluster_lost(
                            f"it has had no worker for {NO_WORKER_SECONDS:.0f} seconds"
                        )
                    )

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


def _is_cluster_error(error: Exception) -> bool:
    """Whether it is the cluster that failed, and not what it was asked to do."""
    return type(error).__module__.partition(".")[0] in ("distributed", "tornado", "dask")
