"""The workshop's side of the page: requests in, answers out, as values or texts of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from threading import Lock

from kbrules.tools.language_service.answers import Refused
from kbrules.tools.processes import processes
from kbrules.tools.workshop.game import Playing
from kbrules.tools.workshop.rules import (
    Answer,
    Measuring,
    Params,
    SessionPart,
    answer_request,
    error_of,
)
from kbrules.tools.workshop.writing import WorkingCopy, Writing

NO_TEXTS: Mapping[str, str] = {}

# Games and measurements run in processes of their own, so that they hold nobody up who types.


class WorkshopSession:
    """One author's folder, one game and one measurement, one request at a time."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy, self._writing = copy, Writing(copy)
        self._parts: tuple[SessionPart, ...] = Playing(copy.folder), Measuring(copy.folder)

    def handle(self, method: str, params: Params) -> Answer:
        """Return the answer to a request."""
        for part in self._parts:
            if method in part.methods:
                part.take(self._copy.typed)
                return answer_request(part.methods, method, params)
        return self._writing.handle(method, params)


class LiveSession:
    """The same for several threads: a game, a measurement and lints hold up nobody who writes."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._lock = Lock()
        self._copy, self._writing = copy, Writing(copy)
        self._playing = ProcessSession(Playing, copy.folder)
        self._measuring = ProcessSession(Measuring, copy.folder)

    def handle(self, method: str, params: Params) -> Answer:
        """Return the answer to a request."""
        for part in (self._playing, self._measuring):
            if method in part.names:
                return part.handle(method, params, {**self._copy.typed})
        if method == "open":
            self._playing.start()
        if method == "lints":
            version = self._writing.version
            return self._writing.handle(method, params, lambda: self._writing.version != version)
        with self._lock:
            return self._writing.handle(method, params)

    def close(self) -> None:
        """End the processes."""
        self._playing.close()
        self._measuring.close()


class ProcessSession:
    """A part of the session in a process. kind: its class; root: the folder of the author.

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

    def handle(self, method: str, params: Params, texts: Mapping[str, str] = NO_TEXTS) -> Answer:
        """Return the answer, by the texts that are typed; one request at a time."""
        with self._lock:
            try:
                asked = self._kind, self._root, {**texts}, method, {**params}
                return self._running().submit(_answer, *asked).result()
            except BrokenExecutor:
                self._executor = None
                return error_of(Refused("its process is gone", "begin anew", "KB058"))

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


def _answer(
    kind: type[SessionPart], root: Path, texts: Mapping[str, str], method: str, params: Params
) -> Answer:
    _ensure_part(kind, root)
    _PARTS[kind, root].take(texts)
    return answer_request(_PARTS[kind, root].methods, method, params)


# The session inside the page: what Python in a browser is asked to do, as texts of JSON.


FILES = Path("/author/files")
"""Where the page lays the author's files."""


class PageSession:
    """A session on the files that the page has laid under `/author/files`."""

    def __init__(self, title: str) -> None:
        folder = FILES / title
        folder.mkdir(parents=True, exist_ok=True)
        self._session = WorkshopSession(WorkingCopy(folder))

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
            ("patterns", {}),
            ("text", {"path": path}),
            ("near", {"path": path, "at": 0}),
            ("findings", {"path": path, "text": text}),
            ("lints", {"path": path}),
        ]
        return json.dumps([[*each, self._session.handle(*each)] for each in requests])
