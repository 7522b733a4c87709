"""What is found late: nothing is told of a text that is not shown, and no change is missed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from lsprotocol import types

from kbrules.diagnostics import Diagnostic
from kbrules.text import Source
from kbrules.tools.language_server import session as checking
from kbrules.tools.language_server.documents import OpenDocument, PlacedFinding
from kbrules.tools.language_server.session import EditorSession, SessionView

ITEM = types.TextDocumentItem("file:///nowhere/a.kb", "kbrules", 1, "old")
Whole = types.TextDocumentContentChangeWholeDocument


def test_a_late_answer_about_an_old_text_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, published = Event(), Event(), list[tuple[str, str]]()

    def syntax(path: Path, view: SessionView) -> tuple[Diagnostic, ...]:
        text = view.texts[path].text
        if text == "old":
            begun.set()
            go.wait(10)
        return (Diagnostic("KB101", Source(str(path), text).span(0, 1), text),)

    def publish(path: Path, document: OpenDocument | None, found: Sequence[PlacedFinding]) -> None:
        assert document is not None
        published.extend((document.text, mark.finding.message) for mark in found)

    async def type_fast() -> None:
        session = EditorSession()
        checks = checking.SessionChecker(session, publish)
        old = session.documents.open(ITEM)
        session.edited(old)
        checks.edited(old, None)
        await asyncio.to_thread(begun.wait, 10)
        version = types.VersionedTextDocumentIdentifier(2, ITEM.uri)
        new = session.documents.change(types.DidChangeTextDocumentParams(version, [Whole("new")]))
        assert new is not None
        session.edited(new)
        checks.edited(new, old)
        go.set()
        await checks.until_idle()
        session.stop()

    monkeypatch.setattr(checking, "_syntax", syntax)
    monkeypatch.setattr(checking, "_names", lambda path, view: {})
    monkeypatch.setattr(checking, "_lints", lambda path, is_stale, view: {})
    monkeypatch.setattr(checking, "LINTS_AFTER", 0)
    asyncio.run(type_fast())
    assert published and set(published) == {("new", "new")}


def test_what_changes_on_disk_during_a_check_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, published = Event(), Event(), list[int]()
    disk = ["old"]

    def names(path: Path, view: SessionView) -> dict[Path, tuple[Diagnostic, ...]]:
        wrong = disk == ["old"]
        if not begun.is_set():
            begun.set()
            go.wait(10)
        place = Source(str(path), "old").span(0, 1)
        return {path: (Diagnostic("KB409", place, "gone"),) if wrong else ()}

    async def change_meanwhile() -> None:
        session = EditorSession()
        checks = checking.SessionChecker(
            session, lambda path, document, found: published.append(len(found))
        )
        document = session.documents.open(ITEM)
        session.edited(document)
        checks.edited(document, None)
        await asyncio.to_thread(begun.wait, 10)
        disk[:] = ["new"]
        session.changed_on_disk([document.path])
        checks.changed_on_disk([document.path])
        await asyncio.sleep(checking.NAMES_AFTER * 2)
        go.set()
        await checks.until_idle()
        session.stop()

    monkeypatch.setattr(checking, "_syntax", lambda path, view: ())
    monkeypatch.setattr(checking, "_names", names)
    monkeypatch.setattr(checking, "_lints", lambda path, is_stale, view: {})
    monkeypatch.setattr(checking, "LINTS_AFTER", 0)
    monkeypatch.setattr(checking, "NAMES_AFTER", 0.02)
    asyncio.run(change_meanwhile())
    assert published[-1] == 0 and 1 in published
