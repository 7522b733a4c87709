"""Boxes one by one: what a data file may say, and where it is told that it may not."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from kbrules.diagnostics import RulesError
from kbrules.game.board import Catalog
from kbrules.library.boards.sections import pools
from kbrules.library.boards.tables import BoardParts, Layout, lay_table
from kbrules.library.box import Box, read_box, shipped_box, shipped_boxes
from kbrules.library.load import load
from kbrules.library.reading import data_root
from kbrules.library.union import merge
from tests.library.written import base, base_game

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
