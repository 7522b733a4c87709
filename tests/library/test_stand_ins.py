"""A printed map takes the place of a stand-in if it says so, and of nothing else."""

from __future__ import annotations

from itertools import permutations

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.boards.sections import DrawingSource, read_section
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import Box
from kbrules.library.union import merge
from tests.library.written import box, facts

SHAPE = """\
table: {rows: 1, columns: 1}
section: {rows: 1, columns: 2}
terrains: {heath: {letter: H}, fen: {letter: F}}
sections:
"""
FIRST = box(SHAPE + "  north: {map: stand-in, rows: H H}\n  south: {rows: H H}\n")


def second(sections: str, id: str = "vale") -> Box:
    return box(f"needs: [dale]\nsections:\n  {sections}\n", id)


def merged(*boxes: Box) -> tuple[BoardParts, list[Diagnostic]]:
    """The same parts and findings in whatever order the boxes are given."""
    results = [merge(order)[1:] for order in permutations(boxes)]
    parts, found = results[0]
    for other, others in results[1:]:
        assert {id: s.rows for id, s in other.sections.items()} == {
            id: s.rows for id, s in parts.sections.items()
        }
        assert [each.code for each in others] == [each.code for each in found]
    return parts, found


def test_a_printed_map_replaces_a_stand_in() -> None:
    parts, found = merged(FIRST, second("north: {replaces: stand-in, rows: F F}"))
    assert found == []
    assert list(parts.sections) == ["north", "south"]
    assert (parts.sections["north"].rows, parts.sections["north"].stand_in) == (("FF",), False)
    assert parts.sections["north"].span.source.name == "vale.yaml"
    assert parts.spans["sections", "north"].source.name == "vale.yaml"


def test_a_better_stand_in_still_is_one() -> None:
    text = "north: {replaces: stand-in, map: stand-in, rows: F F}"
    parts, found = merged(FIRST, second(text))
    assert found == [] and parts.sections["north"].stand_in
    assert parts.sections["north"].rows == ("FF",)


@pytest.mark.parametrize(
    ("section", "code", "marked", "says"),
    [
        ("north: {rows: F F}", "KB411", "north", "add the line `replaces: stand-in`"),
        ("south: {rows: F F}", "KB411", "south", "there is a section `south` already"),
        ("south: {replaces: stand-in, rows: F F}", "KB411", "stand-in", "printed one"),
        ("norht: {replaces: stand-in, rows: F F}", "KB413", "stand-in", "did you mean `north`?"),
        ("west: {replaces: stand-in, rows: F F}", "KB413", "stand-in", "to `needs`"),
    ],
)
def test_nothing_else_is_replaced(section: str, code: str, marked: str, says: str) -> None:
    parts, (found,) = merged(FIRST, second(section))
    assert (found.code, found.span.text) == (code, marked)
    assert says in f"{found.message}\n{found.help}"
    assert parts.sections["north"].stand_in and not parts.sections["south"].stand_in
    assert {section.rows for section in parts.sections.values()} == {("HH",)}


def test_a_printed_map_is_not_said_to_be_replaceable() -> None:
    _, (found,) = merged(FIRST, second("south: {rows: F F}"))
    assert found.help == ""


def test_two_that_replace_the_same_are_a_clash() -> None:
    text = "north: {replaces: stand-in, rows: F F}"
    _, _, found = merge([FIRST, second(text), second(text.replace("F F", "F H"), "weald")])
    assert facts(found) == [("KB411", "stand-in")]
    assert found[0].labels[0].span.text == "north"


def test_what_is_wrong_with_a_replacement_is_found_there() -> None:
    _, found = merged(FIRST, second("north: {replaces: stand-in, rows: F Q}"))
    assert facts(found) == [("KB408", "Q")]


# Hexes that are still to be drawn


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("? H\n H H", "1 hex of this map is still to be drawn, in row 1"),
        ("H H\n ? ?", "2 hexes of this map are still to be drawn, in row 2"),
        ("? H\n ? ?", "3 hexes of this map are still to be drawn, in rows 1, 2"),
    ],
)
def test_blanks_are_counted_in_one_finding(rows: str, says: str) -> None:
    read, (found,) = read_section(DrawingSource.of(rows), (2, 2), {"H": "heath", "F": "fen"}, {})
    assert read is None
    assert (found.code, found.span.text, found.message) == ("KB415", "?", says)
    assert found.help.endswith("the letters are `F` fen, `H` heath")
    assert found.span.start == rows.index("?")


def test_rows_in_a_row_are_told_by_the_ends() -> None:
    _, found = read_section(DrawingSource.of("? H\n ? ?\n? H\n H H"), (4, 2), {"H": "heath"}, {})
    assert found[0].message.endswith("4 hexes of this map are still to be drawn, in rows 1 to 3")


def test_blanks_hide_nothing_else() -> None:
    _, found = read_section(DrawingSource.of("? Q H\n 7 ?\nH"), (2, 2), {"H": "heath"}, {})
    assert sorted(facts(found)) == [
        ("KB407", "? Q H"), ("KB407", "H"), ("KB407", "H"), ("KB408", "7"), ("KB408", "Q"),
        ("KB415", "?"),
    ]  # fmt: skip
