"""Drawings of sections: read letter by letter, and wrong at the very letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.library.boards.sections import DrawingSource, Section, read_section
from kbrules.library.union import merge
from kbrules.text import Span
from tests.library.written import box, facts

LETTERS = {"G": "grass", "W": "water", "K": "castle"}
DIGITS = {"1": "farm", "3": "oasis"}

maps = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.text("GWK13-", min_size=width, max_size=width), min_size=1, max_size=8
    ).filter(lambda rows: set("".join(rows)) != {"-"})
)


def drawing(rows: list[str]) -> str:
    return "".join(" " * (r % 2) + " ".join(row) + "\n" for r, row in enumerate(rows))


def size(rows: list[str]) -> tuple[int, int]:
    return len(rows), len(rows[0])


@given(maps)
def test_what_is_drawn_is_read(rows: list[str]) -> None:
    read, found = read_section(DrawingSource.of(drawing(rows)), size(rows), LETTERS, DIGITS)
    assert found == [] and read == tuple(rows)
    section = Section("x", read, DIGITS, False, Span.none("x"))
    assert {(r, c): letter for r, c, letter in section.cells} == {
        (r, c): letter
        for r, row in enumerate(rows)
        for c, letter in enumerate(row)
        if letter != "-"
    }


@given(maps, st.data())
def test_a_strange_sign_is_marked_in_the_file(rows: list[str], data: st.DataObject) -> None:
    r = data.draw(st.integers(0, len(rows) - 1))
    c = data.draw(st.integers(0, len(rows[0]) - 1))
    sign = data.draw(st.sampled_from("XYZg#270"))
    rows[r] = rows[r][:c] + sign + rows[r][c + 1 :]
    height, width = size(rows)
    lines = "".join(f"      {line}\n" for line in drawing(rows).splitlines())
    _, _, found = merge(
        [
            box(
                f"section: {{rows: {height}, columns: {width}}}\ntable: {{rows: 1, columns: 1}}\n"
                "terrains: {grass: {letter: G}, water: {letter: W}}\n"
                "places: {castle: {letter: K}}\n"
                "tiles:\n  farm: {kind: yard, place: castle}\n"
                "  oasis: {kind: yard, place: castle}\n"
                f"sections:\n  x:\n    rows: |\n{lines}    places: {{'1': farm, '3': oasis}}\n"
            )
        ]
    )
    assert ("KB408", sign) in facts(found)
    (slip,) = [each for each in found if each.code == "KB408"]
    at = slip.span.source.text.split("\n").index("    rows: |") + 2 + r
    assert (slip.span.line, slip.span.column) == (at, 7 + r % 2 + 2 * c)
    assert all(each.code == "KB408" or "is not in the drawing" in each.message for each in found)


SIZE = "draw a sign for each hex, a hole too; how many there are is said once for all boxes"


@pytest.mark.parametrize(
    ("text", "code", "marked", "message", "help"),
    [
        ("G G\n G G", "KB407", "G G\n G G", "a section has 3 rows, this one 2 rows", SIZE),
        ("", "KB407", "", "a section has 3 rows, this one 0 rows", SIZE),
        ("G G\n G G\nG G\n W W\nG G", "KB407", "W W",
         "a section has 3 rows, this one 5 rows", SIZE),
        ("G G\n G\nG G", "KB407", "G", "a row of a section has 2 hexes, row 2 has 1", SIZE),
        ("G G\n G G\nG G W", "KB407", "G G W", "a row of a section has 2 hexes, row 3 has 3", SIZE),
        ("- -\n - -\n- -", "KB407", "- -\n - -\n- -", "a section needs at least one hex", SIZE),
        ("G G\n GW\nG G", "KB408", "GW", "`GW` is more than one letter",
         "put a blank between two hexes"),
        ("G g\n G G\nG g", "KB408", "g", "`g` is not the letter of any kind of hex",
         "did you mean `G`?"),
        ("G Z\n G G\nG G", "KB408", "Z", "`Z` is not the letter of any kind of hex",
         "the letters are `G` grass, `K` castle, `W` water"),
        ("G 2\n G G\nG G", "KB408", "2", "the digit `2` has no tile here",
         "digits that have one: `1` farm, `3` oasis"),
    ],
)  # fmt: skip
def test_one_slip_is_one_finding(
    text: str, code: str, marked: str, message: str, help: str
) -> None:
    rows, (found,) = read_section(DrawingSource.of(text), (3, 2), LETTERS, DIGITS)
    assert rows is None
    assert (found.code, found.span.text) == (code, marked)
    assert (found.message, found.help) == (message, help)


def test_three_slips_are_three_findings() -> None:
    _, found = read_section(DrawingSource.of("G G\n G Z\nQ G W"), (3, 2), LETTERS, DIGITS)
    assert facts(found) == [("KB408", "Z"), ("KB407", "Q G W"), ("KB408", "Q")]


TILES = """
table: {rows: 1, columns: 1}
section: {rows: 1, columns: 2}
terrains: {grass: {letter: G}}
tiles: {farm: {kind: yard}, oasis: {kind: yard, place: yard}}
places: {yard: {letter: Y}}
"""


@pytest.mark.parametrize(
    ("section", "wanted"),
    [
        ("{rows: 'G 1', places: {'1': oasis}}", []),
        ("{rows: 'G G', places: {}}", []),
        ("{rows: 'G Y'}", []),
        ("{rows: 'G 1', places: {'1': oases}}", [("KB413", "oases")]),
        ("{rows: 'G 1', places: {'1': farm}}", [("KB403", "farm")]),
        ("{rows: 'G G', places: {'1': oasis}}", [("KB403", "'1'")]),
        ("{rows: 'G 1'}", [("KB408", "1")]),
    ],
)
def test_digits_and_tiles_belong_together(section: str, wanted: list[tuple[str, str]]) -> None:
    _, _, found = merge([box(TILES + f"sections:\n  x: {section}\n")])
    assert facts(found) == wanted


def test_no_section_is_called_turned() -> None:
    _, _, found = merge([box(TILES + "sections:\n  turned: {rows: 'G G'}\n")])
    assert facts(found) == [("KB411", "turned")]


def test_a_stand_in_is_known_as_one() -> None:
    _, parts, _ = merge([box(TILES + "sections:\n  x: {map: stand-in, rows: 'G G'}\n")])
    assert parts.sections["x"].stand_in


def test_where_lines_are_not_known_the_whole_is_marked() -> None:
    text = 'G \\x5A"'
    written = box(f'{TILES}sections:\n  x: {{rows: "{text}}}\n')
    _, _, found = merge([written])
    assert facts(found) == [("KB408", f'"{text}')]
