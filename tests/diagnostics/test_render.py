"""How findings look: the words under the mark, and nothing a terminal would obey."""

from __future__ import annotations

import json
import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from kbrules.diagnostics import (
    WIDTH,
    Diagnostic,
    Label,
    RulesError,
    cell_width,
    quoted,
    render_concise,
    render_full,
    render_github,
    render_json,
)
from kbrules.text import Source, Span
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
    for shown in (*faces, render_json([diagnostic])):
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


def test_json_gives_every_finding_with_its_two_ends() -> None:
    source = Source("é.kb", "one two\nthree\n")
    first, second = json.loads(render_json([finding(source.span(4, 10), help="h"), finding(WRONG)]))
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
    assert json.loads(render_json([])) == []


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
