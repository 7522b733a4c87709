"""Boxes one by one: what a data file may say, and what it says in place of another box."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import lru_cache
from itertools import permutations
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.game.board import Catalog
from kbrules.library.boards.tables import (
    BoardParts,
    DrawingSource,
    Layout,
    lay_table,
    pools,
    read_section,
)
from kbrules.library.box import Box, read_box, shipped_box, shipped_boxes, usual_boxes
from kbrules.library.load import load
from kbrules.library.reading import data_root
from kbrules.library.union import merge, options_of
from tests.library.written import base, base_game, box, facts

LARGEST = 64 * 1024  # bytes of a shipped file; larger ones load slowly

# How many hexes of each letter a printed section has; digits are hexes with tiles.
COUNTS = {
    "oracle": "G:16 C:14 D:15 F:15 T:15 W:17 M:5 K:2 1:1",
    "farm": "G:14 C:14 D:12 F:14 T:15 W:26 M:2 K:1 1:2",
    "oasis": "G:14 C:12 D:11 F:14 T:12 W:34 K:1 1:2",
    "tower": "G:15 C:15 D:16 F:15 T:13 W:13 M:10 K:1 1:2",
    "tavern": "G:17 C:15 D:15 F:15 T:16 W:10 M:9 K:1 1:2",
    "barn": "G:16 C:17 D:18 F:13 T:15 W:5 M:13 K:1 1:2",
    "harbor": "G:16 C:14 D:14 F:13 T:14 W:21 M:5 K:2 1:1",
    "paddock": "G:16 C:14 D:15 F:14 T:15 W:10 M:13 K:1 1:2",
}
OTHERS = {
    "quarry": "G:13 C:15 D:14 F:16 T:14 W:18 M:6 N:3 1:1",
    "caravan": "G:16 C:15 D:13 F:16 T:15 W:19 M:3 N:1 1:2",
    "village": "G:16 C:16 D:16 F:16 T:16 W:11 M:6 N:1 1:2",
    "garden": "G:16 C:16 D:14 F:16 T:15 W:10 M:10 N:1 1:2",
    "lighthouse_foresters_lodge": "G:14 C:14 D:13 F:14 T:13 W:25 M:4 K:1 1:1 2:1",
    "barracks_crossroads": "G:20 C:16 D:18 F:18 T:13 W:8 M:4 K:1 1:1 2:1",
    "city_hall_fort": "G:18 C:13 D:16 F:16 T:15 W:4 M:15 K:1 1:1 2:1",
    "monastery_wagon": "G:14 C:15 D:14 F:14 T:14 W:13 M:13 K:1 1:1 2:1",
}
# Mountains more than two hexes from every special hex, as rulebook.md 1.12 counts them.
CAVES = {
    "oracle": 2, "harbor": 1, "oasis": 0, "paddock": 13, "barn": 8, "tower": 9, "farm": 2,
    "tavern": 9, "quarry": 3, "village": 4, "garden": 5, "caravan": 1,
    "lighthouse_foresters_lodge": 3, "city_hall_fort": 6, "monastery_wagon": 6,
    "barracks_crossroads": 1,
}  # fmt: skip
FIVE = ("base", "nomads", "crossroads", "capitol", "caves")
DONATIONS = ["grass", "canyon", "desert", "flower", "forest", "water", "mountain"]


def test_the_base_box_holds_what_the_box_holds() -> None:
    catalog, parts = base_game()
    assert "".join(kind.letter for kind in catalog.hexes) == "GCDFTWMKX"
    assert [kind.id for kind in catalog.hexes if "buildable" in kind.tags] == [
        "grass", "canyon", "desert", "flower", "forest",
    ]  # fmt: skip
    assert [kind.id for kind in catalog.hexes if kind.is_place] == ["castle", "location"]
    assert [(piece.letter, piece.supply) for piece in catalog.pieces] == [("s", 40)]
    assert [tile.id for tile in catalog.tiles] == list(COUNTS)
    assert {(tile.kind, tile.place, tile.each) for tile in catalog.tiles} == {
        ("location", "location", 2)
    }
    assert [(catalog.card_name(i), card.count) for i, card in enumerate(catalog.deck)] == [
        ("grass", 5), ("canyon", 5), ("desert", 5), ("flower", 5), ("forest", 5),
    ]  # fmt: skip
    assert len(set(catalog.cards)) == 10
    numbers = {
        "builds": 3,
        "extra_builds": 0,
        "end_waits": 0,
        "roaming": 0,
        "hand": 1,
        "cards_in_play": 3,
    }
    assert catalog.numbers == numbers
    assert (parts.players, parts.table, parts.section_size) == ((2, 4), (2, 2), (10, 10))
    setup = parts.setups["first-game"]
    assert str(setup.layout) == "tavern paddock/oasis farm"
    assert setup.cards == ("fishermen", "knights", "merchants")


@lru_cache(maxsize=1)
def everything() -> tuple[Catalog, BoardParts]:
    """Five boxes together; whether their rules are there does not matter here."""
    catalog, parts, found = merge(list(map(shipped, FIVE)))
    assert found == []
    return catalog, parts


def shipped(id: str) -> Box:
    made, _ = read_box(shipped_box(id))
    assert made is not None
    return made


@pytest.mark.parametrize("id", [*COUNTS, *OTHERS])
def test_a_printed_section_has_the_printed_hexes(id: str) -> None:
    section = everything()[1].sections[id]
    counted = Counter(letter for _, _, letter in section.cells)
    wanted = (entry.split(":") for entry in {**COUNTS, **OTHERS}[id].split())
    assert counted == {letter: int(number) for letter, number in wanted}
    assert not section.stand_in


def test_a_section_is_named_after_its_locations_and_brings_a_task_or_none() -> None:
    for id, section in everything()[1].sections.items():
        tiles = [tile.removesuffix("_yard") for tile in section.places.values()]
        assert "_".join(tiles) == id
        assert section.tasks == (len(tiles) == 2)


def test_every_printed_section_is_counted() -> None:
    assert base_game()[1].sections.keys() == COUNTS.keys()
    assert everything()[1].sections.keys() == COUNTS.keys() | OTHERS.keys() == CAVES.keys()


@pytest.mark.parametrize("id", CAVES)
def test_special_hexes_lie_apart_and_away_from_the_rim(id: str) -> None:
    catalog, parts = everything()
    board = lay_table(catalog, parts, Layout((((id, False),),)))
    special, grid = board.tagged["special"], board.grid
    assert special.bit_count() >= 3
    assert not special & grid.edge()
    assert not special & grid.neighbours(special)
    far = board.kinds[catalog.hex_index("mountain")] & ~grid.within(special, 2)
    assert far.bit_count() == CAVES[id]


def test_what_lies_in_the_other_boxes() -> None:
    catalog, parts = everything()
    tiles = {tile.id: tile for tile in catalog.tiles}
    pool = Counter({f"donation_{terrain}": 1 for terrain in DONATIONS})
    pool.update(dict.fromkeys(("resettlement", "outpost", "sword", "treasure"), 2))
    assert pools(catalog) == {"nomad": tuple(sorted(pool.elements()))} and pool.total() == 15
    assert all(tiles[id].kind == "nomad" and tiles[id].each == 1 for id in pool)
    locations = [tile for tile in catalog.tiles if tile.kind == "location"]
    assert {(tile.place, tile.each) for tile in locations} == {("location", 2)}
    assert Counter(id for s in parts.sections.values() for id in s.places.values()).keys() == {
        tile.id for tile in locations
    }
    assert len(locations) == 8 + 4 + 8 and len(catalog.scoring) == 10 + 3
    assert catalog.tasks == (
        "home_country", "fortress", "road", "place_of_refuge", "advance", "compass_points",
    )  # fmt: skip
    assert {p.id: (p.supply, p.neutral, p.size) for p in catalog.pieces} == {
        "settlement": (40, False, 1), "wall": (25, True, 1), "warrior": (2, False, 1),
        "wagon": (1, False, 1), "ship": (1, False, 1), "hall": (1, False, 7),
    }  # fmt: skip
    assert [piece.id for piece in catalog.pieces if "movable" in piece.tags] == [
        "settlement", "warrior", "wagon", "ship",
    ]  # fmt: skip
    assert parts.players == (2, 5)
    assert catalog.numbers == base_game()[0].numbers


def test_whatever_boxes_there_are_the_first_piece_is_that_of_the_base() -> None:
    boxes = list(map(shipped, FIVE))
    orders = (boxes, boxes[::-1], boxes[2:] + boxes[:2], boxes[4:] + boxes[1:4] + boxes[:1])
    unions = [merge(order) for order in orders]
    assert all(union == unions[0] for union in unions)
    assert unions[0][0].pieces[0].id == "settlement"


@pytest.mark.parametrize("id", shipped_boxes())
def test_a_shipped_box_is_sound_and_small(id: str) -> None:
    path = shipped_box(id)
    assert path.stat().st_size < LARGEST
    assert path.read_text(encoding="utf-8").startswith(
        "# yaml-language-server: $schema=../schemas/expansion.schema.json\n"
    )
    made, found = read_box(path)
    assert found == [] and made is not None
    assert made.id == id and made.folder == data_root("expansions")


def test_only_shipped_boxes_are_found_by_id() -> None:
    assert "base" in shipped_boxes()
    for id in ("", "nothing", "../expansions/base", "base.yaml"):
        with pytest.raises(KeyError):
            shipped_box(id)


def read(folder: Path, text: str) -> list[tuple[str, str, int]]:
    """Code, marked text and line of each finding about a file."""
    path = folder / "expansion.yaml"
    path.write_text(text, encoding="utf-8")
    made, found = read_box(path)
    assert (made is None) == any(each.code != "KB404" for each in found)
    return [(each.code, each.span.text, each.span.line) for each in found]


SMALL = "format: 1\nid: dale\ntitle: The Dale\n"


def test_a_box_of_one_card_is_four_lines(tmp_path: Path) -> None:
    assert read(tmp_path, SMALL + "cards: [rowers]\n") == []


@pytest.mark.parametrize(
    ("text", "code", "marked", "line"),
    [
        ("id: dale\ntitle: Dale\n", "KB412", "id: dale", 1),
        (SMALL.replace("1", "2"), "KB403", "2", 1),
        (SMALL.replace("dale", "Dale"), "KB403", "Dale", 2),
        (SMALL.replace("dale", "d" * 41), "KB403", "d" * 41, 2),
        (SMALL + "card: [rowers]\n", "KB402", "card", 4),
        (SMALL + "cards: rowers\n", "KB403", "rowers", 4),
        (SMALL + "cards: [rowers, 7]\n", "KB403", "7", 4),
        (SMALL + "title: Vale\n", "KB404", "title", 4),
        (SMALL + "players: {most: 7}\n", "KB403", "7", 4),
        (SMALL + "table: {rows: 5, columns: 2}\n", "KB403", "5", 4),
        (SMALL + "table: {rows: 2}\n", "KB412", "table", 4),
        (SMALL + "numbers: {builds: 1000}\n", "KB403", "1000", 4),
        (SMALL + "numbers: {builds: '3'}\n", "KB403", "'3'", 4),
        (SMALL + "numbers: {builds: true}\n", "KB403", "true", 4),
        (SMALL + "terrains:\n  moor: {letter: m}\n", "KB403", "m", 5),
        (SMALL + "terrains:\n  moor: {letter: MM}\n", "KB403", "MM", 5),
        (SMALL + "terrains:\n  Moor: {letter: M}\n", "KB403", "Moor", 5),
        (SMALL + "terrains:\n  moor: {letter: M, colour: '#12'}\n", "KB403", "'#12'", 5),
        (SMALL + "terrains:\n  moor: {letter: M, tags: [a b]}\n", "KB403", "a b", 5),
        (SMALL + "pieces:\n  hut: {letter: H, supply: 4}\n", "KB403", "H", 5),
        (SMALL + "pieces:\n  hut: {letter: h}\n", "KB412", "hut", 5),
        (SMALL + "pieces:\n  hut: {letter: h, supply: 4, shape: two}\n", "KB403", "two", 5),
        (SMALL + "tiles:\n  well: {kind: yard, each: 21}\n", "KB403", "21", 5),
        (SMALL + "deck:\n  - {terrains: [], count: 5}\n", "KB403", "[]", 5),
        (SMALL + "deck:\n  - {terrains: [moor], count: -1}\n", "KB403", "-1", 5),
        (SMALL + "setups:\n  x: {sections: [[north upside]]}\n", "KB403", "north upside", 5),
        (SMALL + "sections:\n  north: {map: drawn, rows: ''}\n", "KB403", "drawn", 5),
        (SMALL + "sections:\n  north: {places: {a: well}, rows: ''}\n", "KB403", "a", 5),
    ],
)
def test_a_slip_is_marked_where_it_is(
    tmp_path: Path, text: str, code: str, marked: str, line: int
) -> None:
    assert read(tmp_path, text) == [(code, marked, line)]


def test_unreadable_files_are_findings(tmp_path: Path) -> None:
    assert read_box(tmp_path / "lost.yaml")[1][0].code == "KB001"
    assert read(tmp_path, "id: 'dale\n")[0][0] == "KB401"


def test_a_box_knows_where_things_are_written() -> None:
    made = base()
    assert made.key("tiles", "oracle").text == "oracle"
    assert made.span("cards", 1).text == "merchants"
    first = made.drawn("sections", "oracle", "rows").rows()[0][0]
    assert (first.text, first.span.text, first.span.column) == ("G", "G", 7)


def test_boards_drawings_and_texts_do_without_the_models() -> None:
    rooms = ["boards.tables", "boards.positions", "union", "box", "texts", "load"]
    loads = "; ".join(f"import kbrules.library.{room}" for room in rooms)
    program = f"import sys; {loads}; print(*sys.modules)"
    seen = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {name.partition(".")[0] for name in seen.stdout.split()}
    assert "kbrules" in loaded and loaded & {"pydantic", "ruamel"} == set()


def test_a_rule_set_shows_itself_in_one_line() -> None:
    shown = repr(load("base"))
    assert "'base'" in shown and len(shown) < 200


def test_a_box_that_is_not_there_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(RulesError, match="there is no box `bse`; did you mean `base`") as refused:
        load("bse", "nomads")
    assert [each.code for each in refused.value.diagnostics] == ["KB413"]


DALE = "numbers: {builds: 3, hand: 1}\ntable: {rows: 1, columns: 2}\n"
TWO = "instead: {numbers: {hand: 2}}\n"


def numbers(*texts: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    boxes = [box(text, f"box{i}") for i, text in enumerate(texts)]
    answers = [merge(order) for order in permutations(boxes)]
    catalog, _, found = answers[0]
    for other, _, more in answers:
        assert (other.numbers, more) == (catalog.numbers, found)
    return dict(catalog.numbers), facts(found)


def test_a_number_gives_way_to_what_is_said_instead_in_any_order() -> None:
    assert numbers(DALE) == ({"builds": 3, "hand": 1}, [])
    assert numbers(DALE, TWO) == numbers(TWO, DALE) == ({"builds": 3, "hand": 2}, [])
    assert numbers(DALE, TWO, TWO) == ({"builds": 3, "hand": 2}, [])


def test_two_that_say_different_things_instead_clash() -> None:
    three = TWO.replace("2", "3")
    assert numbers(DALE, TWO, three)[1] == [("KB411", "3")]
    assert numbers(DALE, three, "instead: {numbers: {builds: 4}}\n")[1] == []


def test_there_must_be_something_in_whose_place_it_stands() -> None:
    assert numbers(DALE, "instead: {numbers: {hans: 2}}\n")[1] == [("KB413", "hans")]


def test_a_table_gives_way_as_well() -> None:
    longer = "instead: {table: {rows: 3, columns: 2}}\n"
    for boxes in permutations([box(DALE, "a"), box(longer, "b")]):
        assert merge(boxes)[1].table == (3, 2)
    assert merge([box(longer)])[1].table == (3, 2)
    wider = longer.replace("columns: 2", "columns: 3")
    _, _, found = merge([box(DALE, "a"), box(longer, "b"), box(wider, "c")])
    assert [each.code for each in found] == ["KB411"]
    assert "what the table is instead" in found[0].message


def parts_of(*texts: str) -> tuple[BoardParts, list[Diagnostic]]:
    _, parts, found = merge([box(text, f"box{i}") for i, text in enumerate(texts)])
    return parts, found


def test_defaults_of_options() -> None:
    parts, found = parts_of("instead: {options: {shy: yes, most: 4, bold: false}}\n")
    assert found == [] and parts.defaults == {"shy": True, "most": 4, "bold": False}
    _, found = parts_of("instead: {options: {most: 1}}\n", "instead: {options: {most: yes}}\n")
    assert facts(found) == [("KB411", "yes")]
    _, misfits = options_of([], parts)
    assert facts(misfits) == [("KB413", "shy"), ("KB413", "most"), ("KB413", "bold")]


def test_a_box_sets_another_default_of_an_option() -> None:
    plain, lords = load("base"), load("base", "settled_lords")
    changed = {id for id, value in plain.options.items() if lords.options[id] != value}
    assert changed == {"lords_rank_zero"} and lords.options["lords_rank_zero"] is False
    assert list(lords.options) == list(plain.options)
    assert lords.digest != plain.digest


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ("{lords_rank_zeros: no}", ["KB413"]),
        ("{lords_rank_zero: 2}", ["KB209"]),
        ("{lords_rank_zero: no}", []),
    ],
)
def test_an_author_sets_another_default(tmp_path: Path, options: str, codes: list[str]) -> None:
    text = f"format: 1\nid: mine\ntitle: Mine\nneeds: [base]\ninstead:\n  options: {options}\n"
    (tmp_path / "expansion.yaml").write_text(text, encoding="utf-8")
    try:
        found = [] if load(folders=[tmp_path]) else ["?"]
    except RulesError as error:
        found = [each.code for each in error.diagnostics]
    assert found == codes


def test_which_boxes_are_meant_where_none_is_named() -> None:
    kinds = {}
    for id in shipped_boxes():
        model, _ = read_box(shipped_box(id))
        assert model is not None
        kinds[id] = model.model.kind
    assert usual_boxes() == [id for id, kind in kinds.items() if kind == "expansion"]
    assert set(load().boxes) == set(usual_boxes())
    assert {*kinds.values()} >= {"expansion", "variant"}


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
