"""The workshop's side of the page: requests in, answers out, as values or texts of JSON."""

from __future__ import annotations

import json
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from threading import Lock

from kbrules.tools.processes import processes
from kbrules.tools.workshop.game import Playing
from kbrules.tools.workshop.rules import (
    Answer,
    Measuring,
    Params,
    RequestError,
    SessionPart,
    answer_request,
)
from kbrules.tools.workshop.writing import WorkingCopy, Writing

# Games and measurements run in processes of their own, so that they hold nobody up who types.


class WorkshopSession:
    """One author's folder, one game and one measurement, one request at a time."""

    def __init__(self, copy: WorkingCopy) -> None:
        parts = Writing(copy), Playing(copy.root), Measuring(copy.root)
        self._methods = {name: do for part in parts for name, do in part.methods.items()}

    def handle(self, method: str, params: Params) -> Answer:
        """The answer to a request."""
        return answer_request(self._methods, method, params)


class LiveSession:
    """The same for several threads: a game and a measurement do not hold up who writes."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._lock = Lock()
        self._writing = Writing(copy)
        self._playing = ProcessSession(Playing, copy.root)
        self._measuring = ProcessSession(Measuring, copy.root)

    def handle(self, method: str, params: Params) -> Answer:
        """The answer to a request."""
        for part in (self._playing, self._measuring):
            if method in part.names:
                return part.handle(method, params)
        if method == "open":
            self._playing.start()
        with self._lock:
            return answer_request(self._writing.methods, method, params)

    def close(self) -> None:
        """End the processes."""
        self._playing.close()
        self._measuring.close()


class ProcessSession:
    """A part of the session in a process. kind: its class; root: where files are tried.

    If the process is ended, the next request begins another, and what it had is lost.
    """

    def __init__(self, kind: type[SessionPart], root: Path) -> None:
        self._kind, self._root = kind, root
        self._lock = Lock()
        self._executor: Executor | None = None
        self.names = frozenset(kind(root).methods)

    def start(self) -> None:
        """Begin the process, and do not wait for it."""
        self._running().submit(_ensure_part, self._kind, self._root)

    def handle(self, method: str, params: Params) -> Answer:
        """The answer, as of a session; one request at a time."""
        with self._lock:
            try:
                call = self._running().submit(_answer, self._kind, self._root, method, dict(params))
                return call.result()
            except BrokenExecutor:
                self._executor = None
                return {
                    "error": RequestError("its process is gone", "begin anew", "KB058").answer()
                }

    def close(self) -> None:
        """End the process."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _running(self) -> Executor:
        self._executor = self._executor or processes(1)
        return self._executor


_PARTS: dict[tuple[type[SessionPart], Path], SessionPart] = {}
"""What this process is for, made at the first request."""


def _ensure_part(kind: type[SessionPart], root: Path) -> None:
    if (kind, root) not in _PARTS:
        _PARTS[kind, root] = kind(root)


def _answer(kind: type[SessionPart], root: Path, method: str, params: Params) -> Answer:
    _ensure_part(kind, root)
    return answer_request(_PARTS[kind, root].methods, method, params)


# The session inside the page: what Python in a browser is asked to do, as texts of JSON.


FILES, TRIED = Path("/author/files"), Path("/author/tried")
"""Where the page lays the author's files, and where they are tried."""


class PageSession:
    """A session on the files that the page has laid under `/author/files`."""

    def __init__(self, title: str) -> None:
        folder, root = FILES / title, TRIED / title
        for each in (folder, root):
            each.mkdir(parents=True, exist_ok=True)
        self._session = WorkshopSession(WorkingCopy(folder, root))

    def handle(self, request: str) -> str:
        """The answer to a request: `method` and `params`, in JSON."""
        message = json.loads(request)
        return json.dumps(self._session.handle(message["method"], message["params"]))

    def first_answers(self) -> str:
        """What a page asks when it opens, each with its answer: rows of method, params, answer."""
        path = self._session.handle("open", {})["result"]["start"]
        text = self._session.handle("text", {"path": path}).get("result", {}).get("text", "")
        requests = [
            ("open", {}),
            ("tokens", {}),
            ("text", {"path": path}),
            ("examples", {"path": path, "at": 0}),
            ("edit", {"path": path, "text": text}),
        ]
        return json.dumps([[*each, self._session.handle(*each)] for each in requests])
