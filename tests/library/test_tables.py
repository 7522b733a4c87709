"""Tables laid from sections, beside a slow twin that goes hex by hex."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.game.board import Catalog, HexKind, TileKind
from kbrules.hex.sets import bits
from kbrules.library.boards.sections import Section
from kbrules.library.boards.tables import (
    BoardParts,
    Layout,
    lay_table,
    layout_of,
    read_layout,
    why_not_laid,
)
from kbrules.text import Span
from tests.library.written import base_game
from tests.pace import calls

HERE = Span.none("here")
KINDS = (
    HexKind("grass", "G", "grass", tags=("green",)),
    HexKind("water", "W", "water"),
    HexKind("yard", "Y", "yard", is_place=True),
    HexKind("forest", "F", "forest", tags=("green",)),
)
TILES = (TileKind("well", "yard", "Well", "yard", 2), TileKind("mill", "yard", "Mill", "yard", 1))
CATALOG = Catalog(KINDS, tiles=TILES)
PLACES = ({"1": "well", "2": "mill"}, {"1": "mill", "2": "well"})


def parts_of(drawn: dict[str, tuple[str, ...]], stand_ins: str = "") -> BoardParts:
    sections = {
        id: Section(id, rows, PLACES[number % 2], id in stand_ins.split(), HERE)
        for number, (id, rows) in enumerate(drawn.items())
    }
    rows = next(iter(drawn.values()))
    return BoardParts(("x",), sections, {}, (2, 4), (2, 2), (len(rows), len(rows[0])), {})


@st.composite
def games(draw: st.DrawFn) -> tuple[BoardParts, Layout]:
    """Up to four sections with a hole here and there, laid in up to three rows of three."""
    height, width = draw(st.sampled_from([2, 4, 6, 1, 3])), draw(st.integers(1, 5))
    row = st.text("GGWWFFY12-", min_size=width, max_size=width)
    section = st.lists(row, min_size=height, max_size=height).map(tuple)
    solid = section.filter(lambda rows: set("".join(rows)) != {"-"})
    drawn = dict(zip("abcd", draw(st.lists(solid, min_size=1, max_size=4)), strict=False))
    down, across = draw(st.integers(1, 3)) if height % 2 == 0 else 1, draw(st.integers(1, 3))
    turned = st.booleans() if height % 2 == 0 else st.just(False)
    place = st.tuples(st.sampled_from(sorted(drawn)), turned)
    rows = st.lists(st.lists(place, min_size=across, max_size=across).map(tuple),
                    min_size=down, max_size=down)  # fmt: skip
    return parts_of(drawn), Layout(tuple(draw(rows)))


def slowly(parts: BoardParts, layout: Layout) -> list[dict[tuple[int, int], tuple[str, str]]]:
    """Per section in reading order: (row, column) -> kind and tile, one hex at a time."""
    height, width = parts.section_size
    found = []
    for i, line in enumerate(layout.rows):
        for j, (id, turned) in enumerate(line):
            section = parts.sections[id]
            hexes = {}
            for r in range(height):
                for c in range(width):
                    sign = section.rows[height - 1 - r if turned else r][
                        width - 1 - c if turned else c
                    ]
                    tile = section.places.get(sign, "")
                    if sign != "-":
                        hexes[i * height + r, j * width + c] = ("Y" if tile else sign, tile)
            found.append(hexes)
    return found


@given(games())
def test_a_table_is_what_lies_on_it(game: tuple[BoardParts, Layout]) -> None:
    parts, layout = game
    sectors = slowly(parts, layout)
    wanted = {spot: what for sector in sectors for spot, what in sector.items()}
    board = lay_table(CATALOG, parts, layout)
    grid = board.grid
    assert {grid.address(hex)[1:] for hex in bits(grid.full)} == wanted.keys()
    for (row, column), (letter, tile) in wanted.items():
        hex = grid.index_at(row, column)
        assert CATALOG.hexes[board.kind_at(hex)].letter == letter
        assert (TILES[board.tiles[hex]].id if hex in board.tiles else "") == tile
    assert sum(mask.bit_count() for mask in board.kinds) == len(wanted)
    assert [{grid.address(hex)[1:] for hex in bits(mask)} for mask in board.sectors] == [
        sector.keys() for sector in sectors
    ]
    assert board.tagged == {"green": board.kinds[0] | board.kinds[3]}


@given(games())
def test_turning_everything_turns_the_board(game: tuple[BoardParts, Layout]) -> None:
    """Half a turn of the table keeps what touches what."""
    parts, layout = game
    around = Layout(
        tuple(tuple((id, not turned) for id, turned in row[::-1]) for row in layout.rows[::-1])
    )
    if parts.section_size[0] % 2:
        with pytest.raises(ValueError, match="odd number of rows"):
            lay_table(CATALOG, parts, around)
        return
    one, other = lay_table(CATALOG, parts, layout), lay_table(CATALOG, parts, around)
    height = len(layout.rows) * parts.section_size[0]
    width = len(layout.rows[0]) * parts.section_size[1]

    def partner(hex: int) -> int:
        _, row, column = one.grid.address(hex)
        return other.grid.index_at(height - 1 - row, width - 1 - column)

    for hex in bits(one.grid.full):
        touched = {partner(each) for each in bits(one.grid.neighbours(1 << hex))}
        assert touched == set(bits(other.grid.neighbours(1 << partner(hex))))
        assert one.kind_at(hex) == other.kind_at(partner(hex))
        assert one.tiles.get(hex) == other.tiles.get(partner(hex))


ids = st.from_regex("[a-z][a-z0-9_]{0,5}", fullmatch=True).filter(lambda id: id != "turned")
layouts = st.lists(
    st.lists(st.tuples(ids, st.booleans()), min_size=1, max_size=4).map(tuple),
    min_size=1,
    max_size=4,
).map(lambda rows: Layout(tuple(rows)))


@given(layouts)
def test_a_layout_reads_back(layout: Layout) -> None:
    assert read_layout(str(layout)) == layout
    words = [[f"{id} turned" if turned else id for id, turned in row] for row in layout.rows]
    assert layout_of(words) == layout


def test_a_layout_as_it_looks() -> None:
    layout = read_layout("  tavern  paddock turned / oasis farm ")
    assert str(layout) == "tavern paddock turned/oasis farm"


@pytest.mark.parametrize(
    "text", ["", "a/", "/a", "a//b", "turned", "a/turned b", "a turned turned"]
)
def test_other_texts_are_no_layout(text: str) -> None:
    with pytest.raises(ValueError, match="section"):
        read_layout(text)


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ("north/north north", "the rows of a table have equally many sections"),
        ("nort", "there is no section `nort`, is it `north`?"),
        ("somewhere", "there is no section `somewhere`"),
    ],
)
def test_a_layout_that_cannot_be_laid_says_why(layout: str, problem: str) -> None:
    parts = parts_of({"north": ("GG", "WW")})
    assert why_not_laid(parts, read_layout(layout)) == problem
    with pytest.raises(ValueError, match=problem.replace("?", r"\?")):
        lay_table(CATALOG, parts, read_layout(layout))


def test_stand_ins_are_named_once() -> None:
    parts = parts_of(dict.fromkeys("abc", ("GG", "WW")), stand_ins="a c")
    board = lay_table(CATALOG, parts, read_layout("c b a/a turned b c"))
    assert board.stand_ins == ("c", "a")


def test_boards_of_one_shape_share_their_grid_and_nothing_else() -> None:
    catalog, parts = base_game()
    one = lay_table(catalog, parts, read_layout("tavern paddock/oasis farm"))
    other = lay_table(catalog, parts, read_layout("oracle turned harbor/barn tower"))
    assert one.grid is other.grid and one.grid.size == 400
    assert one.kinds != other.kinds and one.sectors == other.sectors


def test_the_table_of_the_first_game() -> None:
    """Names read off the printed sections by eye."""
    catalog, parts = base_game()
    layout = parts.setups["first-game"].layout
    assert layout is not None
    board = lay_table(catalog, parts, layout)
    assert board.names(board.kinds[catalog.hex_index("castle")]) == ["d4", "p8", "l12", "b18"]
    lying = {board.grid.name(hex): catalog.tiles[tile].id for hex, tile in board.tiles.items()}
    assert lying == {
        "c7": "tavern", "h7": "tavern", "s3": "paddock", "l7": "paddock",
        "h13": "oasis", "f18": "oasis", "r12": "farm", "m16": "farm",
    }  # fmt: skip
    assert [sector.bit_count() for sector in board.sectors] == [100] * 4


def test_laying_a_table_is_little_work() -> None:
    catalog, parts = base_game()
    ids = list(parts.sections)
    fours = (ids[i:] + ids[:i] for i in range(4))
    texts = [f"{a} {b} turned/{c} turned {d}" for a, b, c, d in zip(*fours, strict=True)]
    layouts = [read_layout(text) for text in texts]
    hexes = 400 * len(layouts)
    assert calls(lambda: [lay_table(catalog, parts, each) for each in layouts]) < 20 * hexes
