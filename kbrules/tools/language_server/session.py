"""What one client works on: what it can show, its folders and texts, threads that answer."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import partial
from pathlib import Path
from queue import PriorityQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability

from kbrules.library.discovery import kind_of
from kbrules.tools.language_server.documents import (
    Documents,
    EditedRange,
    LineTable,
    OpenDocument,
    identity,
    path_of,
)
from kbrules.tools.language_service.answers import Finding, Place, TextEdit
from kbrules.tools.language_service.service import Service, never
from kbrules.tools.language_service.workspace import Cancelled, Workspace

# What a client can show and do, as it says when it begins.


class Can(Enum):
    """What a client may be able to do: the name of a capability, and the value it must list."""

    TAKE_SNIPPETS = ("text_document.completion.completion_item.snippet_support",)
    KEEP_INDENTATION = (
        "text_document.completion.completion_item.insert_text_mode_support.value_set",
        types.InsertTextMode.AsIs,
    )
    SHOW_SYMBOL_TREES = ("text_document.document_symbol.hierarchical_document_symbol_support",)
    SHOW_RELATED_PLACES = ("text_document.publish_diagnostics.related_information",)
    MAKE_VERSIONED_EDITS = ("workspace.workspace_edit.document_changes",)
    MAKE_EDITS = ("workspace.apply_edit",)
    MAKE_FILES = (
        "workspace.workspace_edit.resource_operations",
        types.ResourceOperationKind.Create,
    )
    WATCH_FILES = ("workspace.did_change_watched_files.dynamic_registration",)
    REFRESH_LENSES = ("workspace.code_lens.refresh_support",)
    SHOW_DOCUMENTS = ("window.show_document.support",)
    SHOW_PROGRESS = ("window.work_done_progress",)


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities that our answers depend on."""

    capabilities: types.ClientCapabilities

    def can(self, what: Can) -> bool:
        """Return whether the client has a capability."""
        name, *values = what.value
        found = get_capability(self.capabilities, name, None)
        return values[0] in (found or ()) if values else bool(found)

    def markup(self, text: str, of: str = "hover.content_format") -> types.MarkupContent:
        """Return a page in Markdown, as such if the client shows it."""
        shown = get_capability(self.capabilities, f"text_document.{of}", None) or ()
        kinds = types.MarkupKind
        kind = kinds.Markdown if kinds.Markdown in shown else kinds.PlainText
        return types.MarkupContent(kind, text)


# One thread that does what takes long, the urgent first, so that typing never waits.


Result = TypeVar("Result")


class Urgency(IntEnum):
    """What is done first."""

    STOP = 0
    ANSWER = 1
    SYNTAX = 2
    NAMES = 3
    EXAMPLES = 4
    LINTS = 5


Job = tuple[int, int, Callable[[], Any], Future[Any]]
"""Its urgency, another number for each, what is done, and what comes of it."""


class Worker:
    """Does one thing after another in a thread of its own, which ends with the process."""

    def __init__(self, name: str) -> None:
        self._jobs: PriorityQueue[Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._stopped = False

    def do(self, urgency: Urgency, act: Callable[[], Result]) -> Future[Result]:
        """What comes of it once it is its turn; may be cancelled before that."""
        if not self._thread.is_alive() and not self._stopped:
            self._thread.start()
        future: Future[Result] = Future()
        self._jobs.put((urgency, next(self._numbers), act, future))
        return future

    @property
    def is_stopped(self) -> bool:
        """Whether nothing that it does is wanted any more."""
        return self._stopped

    def stop(self) -> None:
        """End the thread after what it does now."""
        self._stopped = True
        self._jobs.put((Urgency.STOP, next(self._numbers), lambda: None, Future()))

    def _run(self) -> None:
        while not self._stopped:
            _, _, act, future = self._jobs.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(act())
                except BaseException as fault:
                    future.set_exception(fault)
            del act, future  # what came of it may be large


# What one client works on: its folders, its open texts, and the threads that answer it.


Change = Callable[[], None]
_IN_BACKGROUND = (Urgency.EXAMPLES, Urgency.LINTS)


@dataclass(frozen=True, slots=True)
class SessionView:
    """What a question is about: the service, and the open texts that it has."""

    service: Service
    texts: Mapping[Path, OpenDocument]
    documents: Documents

    def document(self, path: Path) -> OpenDocument:
        """A file as the editor has it, or would have it if it were open."""
        if (document := self.texts.get(path)) is not None:
            return document
        text = self.service.workspace.text(path)
        if _has_crlf(path):  # edits are written as the file is, which the workspace does not say
            text = text.replace("\n", "\r\n")
        return OpenDocument(self.documents.uri(path), path, None, text, self.documents.encoding)


class EditorSession:
    """Folders and open texts. Its methods are called from the event loop and return at once.

    What changes is noted, and taken over by the workspace before the next thing that is asked
    of it, in a thread. `roots` are the folders that the client has open.
    """

    def __init__(self) -> None:
        self.roots: tuple[Path, ...] = ()
        self.documents = Documents()
        self._service = Service(Workspace())
        self._taken: dict[Path, OpenDocument] = {}
        self._changes: deque[Change] = deque()
        self._lock = Lock()
        self._near, self._far = Worker("language"), Worker("background")

    def open_roots(self, roots: Sequence[Path]) -> None:
        """These folders are open from now on, and no others."""
        self.roots = tuple(roots)
        texts = [*self.documents.values()]

        def change() -> None:
            self._service = Service(Workspace(roots))
            for document in texts:
                self._open(document)

        self._changes.append(change)

    def edited(self, document: OpenDocument) -> None:
        """A text was opened or changed."""
        self._changes.append(partial(self._open, document))

    def closed(self, path: Path) -> None:
        """A text is open no longer."""

        def change() -> None:
            self._taken.pop(path, None)
            self._service.answer("close", {"file": str(path)})

        self._changes.append(change)

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Files were written, created, deleted or renamed."""
        found = {"files": [*map(str, paths)]}
        self._changes.append(lambda: self._service.answer("changed", found))

    def _open(self, document: OpenDocument) -> None:
        self._taken[document.path] = document
        self._service.answer("open", {"file": str(document.path), "text": document.plain_text})

    def submit(
        self, urgency: Urgency, act: Callable[[SessionView], Result]
    ) -> asyncio.Future[tuple[Result, SessionView]]:
        """What comes of it, and what it was about."""
        worker = self._far if urgency in _IN_BACKGROUND else self._near

        def job() -> tuple[Result, SessionView]:
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

    def _up_to_date(self) -> SessionView:
        """The workspace with everything that has changed, and the open texts it has."""
        with self._lock:
            while self._changes:
                self._changes.popleft()()
            return SessionView(self._service, {**self._taken}, self.documents)


def _has_crlf(path: Path) -> bool:
    try:
        return b"\r\n" in path.read_bytes()
    except OSError:
        return False


# When files are checked while they are typed, and what is told of them.


Publish = Callable[
    [Path, OpenDocument | None, Sequence[Finding], Callable[[Path], LineTable]], None
]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in files, and the lines of those among them that are not open."""

    findings: Mapping[Path, Sequence[Finding]] = field(default_factory=dict)
    lines: Mapping[Path, LineTable] = field(default_factory=dict)

    @classmethod
    def of(cls, findings: Mapping[str, Sequence[Finding]], view: SessionView) -> Found:
        """Return the answer of the service, looked through for files that are named."""
        by_path = {Path(file): of for file, of in findings.items()}
        every = [each for of in by_path.values() for each in of]
        labels = (label.place.file for each in every for label in each.labels)
        closed = {*(each.place.file for each in every), *labels} - {*map(str, view.texts)}
        return cls(by_path, {Path(file): view.document(Path(file)).lines for file in closed})


_LOG = logging.getLogger(__name__)

SYNTAX, NAMES, LINTS, EXAMPLES = range(4)
NAMES_AFTER = 0.12
"""Seconds without a change after which names and sorts are checked."""
_TRIES = 3
_NO_LINES = LineTable("")
LINTS_AFTER = 0.8
"""Seconds after that, after which lints are."""


class SessionChecker:
    """Checks the open texts of a session: all that is told fits the text that is shown.

    Of a text that changes the syntax is checked at once, names and sorts of its whole box after a
    pause, lints after a longer one, examples when it is saved. `publish` is given all marks of a
    file whenever they may be others.
    """

    def __init__(self, session: EditorSession, publish: Publish) -> None:
        self._session, self._publish = session, publish
        self._marks: dict[Path, dict[int, tuple[Finding, ...]]] = defaultdict(dict)
        self._reach: dict[tuple[int, Path], set[Path]] = defaultdict(set)
        self._due: dict[int, dict[Path, None]] = {NAMES: {}, LINTS: {}}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._running: dict[int, asyncio.Task[None]] = {}
        self._published: dict[Path, list[Finding]] = {}
        self._lines: dict[Path, LineTable] = {}
        self._changes = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # What happens

    def edited(self, document: OpenDocument, before: OpenDocument | None) -> None:
        """A text was opened or changed."""
        self._changes += 1
        if before is not None:
            change = EditedRange.between(before.plain_text, document.plain_text)
            layers = self._marks[document.path]
            self._marks[document.path] = {kind: change.moved(layers[kind]) for kind in layers}
        self._begin(self._check_syntax(document))
        self._later(NAMES, [document.path], NAMES_AFTER)

    def saved(self, document: OpenDocument) -> None:
        """A text was written to its file."""
        self._begin(self._check_examples(document))

    def closed(self, path: Path) -> None:
        """A text is open no longer; what was told only of it is withdrawn."""
        self._changes += 1
        self._marks[path] = {}
        self._due[LINTS].pop(path, None)
        self._publish_marks(path)
        self._later(NAMES, [path], 0)

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Files that are not open, or settings, may be others."""
        self._changes += 1
        marked = [path for path in paths if self._marks.get(path) and kind_of(path) is not None]
        self._later(NAMES, [*self._session.documents, *marked], NAMES_AFTER)

    def forget(self) -> None:
        """Withdraw all that was told, and check again what is open."""
        self._changes += 1
        for path in [*self._marks]:
            self._marks[path] = {}
            self._publish_marks(path)
        self._later(NAMES, self._session.documents, 0)

    async def until_idle(self) -> None:
        """Wait until nothing is left to be checked."""
        while self._tasks or any(self._due.values()):
            await asyncio.sleep(0.01)

    # Syntax and examples

    async def _check_syntax(self, document: OpenDocument) -> None:
        path = document.path
        if self._session.documents.get(path) is not document:
            return  # a later text is checked instead
        found, view = await self._session.submit(Urgency.SYNTAX, partial(_syntax, path))
        if self._is_shown(path, view):
            known = {*map(identity, self._marks[path].get(SYNTAX, ()))}
            names = self._marks[path].get(NAMES, ())
            self._marks[path][NAMES] = tuple(each for each in names if identity(each) not in known)
            self._marks[path][SYNTAX] = found
            self._publish_marks(path)

    async def _check_examples(self, document: OpenDocument) -> None:
        path = document.path
        results, view = await self._session.submit(
            Urgency.EXAMPLES, lambda view: view.service.workspace.examples(path)
        )
        if self._is_shown(path, view):
            found = tuple(finding for each in results for finding in each.findings)
            self._marks[path][EXAMPLES] = found
            self._publish_marks(path)

    # Names and sorts, and lints

    def _later(self, kind: int, paths: Iterable[Path], seconds: float) -> None:
        """Check some files once so many seconds have passed without a change."""
        self._due[kind].update(dict.fromkeys(paths))
        if (timer := self._timers.pop(kind, None)) is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[kind] = loop.call_later(seconds, self._begin_check, kind)

    def _begin_check(self, kind: int) -> None:
        self._timers.pop(kind, None)
        task = self._running.get(kind)
        if task is None or task.done():  # else it takes what is due as well
            check = self._check_names() if kind == NAMES else self._check_lints()
            self._running[kind] = self._begin(check)

    async def _check_names(self) -> None:
        due = self._due[NAMES]
        while due and NAMES not in self._timers:
            path = next(iter(due))
            del due[path]
            changes = self._changes
            found, view = await self._session.submit(Urgency.NAMES, partial(_names, path))
            if shown := self._take(NAMES, path, found, view):
                self._done(NAMES, shown, changes)
                self._later(LINTS, shown, LINTS_AFTER)

    async def _check_lints(self) -> None:
        due = self._due[LINTS]
        while due and LINTS not in self._timers:
            path, changes = next(iter(due)), self._changes
            is_stale = partial(self._is_stale, changes)
            try:
                found, view = await self._session.submit(
                    Urgency.LINTS, partial(_lints, path, is_stale)
                )
            except Cancelled:
                self._later(LINTS, [], LINTS_AFTER)
                return
            self._done(LINTS, [path, *self._take(LINTS, path, found, view)], changes)

    def _done(self, kind: int, paths: Iterable[Path], changes: int) -> None:
        """Files were checked; what has changed meanwhile, on disk too, is due all the same."""
        if changes == self._changes:
            for path in paths:
                self._due[kind].pop(path, None)

    def _is_stale(self, changes: int) -> bool:
        """Whether something has changed since, or nobody waits any more."""
        return self._changes != changes or self._session.is_stopped

    def _take(self, kind: int, path: Path, found: Found, view: SessionView) -> list[Path]:
        """Tell of each file what was found, and withdraw what was told of those not among them.

        Of these the ones that are open.
        """
        of = found.findings
        self._lines |= found.lines
        gone = self._reach[kind, path] - {*of}
        self._reach[kind, path] = {each for each in of if of[each]}
        shown = [each for each in {*of, *gone, path} if self._is_shown(each, view)]
        for each in shown:
            self._marks[each][kind] = (*of.get(each, ()),)
            self._publish_marks(each)
        return [each for each in shown if each in self._session.documents]

    def _is_shown(self, path: Path, view: SessionView) -> bool:
        """Whether a text is still as it was when something was found in it."""
        return self._session.documents.get(path) is view.texts.get(path)

    def _publish_marks(self, path: Path) -> None:
        found = {identity(each): each for kind in self._marks[path].values() for each in kind}
        shown = sorted(found.values(), key=identity)
        document = self._session.documents.get(path)
        if document is not None or shown != self._published.get(path, []):
            self._published[path] = shown
            self._publish(path, document, shown, self._lines_of)

    def _lines_of(self, path: Path) -> LineTable:
        """Return the lines of a file that findings name."""
        document = self._session.documents.get(path)
        return document.lines if document is not None else self._lines.get(path, _NO_LINES)

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else; a fault in it is logged and ends nothing."""
        task = asyncio.get_running_loop().create_task(_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _syntax(path: Path, view: SessionView) -> tuple[Finding, ...]:
    found: tuple[Finding, ...] = view.service.answer("syntax", {"file": str(path)})
    return found


def _names(path: Path, view: SessionView) -> Found:
    """What is wrong with the box of a file; with a file alone only while it is open."""
    if path not in view.texts and view.service.workspace.home(path) is None:
        return Found()
    return _found("findings", {"files": [str(path)]}, never, view)


def _lints(path: Path, is_stale: Callable[[], bool], view: SessionView) -> Found:
    return _found("lints", {"file": str(path)}, is_stale, view)


def _found(
    method: str, params: Mapping[str, Any], is_stale: Callable[[], bool], view: SessionView
) -> Found:
    """Return what the service finds, asked again if a folder is deleted meanwhile."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return Found.of(view.service.answer(method, params, is_stale), view)
    return Found()


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        _LOG.exception("a check failed")


# A request with all that is needed to answer it.


Params = TypeVar("Params")


@dataclass(slots=True)
class Cache:
    """What is remembered from one request to the next: pages of completions, tokens of texts."""

    pages: dict[str, str] = field(default_factory=dict)
    tokens: dict[Path, tuple[str, list[int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EditorRequest(Generic[Params]):
    """The parameters of a request, what it is about, and what the client can show."""

    params: Params
    view: SessionView
    client: Client
    cache: Cache

    def ask(self, method: str, **params: Any) -> Any:
        """Return the answer of the service about the file that the request names."""
        return self.view.service.answer(method, {"file": str(self.path), **params})

    def ask_here(self, method: str, **params: Any) -> Any:
        """Return the same about the place that the request names."""
        return self.ask(method, at=self.offset, **params)

    @property
    def path(self) -> Path:
        """The file that the request names."""
        named: Any = self.params
        return path_of(named.text_document.uri)

    @property
    def document(self) -> OpenDocument:
        """The text of that file."""
        return self.view.document(self.path)

    @property
    def offset(self) -> int:
        """The place that the request names, in the text of its file."""
        named: Any = self.params
        return self.document.lines.offset(named.position)

    def range(self, place: Place) -> types.Range:
        """Return the range of a place."""
        return self.view.document(Path(place.file)).lines.range(place.start, place.end)

    def location(self, place: Place) -> types.Location:
        """Return a place with the address of its file."""
        return types.Location(self.view.document(Path(place.file)).uri, self.range(place))

    def text_edits(self, edits: Iterable[TextEdit]) -> list[types.TextEdit]:
        """Return what is to be replaced, with the line ends that the files have."""
        return [
            types.TextEdit(
                self.range(each.place),
                each.text.replace("\n", self.view.document(Path(each.place.file)).line_end),
            )
            for each in edits
        ]

    def workspace_edit(self, edits: Iterable[TextEdit]) -> types.WorkspaceEdit:
        """Return what is to be replaced in files, with the versions for which it holds."""
        by_path: dict[Path, list[TextEdit]] = defaultdict(list)
        for each in edits:
            by_path[Path(each.place.file)].append(each)
        document = self.view.document
        documents = [(document(path), self.text_edits(of)) for path, of in by_path.items()]
        made = [types.CreateFile(document(path).uri) for path in self.made_by(by_path)]
        if not made and not self.client.can(Can.MAKE_VERSIONED_EDITS):
            return types.WorkspaceEdit({each.uri: of for each, of in documents})
        changes = [
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(each.uri, each.version), of
            )
            for each, of in documents
        ]
        return types.WorkspaceEdit(document_changes=[*made, *changes])

    def made_by(self, paths: Iterable[Path]) -> list[Path]:
        """Return those of some files that are not there yet."""
        return [each for each in paths if not self.view.service.workspace.files.is_there(each)]
