"""What one client works on: its folders, its open texts, and the threads that answer it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from kbrules.tools.language_server.documents import Document, Documents
from kbrules.tools.language_server.worker import Urgency, Worker
from kbrules.tools.language_service.workspace import Workspace

Result = TypeVar("Result")
Change = Callable[[], None]
_IN_BACKGROUND = (Urgency.EXAMPLES, Urgency.LINTS)


@dataclass(frozen=True, slots=True)
class View:
    """What a question is about: the workspace, and the open texts that it has."""

    workspace: Workspace
    texts: Mapping[Path, Document]
    documents: Documents

    def document(self, path: Path) -> Document:
        """A file as the editor has it, or would have it if it were open."""
        if (document := self.texts.get(path)) is not None:
            return document
        text = self.workspace.text(path)
        if _has_crlf(path):  # edits are written as the file is, which the workspace does not say
            text = text.replace("\n", "\r\n")
        return Document(self.documents.uri(path), path, None, text, self.documents.encoding)


class EditorSession:
    """Folders and open texts. Its methods are called from the event loop and return at once.

    What changes is noted, and taken over by the workspace before the next thing that is asked
    of it, in a thread. `roots` are the folders that the client has open.
    """

    def __init__(self) -> None:
        self.roots: tuple[Path, ...] = ()
        self.documents = Documents()
        self._workspace = Workspace(())
        self._taken: dict[Path, Document] = {}
        self._changes: deque[Change] = deque()
        self._lock = Lock()
        self._near, self._far = Worker("language"), Worker("background")

    def open_roots(self, roots: Sequence[Path]) -> None:
        """These folders are open from now on, and no others."""
        self.roots = tuple(roots)
        texts = [*self.documents]

        def change() -> None:
            self._workspace = Workspace(roots)
            for document in texts:
                self._workspace.open_text(document.path, document.plain_text)

        self._changes.append(change)

    def edited(self, document: Document) -> None:
        """A text was opened or changed."""

        def change() -> None:
            self._taken[document.path] = document
            self._workspace.open_text(document.path, document.plain_text)

        self._changes.append(change)

    def closed(self, path: Path) -> None:
        """A text is open no longer."""

        def change() -> None:
            self._taken.pop(path, None)
            self._workspace.close_text(path)

        self._changes.append(change)

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Files were written, created, deleted or renamed."""
        found = [*paths]
        self._changes.append(lambda: self._workspace.changed_on_disk(found))

    def submit(
        self, urgency: Urgency, act: Callable[[View], Result]
    ) -> asyncio.Future[tuple[Result, View]]:
        """What comes of it, and what it was about."""
        worker = self._far if urgency in _IN_BACKGROUND else self._near

        def job() -> tuple[Result, View]:
            view = self._up_to_date()
            return act(view), view

        return asyncio.wrap_future(worker.do(urgency, job))

    @property
    def is_stopped(self) -> bool:
        """Whether the client has left."""
        return self._near.is_stopped

    def stop(self) -> None:
        """End the threads."""
        self._near.stop()
        self._far.stop()

    def _up_to_date(self) -> View:
        """The workspace with everything that has changed, and the open texts it has."""
        with self._lock:
            while self._changes:
                self._changes.popleft()()
            return View(self._workspace, {**self._taken}, self.documents)


def _has_crlf(path: Path) -> bool:
    try:
        return b"\r\n" in path.read_bytes()
    except OSError:
        return False
