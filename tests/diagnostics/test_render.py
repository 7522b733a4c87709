"""Sources, spans and rendered diagnostics."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from kbrules.diagnostics import (
    WIDTH,
    Diagnostic,
    Label,
    RulesError,
    cell_width,
    json_line,
    quoted,
    record_of,
    render_concise,
    render_full,
    render_github,
)
from kbrules.text import Source, Span, unseen, visible
from tests.pace import in_time

MESSAGE = "`adjacent` takes hexes, but `count(mine)` is a number"
GOLD = "    gold 2 per hex in adjacent(count(mine))"
RULES = Source("rules/x.kb", "\n" * 13 + GOLD + "\n    gold 1\n")
WRONG = RULES.at(14, 32, 11)


def underlined(diagnostic: Diagnostic) -> list[str]:
    """The text above each run of marks, cell for cell; a wide letter counts for two cells."""
    found = []
    line = ""
    for each in render_full(diagnostic).split("\n")[1:]:
        mark = re.fullmatch(r" +\| ( *)(\^+|-+)( .*)?", each)
        if mark is None:
            line = each.partition(" | ")[2]
        else:
            found.append(_between(line, len(mark[1]), len(mark[1] + mark[2])))
    return found


def _between(line: str, start: int, end: int) -> str:
    text, at = "", 0
    for character in line:
        if start <= at < end:
            text += character
        at += cell_width(character)
    return text


def finding(span: Span, *labels: Label, help: str = "") -> Diagnostic:
    return Diagnostic("KB203", span, MESSAGE, help, labels)


def test_full_is_place_message_excerpt_mark_and_help() -> None:
    shown = render_full(finding(WRONG, help="drop `count`, as in `adjacent(mine)`"))
    assert shown.split("\n") == [
        "rules/x.kb:14:32: error[KB203]: `adjacent` takes hexes, but `count(mine)` is a number",
        "   14 |     gold 2 per hex in adjacent(count(mine))",
        "      |                                ^^^^^^^^^^^",
        "   help: drop `count`, as in `adjacent(mine)`",
    ]


def test_labels_follow_below_and_share_the_line_they_are_on() -> None:
    labels = Label(RULES.at(14, 5, 4), "an award"), Label(RULES.at(15, 10), "another")
    shown = render_full(finding(WRONG, *labels)).split("\n")
    assert shown[2:] == [
        "      |                                ^^^^^^^^^^^",
        "      |     ---- an award",
        "   15 |     gold 1",
        "      |          - another",
    ]


def test_a_label_elsewhere_names_its_file() -> None:
    other = Source("rules/y.kb", "one\ntwo three\n")
    shown = render_full(finding(WRONG, Label(other.at(2, 5, 5), "first given here"))).split("\n")
    assert shown[3:] == [
        "   rules/y.kb:2:5",
        "    2 | two three",
        "      |     ----- first given here",
    ]


def test_a_label_without_a_text_still_speaks() -> None:
    shown = render_full(finding(WRONG, Label(Span.none("box.yaml"), "not found")))
    assert shown.endswith("\n   box.yaml:1:1: not found")


def test_a_finding_without_a_text_is_one_line() -> None:
    lost = Diagnostic("KB001", Span.none("lost.kb"), "`lost.kb` cannot be read")
    assert (
        render_full(lost)
        == render_concise(lost)
        == ("lost.kb:1:1: error[KB001]: `lost.kb` cannot be read")
    )


def test_help_of_several_lines_stays_in_its_column() -> None:
    shown = render_full(finding(WRONG, help="write\n    a\n\nor b")).split("\n")
    assert shown[3:] == ["   help: write", "             a", "", "         or b"]


def test_a_span_of_several_lines_marks_its_first() -> None:
    source = Source("x", "one two  \nthree\n")
    shown = render_full(finding(source.span(4, 14))).split("\n")
    assert shown[1:] == ["   1 | one two", "     |     ^^^"]


def test_an_empty_span_is_one_mark() -> None:
    source = Source("x", "ab\ncd")
    assert underlined(finding(source.span(1, 1))) == ["b"]
    at_end = render_full(finding(source.span(5, 5))).split("\n")
    assert at_end[1:] == ["   2 | cd", "     |   ^"]


def test_tabs_expand_in_front_of_and_inside_the_mark() -> None:
    source = Source("x", "\ta\tbc d")
    assert underlined(finding(source.at(1, 4, 2))) == ["bc"]
    assert underlined(finding(source.at(1, 2, 3))) == ["a   b"]
    assert "\t" not in render_full(finding(source.whole()))


def test_wide_and_combining_letters_keep_the_mark_in_place() -> None:
    source = Source("x", "界界 e\u0301e\u0301 wrong 界")
    assert underlined(finding(source.at(1, 9, 5))) == ["wrong"]
    assert underlined(finding(source.at(1, 15, 1))) == ["界"]
    # Counted by hand: two wide letters are four cells, an accent none.
    assert render_full(finding(source.at(1, 9, 5))).endswith("\n     | " + " " * 8 + "^^^^^")
    assert render_full(finding(source.at(1, 15, 1))).endswith("\n     | " + " " * 14 + "^^")


def test_escapes_are_marked_as_wide_as_they_are_shown() -> None:
    source = Source("x", "a\x1b[31m wrong")
    assert underlined(finding(source.at(1, 8, 5))) == ["wrong"]
    assert underlined(finding(source.at(1, 2, 1))) == [r"\x1b"]


def test_long_lines_are_cut_around_the_mark() -> None:
    source = Source("x", "before " * 90 + "WRONG" + " behind" * 90)
    for at, word in ((1, "before"), (631, "WRONG"), (len(source.text) - 5, "behind")):
        finding_there = finding(source.at(1, at, len(word)))
        assert underlined(finding_there) == [word]
        excerpt = render_full(finding_there).split("\n")[1]
        assert len(excerpt) <= WIDTH + len("   1 | ")
        assert len(excerpt) > WIDTH - 4
        assert ("| ..." in excerpt, excerpt.endswith("...")) == (at > 1, word != "behind")


def test_a_line_that_just_fits_is_whole() -> None:
    assert "..." not in render_full(finding(Source("x", "x" * WIDTH).at(1, 9)))
    assert "..." in render_full(finding(Source("x", "x" * (WIDTH + 1)).at(1, 9)))


def test_a_short_mark_on_a_long_line_stays_short() -> None:
    source = Source("x", "ab " * 500)
    assert underlined(finding(source.at(1, 601, 1))) == ["a"]
    assert underlined(finding(source.span(601, 601))) == ["b"]


def test_a_mark_longer_than_the_page_is_cut_with_its_line() -> None:
    source = Source("x", "x" * 5_000)
    shown = render_full(finding(source.whole())).split("\n")
    assert all(len(line) <= WIDTH + len("   1 | ") for line in shown[1:])
    assert set(underlined(finding(source.whole()))[0]) == {"x"}


def test_two_marks_on_one_long_line_get_an_excerpt_each() -> None:
    source = Source("x", "first" + " between" * 90 + " second")
    both = finding(source.at(1, 1, 5), Label(source.at(1, 727, 6), "here"))
    assert underlined(both) == ["first", "second"]


def test_a_huge_line_is_rendered_at_once() -> None:
    source = Source("x", "ab\t" * 400_000)
    assert in_time(2, lambda: underlined(finding(source.at(1, 600_001, 2)))) == ["ab"]


ANY = st.text(st.characters(), max_size=80) | st.text(
    st.sampled_from("a \t\n\r\x00\x1b\x9b\u202e\u200b界\u0301\ud800\u2028\U0001f600"), max_size=300
)
PLACE = st.integers(-3, 310)


@given(ANY, ANY, ANY, st.lists(st.tuples(PLACE, PLACE), min_size=1, max_size=3))
def test_any_text_and_span_renders_without_a_control_character(
    text: str, name: str, words: str, places: list[tuple[int, int]]
) -> None:
    source = Source(name, text)
    spans = [source.span(start, end) for start, end in places]
    labels = tuple(Label(span, words) for span in spans[1:])
    diagnostic = Diagnostic("KB101", spans[0], words, words, labels)
    faces = render_full(diagnostic), render_concise(diagnostic), render_github([diagnostic])
    for shown in (*faces, json_line("finding", record_of(diagnostic))):
        loud = [each for each in shown if each != "\n" and unicodedata.category(each)[0] == "C"]
        assert loud == [] and "\u2028" not in shown
    assert "\n" not in faces[1] and "\n" not in faces[2]


@given(ANY, PLACE, PLACE)
def test_marks_stand_under_shown_text(text: str, start: int, end: int) -> None:
    diagnostic = finding(Source("x", text).span(start, end))
    for line in render_full(diagnostic).split("\n")[1:]:
        assert cell_width(line) <= WIDTH + len("  1000 |  ")
    assert len(underlined(diagnostic)) == (1 if text else 0)


def test_github_commands_are_escaped() -> None:
    source = Source("a,b:c%.kb", "wrong word\n")
    diagnostic = Diagnostic("KB203", source.at(1, 1, 5), "100%\r\nsure", "do\nthis")
    assert render_github([diagnostic]) == (
        "::error file=a%2Cb%3Ac%25.kb,line=1,col=1,endColumn=6,title=KB203 wrong-sort"
        "::100%25%0D%0Asure%0Ahelp: do%0Athis"
    )


def test_github_columns_stay_on_the_first_line() -> None:
    source = Source("x", "one two\nthree four\n")
    shown = render_github([finding(source.span(4, 17))] * 2).split("\n")
    assert len(shown) == 2
    assert "line=1,col=5,endColumn=8," in shown[0]


def test_a_record_has_the_two_ends_of_a_finding() -> None:
    source = Source("é.kb", "one two\nthree\n")
    first = record_of(finding(source.span(4, 10), help="h"))
    second = record_of(finding(WRONG))
    assert first == {
        "code": "KB203",
        "slug": "wrong-sort",
        "file": "é.kb",
        "line": 1,
        "column": 5,
        "end_line": 2,
        "end_column": 3,
        "message": MESSAGE,
        "help": "h",
        "severity": "error",
        "claim": "",
        "fix": [],
    }
    assert (second["line"], second["column"], second["end_column"]) == (14, 32, 43)


def test_findings_sort_by_file_place_and_code() -> None:
    a, b = Source("a", "12345"), Source("b", "12345")
    ordered = [
        Diagnostic("KB201", a.at(1, 2), "m"),
        Diagnostic("KB202", a.at(1, 2), "m"),
        Diagnostic("KB101", a.at(1, 4), "m"),
        Diagnostic("KB101", b.at(1, 1), "m"),
    ]
    mixed = [ordered[at] for at in (2, 0, 3, 1)]
    assert sorted(mixed) == ordered


def test_the_error_holds_all_findings_in_order_and_says_them() -> None:
    later, earlier = Diagnostic("KB101", RULES.at(15, 1), "m"), finding(WRONG)
    error = RulesError([later, earlier])
    assert error.diagnostics == (earlier, later)
    assert str(error) == f"{render_concise(earlier)}\n{render_concise(later)}"


def test_quoted_words_are_cut_when_long() -> None:
    assert quoted("word") == "`word`" and quoted("x" * 40) == f"`{'x' * 40}`"
    assert len(quoted("x" * 9_999)) == 42 and quoted("x" * 9_999).endswith("...`")


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
