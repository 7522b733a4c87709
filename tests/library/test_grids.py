"""Grids beside the table: in data files, in layouts, on boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog, GridKind
from kbrules.library.boards.tables import (
    BoardParts,
    Layout,
    lay_section,
    lay_table,
    layout_of,
    read_layout,
    why_incomplete,
    why_not_laid,
)
from kbrules.library.union import merge
from tests.library.written import box, facts

BOX = """\
table: {{rows: 1, columns: 2}}
section: {{rows: 2, columns: 2}}
terrains: {{heath: {{letter: H, tags: [dry]}}, lake: {{letter: L}}}}
places: {{yard: {{letter: Y}}}}
tiles: {{well: {{kind: yard, place: yard, each: 2}}}}
grids: {{shore: {{title: the far shore, tags: [far, dry]}}{grids}}}
sections:
  north: {{rows: "H H\\n L L"}}
  south: {{rows: "L L\\n L L"}}
  cliffs: {{grid: shore, map: stand-in, places: {{"1": well}}, rows: "{cliffs}"}}
  dunes: {{grid: {dunes}, rows: "L"}}
{more}"""
CLIFFS = "- H L\\n L\\n1 - - L"


def merged(
    grids: str = "", cliffs: str = CLIFFS, dunes: str = "shore", more: str = ""
) -> tuple[Catalog, BoardParts, list[Diagnostic]]:
    return merge([box(BOX.format(grids=grids, cliffs=cliffs, dunes=dunes, more=more))])


def good() -> tuple[Catalog, BoardParts]:
    catalog, parts, found = merged()
    assert found == []
    return catalog, parts


def test_a_section_beside_the_table_has_any_shape() -> None:
    catalog, parts = good()
    assert catalog.grids == (GridKind("shore", "the far shore", ("far", "dry")),)
    assert parts.sections["cliffs"].rows == ("-HL", "L", "1--L")
    assert parts.sections["cliffs"].grid == "shore" and parts.sections["north"].grid == ""


def test_it_lies_beside_the_table_in_no_sector() -> None:
    catalog, parts = good()
    board = lay_table(catalog, parts, read_layout("north turned south; shore: cliffs"))
    alone = lay_table(catalog, parts, read_layout("north turned south"))
    assert board.sectors == alone.sectors and sum(alone.sectors) == alone.grid.full
    assert board.grid.full & alone.grid.full == alone.grid.full
    assert board.names(board.grid.full & ~alone.grid.full) == [
        "shore:b1", "shore:c1", "shore:a2", "shore:a3", "shore:d3",
    ]  # fmt: skip
    assert {board.grid.name(hex) for hex in board.tiles} == {"shore:a3"}
    assert board.stand_ins == ("cliffs",) and alone.stand_ins == ()


def test_tags_of_a_grid_are_sets_of_its_hexes() -> None:
    catalog, parts = good()
    board = lay_table(catalog, parts, read_layout("north south; shore: dunes"))
    assert board.names(board.tagged["far"]) == ["shore:a1"]
    assert board.names(board.tagged["dry"]) == ["a1", "b1", "shore:a1"]


def test_no_step_leads_there() -> None:
    catalog, parts = good()
    grid = lay_table(catalog, parts, read_layout("north south; shore: cliffs")).grid
    table, shore = grid.part(), grid.part("shore")
    for reached in (
        grid.neighbours(table), grid.within(table, 9), grid.straight(table, 2),
        grid.slide(table, grid.full), grid.next_free(table, grid.full), grid.edge(),
        grid.reach(table, 9, grid.full), grid.ends(table, 2),
    ):  # fmt: skip
        assert reached & shore == 0
    assert len(grid.rows()) == 2 + 3 and len(grid.groups(grid.full)) > 1


ids = st.from_regex("[a-z][a-z0-9_]{0,5}", fullmatch=True).filter(lambda id: id != "turned")


@given(st.dictionaries(ids, ids, max_size=3), st.lists(ids, min_size=1, max_size=3))
def test_a_layout_with_grids_reads_back(grids: dict[str, str], row: list[str]) -> None:
    layout = layout_of([row], grids)
    assert read_layout(str(layout)) == layout
    assert layout.sections == (*row, *(grids[id] for id in sorted(grids)))


@pytest.mark.parametrize(
    "text", ["north;", "north; shore", "north; shore: a b", "north; : a", "; shore: a",
             "north; shore: a; shore: b", "north; shore: turned a"]
)  # fmt: skip
def test_other_texts_are_no_layout(text: str) -> None:
    with pytest.raises(ValueError, match="section"):
        read_layout(text)


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ("north cliffs", "the section `cliffs` lies on the grid `shore`, not on the table"),
        ("north south; shore: north", "the section `north` lies on the table, not on the grid"),
        ("north south; shore: clifs", "there is no section `clifs`, is it `cliffs`?"),
        ("north south; moon: cliffs", "lies on the grid `shore`, not on the grid `moon`"),
    ],
)
def test_a_section_that_does_not_belong_there_is_not_laid(layout: str, problem: str) -> None:
    catalog, parts = good()
    assert problem in why_not_laid(parts, read_layout(layout))
    with pytest.raises(ValueError, match="section"):
        lay_table(catalog, parts, read_layout(layout))


def test_a_table_of_a_game_has_a_section_on_each_grid() -> None:
    _, parts = good()
    assert why_incomplete(parts, read_layout("north south")) == (
        "no section lies on the grid `shore`"
    )
    assert why_incomplete(parts, Layout((), (("shore", "dunes"),))) == ""


def test_one_section_alone_is_laid_as_on_a_table() -> None:
    catalog, parts = good()
    board = lay_section(catalog, parts.sections["cliffs"], False)
    assert board.names(board.grid.full) == ["b1", "c1", "a2", "a3", "d3"]
    with pytest.raises(ValueError, match="not turned"):
        lay_section(catalog, parts.sections["cliffs"], True)


@pytest.mark.parametrize(
    ("changed", "findings"),
    [
        ({"dunes": "shor"}, [("KB413", "shor")]),
        ({"grids": ", bay: {}"}, [("KB414", "bay")]),
        ({"cliffs": "H " * 31}, [("KB407", ("H " * 31).strip())]),
        ({"cliffs": "- -"}, [("KB407", "- -")]),
        ({"cliffs": "H Q"}, [("KB408", "Q"), ("KB403", '"1"')]),
        ({"more": "setups: {one: {grids: {shore: north}}}"}, [("KB403", "north")]),
        ({"more": "setups: {one: {sections: [[north, cliffs]]}}"}, [("KB403", "cliffs")]),
        ({"more": "setups: {one: {grids: {shor: cliffs}}}"}, [("KB413", "shor")]),
        ({"more": "setups: {one: {grids: {shore: clifs}}}"}, [("KB413", "clifs")]),
        ({"more": "setups: {one: {grids: {shore: cliffs}}}"}, []),
    ],
)
def test_what_is_wrong_is_marked(changed: dict[str, str], findings: list[tuple[str, str]]) -> None:
    found = facts(merged(**changed)[2])
    for finding in findings:
        assert finding in found
    assert {code for code, _ in found} <= {code for code, _ in findings} | {"KB403"}
    assert bool(found) is bool(findings)
