"""Games and measurements in processes of their own, so that they hold nobody up who types."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from threading import Lock

from kbrules.tools.processes.pool import processes
from kbrules.tools.workshop.requests import Answer, Part, Refused, Values, answered

__all__ = ["ProcessSession"]


class ProcessSession:
    """A part of the session in a process. kind: its class; root: where files are tried.

    If the process is ended, the next request begins another, and what it had is lost.
    """

    def __init__(self, kind: type[Part], root: Path) -> None:
        self._kind, self._root = kind, root
        self._lock = Lock()
        self._executor: Executor | None = None
        self.names = frozenset(kind(root).methods)

    def start(self) -> None:
        """Begin the process, and do not wait for it."""
        self._begun().submit(_made, self._kind, self._root)

    def handle(self, method: str, given: Values) -> Answer:
        """The answer, as of a session; one request at a time."""
        with self._lock:
            try:
                call = self._begun().submit(_answer, self._kind, self._root, method, dict(given))
                return call.result()
            except BrokenExecutor:
                self._executor = None
                return {"error": Refused("its process is gone", "begin anew", "KB058").answer()}

    def close(self) -> None:
        """End the process."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _begun(self) -> Executor:
        self._executor = self._executor or processes(1)
        return self._executor


_KEPT: dict[tuple[type[Part], Path], Part] = {}
"""What this process is for, made at the first request."""


def _made(kind: type[Part], root: Path) -> None:
    if (kind, root) not in _KEPT:
        _KEPT[kind, root] = kind(root)


def _answer(kind: type[Part], root: Path, method: str, given: Values) -> Answer:
    _made(kind, root)
    return answered(_KEPT[kind, root].methods, method, given)
