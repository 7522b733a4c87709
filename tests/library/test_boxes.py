"""Boxes one by one: what a data file may say, and where it is told that it may not."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from kbrules.library.boxes import read_box, shipped_box, shipped_boxes
from kbrules.library.resources import data_root
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
    assert catalog.numbers == {"builds": 3, "hand": 1, "cards_in_play": 3}
    assert (parts.players, parts.table, parts.section_size) == ((2, 4), (2, 2), (10, 10))
    setup = parts.setups["first-game"]
    assert str(setup.layout) == "tavern paddock/oasis farm"
    assert setup.cards == ("fishermen", "knights", "merchants")


@pytest.mark.parametrize("id", COUNTS)
def test_a_printed_section_has_the_printed_hexes(id: str) -> None:
    _, parts = base_game()
    section = parts.sections[id]
    counted = Counter(letter for _, _, letter in section.cells)
    wanted = (entry.split(":") for entry in COUNTS[id].split())
    assert counted == {letter: int(number) for letter, number in wanted}
    assert section.places == {"1": id} and not section.stand_in


def test_every_printed_section_is_counted() -> None:
    assert base_game()[1].sections.keys() == COUNTS.keys()


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


def test_boards_and_drawings_do_without_the_models() -> None:
    rooms = "tables, positions, catalog, boxes"
    program = f"import sys; from kbrules.library import {rooms}; print(*sys.modules)"
    seen = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {name.partition(".")[0] for name in seen.stdout.split()}
    assert "kbrules" in loaded and loaded & {"pydantic", "ruamel"} == set()
