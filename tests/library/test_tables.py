"""Tables and grids laid from drawn sections, compared with a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog, GridKind, HexKind, TileKind
from kbrules.hex.sets import bits
from kbrules.library.boards.tables import (
    BoardParts,
    DrawingSource,
    Layout,
    Section,
    lay_section,
    lay_table,
    layout_of,
    read_layout,
    read_section,
    why_incomplete,
    why_not_laid,
)
from kbrules.library.union import merge
from kbrules.text import Span
from tests.library.written import base_game, box, facts
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


def test_a_section_off_the_table_has_any_shape() -> None:
    catalog, parts = good()
    assert catalog.grids == (GridKind("shore", "the far shore", ("far", "dry")),)
    assert parts.sections["cliffs"].rows == ("-HL", "L", "1--L")
    assert parts.sections["cliffs"].grid == "shore" and parts.sections["north"].grid == ""


def test_it_is_off_the_table_in_no_sector() -> None:
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
        grid.reach(table, 9, grid.full),
    ):  # fmt: skip
        assert reached & shore == 0
    assert len(grid.rows()) == 2 + 3 and len(grid.groups(grid.full)) > 1


@given(st.dictionaries(ids, ids, max_size=3), st.lists(ids, min_size=1, max_size=3))
def test_a_layout_with_grids_reads_back(grids: dict[str, str], row: list[str]) -> None:
    layout = layout_of([row], grids)
    assert read_layout(str(layout)) == layout
    assert layout.sections == (*row, *(grids[id] for id in sorted(grids)))


@pytest.mark.parametrize(
    "text", ["north;", "north; shore", "north; shore: a b", "north; : a", "; shore: a",
             "north; shore: a; shore: b", "north; shore: turned a"]
)  # fmt: skip
def test_other_texts_are_no_layout_with_grids(text: str) -> None:
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


TILES_OF_SECTIONS = """
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
    _, _, found = merge([box(TILES_OF_SECTIONS + f"sections:\n  x: {section}\n")])
    assert facts(found) == wanted


def test_no_section_is_called_turned() -> None:
    _, _, found = merge([box(TILES_OF_SECTIONS + "sections:\n  turned: {rows: 'G G'}\n")])
    assert facts(found) == [("KB411", "turned")]


def test_a_stand_in_is_known_as_one() -> None:
    _, parts, _ = merge([box(TILES_OF_SECTIONS + "sections:\n  x: {map: stand-in, rows: 'G G'}\n")])
    assert parts.sections["x"].stand_in


def test_where_lines_are_not_known_the_whole_is_marked() -> None:
    text = 'G \\x5A"'
    written = box(f'{TILES_OF_SECTIONS}sections:\n  x: {{rows: "{text}}}\n')
    _, _, found = merge([written])
    assert facts(found) == [("KB408", f'"{text}')]
