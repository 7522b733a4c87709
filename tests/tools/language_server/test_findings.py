"""Findings while texts are typed: in time, in other files, never too old."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from lsprotocol import types

from kbrules.tools.language_server import session as checking
from kbrules.tools.language_server.documents import OpenDocument
from kbrules.tools.language_server.session import EditorSession, SessionView
from kbrules.tools.language_service.answers import Finding, Place
from tests.tools.language_server.editor import Editor, Partial

BROKEN = 'card mill "Mill":\n    "It pays."\n    gold 1 * (\n'


def rules(dale: Path) -> Path:
    return dale / "rules" / "dale.kb"


def test_a_word_that_is_not_known_is_told_and_taken_back(desk: Editor, dale: Path) -> None:
    path, text = rules(dale), rules(dale).read_text()
    desk.open(path, text.replace("adjacent(mine)", "adjacent(mime)"))
    desk.until_codes(path, ["KB201"])
    (found,) = desk.found(path)
    line = next(n for n, each in enumerate(text.splitlines()) if "adjacent(mine)" in each)
    start = text.splitlines()[line].index("adjacent(mine)") + len("adjacent(")
    assert found.range.start == types.Position(line, start)
    assert found.range.end == types.Position(line, start + 4)
    assert found.severity is types.DiagnosticSeverity.Error and found.source == "kbrules"
    assert "did you mean `mine`?" in found.message
    desk.write(path, text)
    desk.until_codes(path, [])
    assert desk.published[-1].version == 2


def test_syntax_is_told_before_the_pause_is_over(desk: Editor, dale: Path) -> None:
    path = rules(dale)
    desk.open(path)
    desk.idle()
    desk.published.clear()
    version = desk.write(path, path.read_text() + "\n" + BROKEN)
    desk.until(lambda: desk.published)
    first = desk.published[0]
    assert first.version == version and [each.code for each in first.diagnostics] == ["KB102"]


def test_lints_come_in_the_background(desk: Editor, dale: Path) -> None:
    path = rules(dale)
    desk.open(path, path.read_text() + "\ndefine lonely: mine & adjacent(mine)\n")
    desk.until_codes(path, ["KB703"])
    (found,) = desk.found(path)
    assert found.severity is types.DiagnosticSeverity.Warning
    assert found.tags == (types.DiagnosticTag.Unnecessary,)


def test_a_finding_stays_with_its_line_while_others_are_typed(desk: Editor, dale: Path) -> None:
    path, text = rules(dale), rules(dale).read_text()
    desk.open(path, text + "\ndefine lonely: mine & adjacent(mine)\n")
    desk.until_codes(path, ["KB703"])
    line = desk.found(path)[0].range.start.line
    desk.published.clear()
    top = types.Range(types.Position(0, 0), types.Position(0, 0))
    version = desk.change(path, Partial(top, "# one\n# two\n"))
    desk.until(lambda: desk.published)
    first = desk.published[0]
    assert first.version == version
    assert [each.range.start.line for each in first.diagnostics] == [line + 2]


def test_another_file_is_told_that_it_broke_and_that_it_is_mended(desk: Editor, dale: Path) -> None:
    path, box = rules(dale), dale / "expansion.yaml"
    text = path.read_text()
    desk.open(path)
    desk.write(path, text[: text.index("card")])
    desk.until(lambda: desk.found(box))
    assert path.read_text() == text
    desk.write(path, text)
    desk.until(lambda: not desk.found(box) and not desk.found(path))


def test_what_fails_is_told_when_the_file_is_saved(desk: Editor, dale: Path) -> None:
    path, text = rules(dale), rules(dale).read_text()
    wrong = text.replace("gives 3", "gives 4")
    desk.open(path)
    desk.write(path, wrong)
    desk.idle()
    assert desk.codes(path) == []
    desk.save(path, wrong)
    desk.until(lambda: desk.found(path))
    assert wrong.splitlines()[desk.found(path)[0].range.start.line].strip() == "gives 4"
    desk.write(path, text)
    desk.until_codes(path, [])


def test_unsaved_texts_count_and_closing_brings_back_the_disk(desk: Editor, dale: Path) -> None:
    path, box = rules(dale), dale / "expansion.yaml"
    desk.open(path, "# nothing\n")
    desk.until(lambda: desk.found(box))
    desk.close(path)
    desk.versions.clear()
    desk.until(lambda: not desk.found(box))


def test_a_file_deleted_on_disk_is_missed_and_one_made_is_found(desk: Editor, dale: Path) -> None:
    path, box = rules(dale), dale / "expansion.yaml"
    text = path.read_text()
    desk.open(box)
    desk.idle()
    path.unlink()
    desk.disk(path, kind=types.FileChangeType.Deleted)
    desk.until(lambda: desk.found(box))
    other = path.with_name("other.kb")
    other.write_text(text.replace("adjacent(mine)", "adjacent(mime)"))
    desk.disk(other, kind=types.FileChangeType.Created)
    desk.until(lambda: not desk.found(box) and desk.codes(other) == ["KB201"])
    other.unlink()
    desk.disk(other, kind=types.FileChangeType.Deleted)
    desk.until(lambda: desk.found(box) and not desk.found(other))


def test_settings_are_watched(desk: Editor, dale: Path, workspace: Path) -> None:
    path, settings = rules(dale), workspace / "kbrules.toml"
    desk.open(path, path.read_text() + "\ndefine lonely: mine & adjacent(mine)\n")
    desk.until_codes(path, ["KB703"])
    settings.write_text('ignore = ["KB703"]\n')
    desk.disk(settings, kind=types.FileChangeType.Created)
    desk.until_codes(path, [])
    settings.unlink()
    desk.disk(settings, kind=types.FileChangeType.Deleted)
    desk.until_codes(path, ["KB703"])


def test_line_ends_of_windows_and_marks_keep_places(desk: Editor, dale: Path) -> None:
    path = rules(dale)
    text = path.read_text().replace("adjacent(mine)", "adjacent(mime)").replace("\n", "\r\n")
    desk.open(path, "\ufeff" + text)
    desk.until_codes(path, ["KB201"])
    place = desk.found(path)[0].range
    assert text.split("\r\n")[place.start.line][place.start.character :].startswith("mime")
    fixed = types.Range(place.start, place.end)
    desk.change(path, Partial(fixed, "mine"))
    desk.until_codes(path, [])


def test_a_file_in_no_folder_is_read_and_forgotten(desk: Editor, tmp_path: Path) -> None:
    path = tmp_path / "lone.kb"
    path.write_text("define lonely: mime\n")
    desk.open(path)
    desk.until(lambda: "KB201" in desk.codes(path))
    desk.close(path)
    desk.versions.clear()
    desk.until_codes(path, [])


def test_every_version_that_is_told_is_one_that_was_shown(desk: Editor, dale: Path) -> None:
    path, text = rules(dale), rules(dale).read_text()
    desk.open(path)
    for number in range(30):
        desk.write(path, text + f"\n# {number}\n" + BROKEN * (number % 2))
    desk.idle()
    versions = [each.version for each in desk.published if each.uri == path.as_uri()]
    assert versions == sorted(v for v in versions if v is not None)
    assert versions[-1] == desk.versions[path.as_uri()]
    assert "KB102" in desk.codes(path)


ITEM = types.TextDocumentItem("file:///nowhere/a.kb", "kbrules", 1, "old")
Whole = types.TextDocumentContentChangeWholeDocument


def test_a_late_answer_about_an_old_text_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, published = Event(), Event(), list[tuple[str, str]]()

    def syntax(path: Path, view: SessionView) -> tuple[Finding, ...]:
        text = view.texts[path].text
        if text == "old":
            begun.set()
            go.wait(10)
        return (Finding(Place(str(path), 0, 1), "KB101", "error", text),)

    def publish(
        path: Path, document: OpenDocument | None, found: Sequence[Finding], lines_of: object
    ) -> None:
        assert document is not None
        published.extend((document.text, mark.message) for mark in found)

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
    monkeypatch.setattr(checking, "_names", lambda path, view: checking.Found())
    monkeypatch.setattr(checking, "_lints", lambda path, is_stale, view: checking.Found())
    monkeypatch.setattr(checking, "LINTS_AFTER", 0)
    asyncio.run(type_fast())
    assert published and set(published) == {("new", "new")}


def test_what_changes_on_disk_during_a_check_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, published = Event(), Event(), list[int]()
    disk = ["old"]

    def names(path: Path, view: SessionView) -> checking.Found:
        wrong = disk == ["old"]
        if not begun.is_set():
            begun.set()
            go.wait(10)
        found = Finding(Place(str(path), 0, 1), "KB409", "error", "gone")
        return checking.Found({path: (found,) if wrong else ()})

    async def change_meanwhile() -> None:
        session = EditorSession()
        checks = checking.SessionChecker(
            session, lambda path, document, found, lines_of: published.append(len(found))
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
    monkeypatch.setattr(checking, "_lints", lambda path, is_stale, view: checking.Found())
    monkeypatch.setattr(checking, "LINTS_AFTER", 0)
    monkeypatch.setattr(checking, "NAMES_AFTER", 0.02)
    asyncio.run(change_meanwhile())
    assert published[-1] == 0 and 1 in published
