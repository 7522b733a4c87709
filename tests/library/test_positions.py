"""Drawn positions: what is drawn reads back, and a slip is marked at the very character."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, strategies as st

from kbrules.game.board import Board, Catalog, GridKind, HexKind, Piece, TileKind
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, Part, bits, mask_of
from kbrules.library.boards.positions import (
    MARKS,
    NOBODY,
    DrawnBoard,
    draw_framed,
    legend_of,
    parse_position,
)
from kbrules.library.boards.tables import DrawingSource, lay_table, read_layout
from kbrules.text import Source
from tests.library.written import base_game, drawn, facts

CATALOG = Catalog(
    hexes=(
        HexKind("grass", "G", "grass"),
        HexKind("water", "W", "water"),
        HexKind("castle", "K", "castle", is_place=True),
        HexKind("yard", "Y", "yard", is_place=True),
    ),
    pieces=(
        Piece("wall", "w", "wall", 9, neutral=True),
        Piece("hut", "h", "hut", 40),
        Piece("ship", "s", "ship", 1),
        Piece("rock", "r", "rock", 2, neutral=True),
    ),
    tiles=(
        TileKind("farm", "yard", "Farm", "yard", 2),
        TileKind("loose", "yard", "Loose"),
        TileKind("oasis", "yard", "Oasis", "yard", 2),
    ),
    grids=(GridKind("isle", "the isle", ("far", "wet")), GridKind("bee", "bee", ("far",))),
)
PIECES = [(NOBODY, 0), (NOBODY, 3), *((owner, piece) for owner in range(6) for piece in (1, 2))]
LEGEND = {"1": "farm", "2": "oasis"}
PARTS = ("", "isle", "bee")


@dataclass(frozen=True)
class Hex:
    """What a twin knows of one hex: letter, tile, (owner, piece) and mark."""

    letter: str
    tile: str
    piece: tuple[int, int] | None
    mark: str


hexes = st.builds(
    lambda kind, piece, mark: Hex(*kind, piece, mark),
    st.sampled_from([("G", ""), ("W", ""), ("K", ""), ("Y", ""), ("Y", "farm"), ("Y", "oasis")]),
    st.none() | st.sampled_from(PIECES),
    st.just("") | st.sampled_from(MARKS),
)


@st.composite
def twins(draw: st.DrawFn) -> dict[tuple[str, int, int], Hex]:
    """A board of one to three parts with holes, as a plain table."""
    table: dict[tuple[str, int, int], Hex] = {}
    for name in PARTS[: draw(st.integers(1, 3))]:
        spots = [(name, r, c) for r in range(draw(st.integers(1, 5))) for c in range(4)]
        chosen = draw(st.sets(st.sampled_from(spots), min_size=1))
        table.update({spot: draw(hexes) for spot in sorted(chosen)})
    return table


def position_of(table: dict[tuple[str, int, int], Hex]) -> DrawnBoard:
    names = list(dict.fromkeys(name for name, _, _ in table))
    parts = [Part(n, frozenset((r, c) for name, r, c in table if name == n)) for n in names]
    grid = Grid(tuple(parts))
    at = {grid.index_at(r, c, name): hex for (name, r, c), hex in table.items()}

    def where(**wanted: object) -> Mask:
        ((field, value),) = wanted.items()
        return mask_of(i for i, hex in at.items() if getattr(hex, field) == value)

    kinds = tuple(where(letter=kind.letter) for kind in CATALOG.hexes)
    tiles = {i: CATALOG.tile_index(hex.tile) for i, hex in at.items() if hex.tile}
    board = Board(CATALOG, grid, kinds, (grid.part(),), tiles)
    pieces = {piece: where(piece=piece) for piece in PIECES}
    marks = {mark: where(mark=mark) for mark in MARKS}
    return DrawnBoard(
        board, {p: m for p, m in pieces.items() if m}, {s: m for s, m in marks.items() if m}
    )


def shown(position: DrawnBoard) -> tuple[object, ...]:
    board = position.board
    return (
        board.grid, board.kinds, dict(board.tiles), board.sectors,
        position.pieces, position.marks,
    )  # fmt: skip


@given(twins())
def test_what_is_drawn_reads_back(table: dict[tuple[str, int, int], Hex]) -> None:
    position = position_of(table)
    legend = legend_of(position.board)
    text = drawn(position.board, position.pieces, position.marks)
    read, found = parse_position(CATALOG, text, legend=legend)
    assert found == [] and read is not None
    assert shown(read) == shown(position)
    again, _ = parse_position(CATALOG, text, legend=legend)
    assert again is not None and again.board.grid is read.board.grid


def test_a_position_as_it_looks() -> None:
    text = "\n".join([
        "| .   Ga  Wbs+",
        "|   K#  -   1",
        "| G#r Y<  G!",
        "isle:",
        "| Ka?",
    ])  # fmt: skip
    read, found = parse_position(CATALOG, text, legend=LEGEND)
    assert found == [] and read is not None
    names = read.board.names
    assert [names(mask) for mask in read.board.kinds] == [
        ["a1", "b1", "a3", "c3"], ["c1"], ["a2", "isle:a1"], ["c2", "b3"],
    ]  # fmt: skip
    assert {who: names(mask) for who, mask in read.pieces.items()} == {
        (0, 1): ["b1", "isle:a1"], (1, 2): ["c1"], (NOBODY, 0): ["a2"], (NOBODY, 3): ["a3"],
    }  # fmt: skip
    assert {mark: names(mask) for mark, mask in read.marks.items()} == {
        "+": ["c1"], "<": ["b3"], "!": ["c3"], "?": ["isle:a1"],
    }  # fmt: skip
    assert {read.board.grid.name(hex): tile for hex, tile in read.board.tiles.items()} == {"c2": 0}
    text = drawn(read.board, read.pieces, read.marks)
    assert text == "G     Ga    Wbs+\n   K#    -     1\nG#r   Y<    G!\nisle:\nKa?"
    framed = draw_framed(read.board, read.pieces, read.marks)
    assert framed.split("\n")[:2] == ["  a     b     c", "1 G     Ga    Wbs+"]


def test_words_are_no_wider_than_needed() -> None:
    text = "G W\n W G"
    read, _ = parse_position(CATALOG, text)
    assert read is not None and drawn(read.board, {}, {}) == text


@pytest.mark.parametrize(
    ("text", "code", "marked", "line", "column", "help"),
    [
        ("G G\n G Z", "KB408", "Z", 2, 4,
         "the letters are `G` grass, `K` castle, `W` water, `Y` yard"),
        ("G w", "KB408", "w", 1, 3, "did you mean `W`?"),
        ("G a", "KB408", "a", 1, 3, "a word begins with the kind of hex; write `.a`"),
        ("G 3", "KB408", "3", 1, 3, "digits that have one: `1` farm, `2` oasis"),
        ("G Gg", "KB110", "g", 1, 4,
         "players are `a` to `f`, marks `+`, `<`, `>`, `!`, `?`, `*`"),
        ("G GG", "KB110", "G", 1, 4, "put a blank between two hexes"),
        ("G Gaz", "KB110", "z", 1, 5, "the letters are `w` wall, `h` hut, `s` ship, `r` rock"),
        ("G Gah+.", "KB110", "+.", 1, 6, ""),
        ("G Gahh", "KB110", "h", 1, 6, ""),
        ("G Ga++", "KB110", "+", 1, 5, "the letters are `w` wall, `h` hut, `s` ship, `r` rock"),
        ("G Gaw", "KB110", "a", 1, 4, ""),
        ("G G#h", "KB110", "#", 1, 4, ""),
        ("G -a", "KB110", "-", 1, 3, ""),
        ("G G\nG G", "KB110", "G", 2, 1, "indent every second row by a blank"),
        (" G G\nG G", "KB110", "G", 2, 1, "indent every second row by a blank"),
        ("G G\n G G\n  G G", "KB110", "G", 3, 3, "indent every second row by a blank"),
        ("G G\n G G\n G G", "KB110", "G", 3, 2, "indent every second row by a blank"),
        ("G\nisle:\nG\nisle:\nG", "KB110", "isle:", 4, 1, ""),
        ("- -\n -", "KB110", "- -\n -", 1, 1, ""),
        ("G\nisle:", "KB110", "isle:", 2, 1, ""),
        ("\n".join(["G"] * 61), "KB110", "G", 61, 1, ""),
        (" ".join(["G"] * 61), "KB110", "G", 1, 121, ""),
    ],
)  # fmt: skip
def test_a_slip_is_marked_at_the_character(
    text: str, code: str, marked: str, line: int, column: int, help: str
) -> None:
    for lead in ("", "| "):
        lines = [lead + each for each in text.split("\n")]
        source = Source("x.kb", "\n".join(["rule x:", *lines]))
        drawn = source.span(len("rule x:\n"), len(source.text))
        position, found = parse_position(CATALOG, drawn, legend=LEGEND)
        assert position is None and len(found) == 1
        (slip,) = found
        place = slip.span.line - 1, slip.span.column - len(lead) * bool(text)
        assert (slip.code, place, slip.help) == (code, (line, column), help)
        assert slip.span.text == "\n".join(marked.split("\n")).replace("\n", "\n" + lead)


@given(twins(), st.data())
def test_any_slip_is_marked_where_it_was_made(
    table: dict[tuple[str, int, int], Hex], data: st.DataObject
) -> None:
    position = position_of(table)
    text = drawn(position.board, position.pieces, position.marks)
    starts = [i for i, sign in enumerate(text) if sign in "GWKY12"]
    at = data.draw(st.sampled_from(starts))
    text = text[:at] + "Q" + text[at + 1 :]
    read, (slip,) = parse_position(CATALOG, text, legend=legend_of(position.board))
    assert read is None and (slip.code, slip.span.start, slip.span.text) == ("KB408", at, "Q")


def test_nothing_is_no_position() -> None:
    for text in ("", " ", "|", "\n\n"):
        (slip,) = parse_position(CATALOG, text)[1]
        assert (slip.code, slip.message) == ("KB110", "the drawing has no hex")


def test_different_slips_are_told_together_and_equal_ones_once() -> None:
    _, found = parse_position(CATALOG, "Z Gx Z\n G Z Q")
    assert facts(found) == [("KB408", "Z"), ("KB110", "x"), ("KB408", "Q")]


@given(st.text(st.sampled_from("GWK.-#abhw12+<>!? |\n:isle\t"), max_size=80))
def test_any_text_is_a_position_or_has_findings(text: str) -> None:
    position, found = parse_position(CATALOG, text, legend=LEGEND)
    assert (position is None) == bool(found)
    assert all(each.span.end <= len(text) for each in found)


def test_a_catalog_without_things_is_no_accident() -> None:
    for text, marked in ((".", "."), ("G", "G"), ("1", "1")):
        assert facts(parse_position(Catalog(), text)[1]) == [("KB408", marked)]
    bare = Catalog(hexes=CATALOG.hexes)
    assert facts(parse_position(bare, ".a")[1]) == [("KB110", "a")]
    assert facts(parse_position(bare, ".#")[1]) == [("KB110", "#")]


def test_a_legend_of_no_use_gives_no_digits() -> None:
    # A tile that is not there, and one that lies on no place.
    for tile in ("nothing", "loose"):
        assert facts(parse_position(CATALOG, "1", legend={"1": tile})[1]) == [("KB408", "1")]


@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 4), st.integers(1, 4))
def test_sectors_are_blocks_in_reading_order(
    height: int, width: int, rows: int, columns: int
) -> None:
    text = "\n".join(" " * (r % 2) + "G " * width for r in range(height)) + "\nisle:\nW W"
    read, _ = parse_position(CATALOG, text, sectors=(rows, columns))
    assert read is not None
    grid = read.board.grid
    blocks = [
        mask_of(
            grid.index_at(y, x)
            for y in range(r, min(r + rows, height))
            for x in range(c, min(c + columns, width))
        )
        for r in range(0, height, rows)
        for c in range(0, width, columns)
    ]
    assert list(read.board.sectors) == blocks


def test_holes_do_not_change_the_order_of_sectors() -> None:
    read, _ = parse_position(CATALOG, "- - G G\n G G G G", sectors=(2, 2))
    assert read is not None
    assert [read.board.names(sector) for sector in read.board.sectors] == [
        ["a2", "b2"],
        ["c1", "d1", "c2", "d2"],
    ]


def test_without_sectors_the_table_is_one() -> None:
    read, _ = parse_position(CATALOG, "G G\nisle:\nG")
    assert read is not None and read.board.sectors == (read.board.grid.part(),)
    assert read.board.names(read.board.sectors[0]) == ["a1", "b1"]


def test_the_hexes_of_a_grid_are_in_the_sets_of_its_tags() -> None:
    read, _ = parse_position(CATALOG, "G G\nisle:\nG W\nbee:\nK")
    assert read is not None
    far, wet = (read.board.names(read.board.tagged[tag]) for tag in ("far", "wet"))
    assert far == ["isle:a1", "isle:b1", "bee:a1"] and wet == ["isle:a1", "isle:b1"]
    read, _ = parse_position(CATALOG, "G G")
    assert read is not None and not read.board.tagged.get("far")


@pytest.mark.parametrize(
    ("name", "help"), [("ilse", "`isle`"), ("moon", "load the box that has it")]
)
def test_a_grid_that_no_box_has_cannot_be_drawn(name: str, help: str) -> None:
    read, found = parse_position(CATALOG, f"G G\n{name}:\nG")
    assert read is None and facts(found) == [("KB413", f"{name}:")]
    assert help in found[0].help


def test_what_cannot_be_drawn_is_refused() -> None:
    read, _ = parse_position(CATALOG, "G W")
    assert read is not None
    with pytest.raises(ValueError, match="two pieces"):
        drawn(read.board, {(0, 1): 1, (1, 1): 1}, {})
    with pytest.raises(ValueError, match="two marks"):
        drawn(read.board, {}, {"+": 1, "?": 1})


def test_a_laid_table_is_drawn_and_read() -> None:
    catalog, parts = base_game()
    board = lay_table(catalog, parts, read_layout("tavern paddock turned/oasis turned farm"))
    legend = legend_of(board)
    assert sorted(legend.values()) == ["farm", "oasis", "paddock", "tavern"]
    read, found = parse_position(catalog, drawn(board, {}, {}), legend=legend, sectors=(10, 10))
    assert found == [] and read is not None
    assert (read.board.kinds, read.board.tiles) == (board.kinds, board.tiles)
    assert read.board.sectors == board.sectors and read.board.grid is board.grid


def test_lines_whose_place_is_known_roughly_are_read_all_the_same() -> None:
    source = Source("x.yaml", '"G\\n G Z"')
    whole = source.whole()
    _, found = parse_position(CATALOG, DrawingSource(("G", " G Z"), (whole, whole)))
    assert facts(found) == [("KB408", '"G\\n G Z"')]


def test_bits_of_every_reading_lie_on_the_board() -> None:
    read, _ = parse_position(CATALOG, "Ga+ -\n  Gb?")
    assert read is not None
    everything = [*read.pieces.values(), *read.marks.values(), *read.board.kinds]
    assert {hex for mask in everything for hex in bits(mask)} == set(bits(read.board.grid.full))
