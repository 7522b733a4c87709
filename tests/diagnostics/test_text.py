"""Places in a text, compared with counting by hand."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.text import Source, Span, unseen, visible

TEXTS = st.text(st.sampled_from("ab \t\n\r界\u0301\u202e"), max_size=60)


def counted(text: str, offset: int) -> tuple[int, int]:
    """A slow twin of `position`: walk there."""
    line = column = 1
    for character in text[:offset]:
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    return line, column


@given(TEXTS)
def test_position_counts_lines_and_characters(text: str) -> None:
    source = Source("x", text)
    for offset in range(len(text) + 1):
        assert source.position(offset) == counted(text, offset)


@given(TEXTS)
def test_offset_is_the_way_back(text: str) -> None:
    source = Source("x", text.replace("\r", ""))
    for offset in range(len(source.text) + 1):
        assert source.offset(*source.position(offset)) == offset


@given(TEXTS)
def test_line_texts_are_the_lines(text: str) -> None:
    source = Source("x", text.replace("\r\n", "\n"))
    lines = [source.line_text(number) for number in range(1, source.line_count + 1)]
    endings = source.text.split("\n")
    expected = [line.removesuffix("\r") for line in endings[:-1]] + endings[-1:]
    assert lines == expected


@given(TEXTS, st.integers(-5, 70), st.integers(-5, 70))
def test_spans_stay_inside(text: str, start: int, end: int) -> None:
    span = Source("x", text).span(start, end)
    assert 0 <= span.start <= span.end <= len(text)
    assert len(span.text) == span.end - span.start
    assert (span.line, span.column) <= (span.end_line, span.end_column)


def test_places_outside_are_moved_to_the_nearest_inside() -> None:
    source = Source("x", "ab\ncd")
    assert source.position(-1) == (1, 1)
    assert source.position(99) == (2, 3)
    assert [source.offset(0, 0), source.offset(1, 99), source.offset(9, 9)] == [0, 2, 5]
    assert source.line_text(0) == source.line_text(3) == ""


def test_spans_say_what_and_where() -> None:
    source = Source("x", "one two\nthree")
    span = source.at(1, 5, 3)
    assert (span.text, span.line, span.column) == ("two", 1, 5)
    assert (span.end_line, span.end_column) == (1, 8)
    assert source.whole().text == source.text
    assert (source.whole().end_line, source.whole().end_column) == (2, 6)


def test_a_span_without_a_text_has_a_name_and_the_first_place() -> None:
    span = Span.none("lost.kb")
    assert (span.source.name, span.text, span.line, span.column) == ("lost.kb", "", 1, 1)


def test_sources_are_told_apart_even_with_the_same_words() -> None:
    one, other = Source("x", "a"), Source("x", "a")
    assert one != other and one.whole() != other.whole()
    assert one.whole() == one.whole()


@pytest.mark.parametrize(
    "character",
    [*"\0\x07\x1b\x7f\x85\u200b\u202e\u2066\u2028\ufeff\ud800\U000e0041\u200f\u061c\u00ad"],
)
def test_unseen_characters_are_found_where_they_are(character: str) -> None:
    assert list(unseen(f"ab{character}c")) == [2]


@pytest.mark.parametrize("text", ["a\tb\r\n", "é界ß", "\U0001f469\u200d\U0001f33e", "e\u0301"])
def test_honest_text_is_left_alone(text: str) -> None:
    assert list(unseen(text)) == []


@given(st.text(st.characters(), max_size=40))
def test_visible_text_has_nothing_that_acts(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(each)[0] != "C" for each in shown)
    assert "\u2028" not in shown and "\u2029" not in shown


@given(st.characters())
def test_a_character_that_a_file_may_not_hold_is_never_printed(character: str) -> None:
    if list(unseen(character)):
        assert character not in visible(character)


def test_escapes_are_those_a_programmer_knows() -> None:
    assert visible("a\x1b[31m\u202e\ud800é") == r"a\x1b[31m\u202e\ud800é"
