"""The workshop's side of the page: requests in, answers out, as values or texts of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from threading import Lock

from kbrules.tools.language_service.answers import Refused
from kbrules.tools.processes import processes
from kbrules.tools.workshop import game, writing
from kbrules.tools.workshop.rules import (
    Answer,
    Measuring,
    Params,
    SessionPart,
    error_of,
)

# Games and measurements run in processes of their own, so that they hold nobody up who types.


class WorkshopSession:
    """One author's folder, one game and one measurement, for one thread or several."""

    def __init__(self, copy: writing.WorkingCopy) -> None:
        self._lock = Lock()
        self._copy, self._writing = copy, writing.Writing(copy)
        self._parts: tuple[SessionPart | ProcessSession, ...]
        self._parts = game.Playing(copy.folder), Measuring(copy.folder)

    def handle(self, method: str, params: Params) -> Answer:
        """Return the answer to a request."""
        for part in self._parts:
            if method in part.methods:
                return part.handle(method, params, self._copy.texts())
        if method == "lints":
            version = self._writing.version
            return self._writing.handle(method, params, lambda: self._writing.version != version)
        with self._lock:
            return self._writing.handle(method, params)


class LiveSession(WorkshopSession):
    """The same with processes: a game and a measurement hold up nobody who writes."""

    def __init__(self, copy: writing.WorkingCopy) -> None:
        super().__init__(copy)
        self._processes = [ProcessSession(kind, copy.folder) for kind in (game.Playing, Measuring)]
        self._parts = (*self._processes,)

    def handle(self, method: str, params: Params) -> Answer:
        """Return the answer to a request; when the page opens, the game's process begins."""
        if method == "open":
            self._processes[0].start()
        return super().handle(method, params)

    def close(self) -> None:
        """End the processes."""
        for each in self._processes:
            each.close()


class ProcessSession:
    """A part of the session in a process. kind: its class; root: the folder of the author.

    If the process is ended, the next request begins another, and what it had is lost.
    """

    def __init__(self, kind: type[SessionPart], root: Path) -> None:
        self._kind, self._root = kind, root
        self._lock = Lock()
        self._executor: Executor | None = None
        self.methods = frozenset(kind(root).methods)

    def start(self) -> None:
        """Begin the process, and do not wait for it."""
        self._running().submit(_part, self._kind, self._root)

    def handle(self, method: str, params: Params, texts: Mapping[str, str]) -> Answer:
        """Return the answer, by the texts on the page; one request at a time."""
        with self._lock:
            try:
                asked = self._kind, self._root, method, {**params}, texts
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


def _part(kind: type[SessionPart], root: Path) -> SessionPart:
    if (kind, root) not in _PARTS:
        _PARTS[kind, root] = kind(root)
    return _PARTS[kind, root]


def _answer(
    kind: type[SessionPart], root: Path, method: str, params: Params, texts: Mapping[str, str]
) -> Answer:
    return _part(kind, root).handle(method, params, texts)


# The session inside the page: what Python in a browser is asked to do, as texts of JSON.


FILES = Path("/author/files")
"""Where the page lays the author's files."""


class PageSession:
    """A session on the files that the page has laid under `/author/files`."""

    def __init__(self, title: str) -> None:
        folder = FILES / title
        folder.mkdir(parents=True, exist_ok=True)
        self._session = WorkshopSession(writing.WorkingCopy(folder))

    def handle(self, request: str) -> str:
        """The answer to a request: `method` and `params`, in JSON."""
        return json.dumps(self._session.handle(**json.loads(request)))

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
