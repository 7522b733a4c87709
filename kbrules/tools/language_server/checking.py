"""When files are checked while they are typed, and what is told of them."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.tools.language_server.documents import Document
from kbrules.tools.language_server.marks import Mark, TextChange, marks
from kbrules.tools.language_server.session import EditorSession, View
from kbrules.tools.language_server.worker import Urgency
from kbrules.tools.language_service.answers import ExampleResult
from kbrules.tools.language_service.workspace import Cancelled

Publish = Callable[[Path, Document | None, Sequence[Mark]], None]
Found = Mapping[Path, Iterable[Diagnostic]]
_LOG = logging.getLogger(__name__)

SYNTAX, NAMES, LINTS, EXAMPLES = range(4)
NAMES_AFTER = 0.12
"""Seconds without a change after which names and sorts are checked."""
_TRIES = 3
LINTS_AFTER = 0.8
"""Seconds after that, after which lints are."""


class Checking:
    """Checks the open texts of a session: all that is told fits the text that is shown.

    Of a text that changes the syntax is checked at once, names and sorts of its whole box after a
    pause, lints after a longer one, examples when it is saved. `publish` is given all marks of a
    file whenever they may be others.
    """

    def __init__(self, session: EditorSession, publish: Publish) -> None:
        self._session, self._publish = session, publish
        self._marks: dict[Path, dict[int, tuple[Mark, ...]]] = defaultdict(dict)
        self._reach: dict[tuple[int, Path], set[Path]] = defaultdict(set)
        self._due: dict[int, dict[Path, None]] = {NAMES: {}, LINTS: {}}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._running: dict[int, asyncio.Task[None]] = {}
        self._published: dict[Path, list[Mark]] = {}
        self._changes = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # What happens

    def edited(self, document: Document, before: Document | None) -> None:
        """A text was opened or changed."""
        self._changes += 1
        if before is not None:
            change = TextChange.between(before.plain_text, document.plain_text)
            layers = self._marks[document.path]
            self._marks[document.path] = {kind: change.moved(layers[kind]) for kind in layers}
        self._begin(self._check_syntax(document))
        self._later(NAMES, [document.path], NAMES_AFTER)

    def saved(self, document: Document) -> None:
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
        marked = [path for path in paths if self._marks.get(path)]
        self._later(NAMES, [*(each.path for each in self._session.documents), *marked], NAMES_AFTER)

    def forget(self) -> None:
        """Withdraw all that was told, and check again what is open."""
        self._changes += 1
        for path in [*self._marks]:
            self._marks[path] = {}
            self._publish_marks(path)
        self._later(NAMES, [each.path for each in self._session.documents], 0)

    async def until_idle(self) -> None:
        """Wait until nothing is left to be checked."""
        while self._tasks or any(self._due.values()):
            await asyncio.sleep(0.01)

    # Syntax and examples

    async def _check_syntax(self, document: Document) -> None:
        path = document.path
        if self._session.documents.at(path) is not document:
            return  # a later text is checked instead
        found, view = await self._session.submit(Urgency.SYNTAX, partial(_syntax, path))
        if self._is_shown(path, view):
            keys = {mark.key for mark in self._marks[path].get(SYNTAX, ())}
            names = self._marks[path].get(NAMES, ())
            self._marks[path][NAMES] = tuple(mark for mark in names if mark.key not in keys)
            self._marks[path][SYNTAX] = marks(found)
            self._publish_marks(path)

    async def _check_examples(self, document: Document) -> None:
        path = document.path
        results, view = await self._session.submit(Urgency.EXAMPLES, partial(_examples, path))
        if self._is_shown(path, view):
            found = (finding for each in results for finding in each.findings)
            self._marks[path][EXAMPLES] = marks(found)
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

    def _take(self, kind: int, path: Path, found: Found, view: View) -> list[Path]:
        """Tell of each file what was found, and withdraw what was told of those not among them.

        Of these the ones that are open.
        """
        gone = self._reach[kind, path] - {*found}
        self._reach[kind, path] = {each for each in found if found[each]}
        shown = [each for each in {*found, *gone, path} if self._is_shown(each, view)]
        for each in shown:
            self._marks[each][kind] = marks(found.get(each, ()))
            self._publish_marks(each)
        return [each for each in shown if each in self._session.documents]

    def _is_shown(self, path: Path, view: View) -> bool:
        """Whether a text is still as it was when something was found in it."""
        return self._session.documents.at(path) is view.texts.get(path)

    def _publish_marks(self, path: Path) -> None:
        found = {mark.key: mark for kind in self._marks[path].values() for mark in kind}
        shown = sorted(found.values(), key=lambda mark: mark.key)
        document = self._session.documents.at(path)
        if document is not None or shown != self._published.get(path, []):
            self._published[path] = shown
            self._publish(path, document, shown)

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else; a fault in it is logged and ends nothing."""
        task = asyncio.get_running_loop().create_task(_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _syntax(path: Path, view: View) -> tuple[Diagnostic, ...]:
    return view.workspace.syntax(path)


def _examples(path: Path, view: View) -> tuple[ExampleResult, ...]:
    return view.workspace.examples(path)


def _names(path: Path, view: View) -> Found:
    """What is wrong with the box of a file; with a file alone only while it is open."""
    if path not in view.texts and view.workspace.group(path).home is None:
        return {}
    return _steady(lambda: view.workspace.findings(path))


def _lints(path: Path, is_stale: Callable[[], bool], view: View) -> Found:
    return _steady(lambda: view.workspace.lints(path, is_stale))


def _steady(look: Callable[[], Found]) -> Found:
    """What is found; looked for again if a folder is deleted meanwhile."""
    for _ in range(_TRIES):
        try:
            return look()
        except FileNotFoundError:
            continue
    return {}


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        _LOG.exception("a check failed")
