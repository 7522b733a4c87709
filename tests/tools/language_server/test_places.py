"""Places in texts against slow twins, marks that move, and a thread that does the urgent first."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, strategies as st
from lsprotocol import types

from kbrules.tools.language_server.documents import (
    Documents,
    EditedRange,
    LineTable,
    OpenDocument,
    path_of,
    uri_of,
)
from kbrules.tools.language_server.session import SessionView, Urgency, Worker
from kbrules.tools.language_service.answers import Finding, Place
from kbrules.tools.language_service.service import Service
from kbrules.tools.language_service.workspace import Workspace

TEXTS = st.text(st.sampled_from("ab é😀\n\r\u2028\t"), max_size=40)
ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def units(text: str, encoding: str) -> int:
    return len(text.encode(ENCODINGS[encoding])) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]


@given(TEXTS, st.sampled_from([*ENCODINGS]))
def test_each_place_is_counted_as_a_slow_reader_does(text: str, encoding: str) -> None:
    table = LineTable(text, encoding)
    for offset in range(len(text) + 1):
        if text[max(offset - 1, 0) : offset + 1] == "\r\n":
            continue
        lines = re.split("\r\n|\r|\n", text[:offset])
        place = table.position(offset)
        assert place == types.Position(len(lines) - 1, units(lines[-1], encoding))
        assert table.offset(place) == offset


@given(TEXTS, st.integers(0, 9), st.integers(0, 60), st.sampled_from([*ENCODINGS]))
def test_places_that_there_are_not_are_moved_inside(
    text: str, line: int, column: int, encoding: str
) -> None:
    assert 0 <= LineTable(text, encoding).offset(types.Position(line, column)) <= len(text)


@given(TEXTS, st.data())
def test_a_change_of_a_range_is_one_of_the_whole_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "\r\n" in (text[max(start - 1, 0) : start + 1], text[max(end - 1, 0) : end + 1]):
        return
    document = OpenDocument("file:///a.kb", Path("/a.kb"), 1, text)
    table = LineTable(text)
    change = types.TextDocumentContentChangePartial(table.range(start, end), "new\n")
    assert document.changed([change], 2).text == text[:start] + "new\n" + text[end:]


LINES = st.lists(st.sampled_from(["one", "two", "three", ""]), max_size=4)


@given(LINES, LINES, LINES, LINES)
def test_a_mark_that_was_not_touched_stays_with_its_letters(
    above: list[str], old: list[str], new: list[str], below: list[str]
) -> None:
    before = "\n".join([*above, *old, "last", *below])
    after = "\n".join([*above, *new, "last", *below])
    words = [found.span() for found in re.finditer(r"\w+", before)]
    places = [Place("a.kb", *word) for word in words]
    found = [Finding(at, "KB201", "error", before[at.start : at.end]) for at in places]
    moved = EditedRange.between(before, after).moved(found)
    for mark in moved:
        assert after[mark.place.start : mark.place.end] == mark.message
    untouched = sum(map(bool, [*above, *below]))
    assert len(moved) >= untouched - 2  # the lines beside a change may count to it


@pytest.mark.parametrize("name", ["a b.kb", "é😀.kb", "100%.kb", "a#b?.kb"])
def test_an_address_and_its_path_name_one_file(name: str, tmp_path: Path) -> None:
    path = tmp_path.resolve() / name
    assert path_of(uri_of(path)) == path_of(path.as_uri()) == path


@given(st.text(max_size=30))
def test_any_address_has_a_path(uri: str) -> None:
    assert path_of(uri).is_absolute()


def test_the_urgent_is_done_first() -> None:
    worker, go, done = Worker("test"), Event(), list[str]()
    worker.do(Urgency.LINTS, go.wait)
    late = worker.do(Urgency.LINTS, lambda: done.append("lints"))
    dropped = worker.do(Urgency.NAMES, lambda: done.append("names"))
    worker.do(Urgency.ANSWER, lambda: done.append("answer"))
    assert dropped.cancel()
    go.set()
    late.result(10)
    assert done == ["answer", "lints"]
    with pytest.raises(ZeroDivisionError):
        worker.do(Urgency.ANSWER, lambda: 1 // 0).result(10)
    worker.stop()


def test_files_that_are_not_open_keep_their_line_ends(tmp_path: Path) -> None:
    path, plain = tmp_path / "some.kb", tmp_path / "plain.kb"
    path.write_bytes(b"define a: mine\r\ndefine b: mine\r\n")
    plain.write_bytes(b"define a: mine\n")
    view = SessionView(Service(Workspace([tmp_path])), {}, Documents())
    document = view.document(path)
    assert (document.line_end, view.document(plain).line_end) == ("\r\n", "\n")
    assert document.lines.offset(types.Position(1, 7)) == document.plain_text.index("b: mine")
    assert view.document(tmp_path / "none.kb").line_end == "\n"
