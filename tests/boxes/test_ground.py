"""Boards of all boxes as the twin lays them, and maps that stand in for printed ones."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kbrules.library.boards.tables import Section
from kbrules.library.load import load
from tests.boxes import bridge
from tests.boxes.ground import capitol_grounds, cave_grounds, distances, lay, sections
from tests.boxes.scattered import scattered
from tests.oracle.geometry import ISLAND, SIZE, WAYS, Cell, areas, is_rim, neighbours, step
from tests.oracle.ground import SPECIAL, drawn
from tests.oracle.seen import addresses, cells

SEEDS = range(25)


@pytest.mark.parametrize("seed", SEEDS)
def test_laid_by_hand(seed: int) -> None:
    laid = scattered(seed)
    game, ground = bridge.game_of(laid), laid.scene.ground
    grid, catalog = game.board.grid, game.ruleset.catalog
    by_bit = addresses(grid)[0]
    assert grid.size == SIZE * SIZE + len(ISLAND)
    assert cells(grid, game.board.tagged["island"]) == set(ISLAND)
    for kind, mask in zip(catalog.hexes, game.board.kinds, strict=True):
        assert cells(grid, mask) == set(ground.of(kind.id))
    tiles = {by_bit[hex]: catalog.tiles[tile].id for hex, tile in game.board.tiles.items()}
    assert tiles == ground.tile | laid.scene.nomads
    for number, mask in enumerate(game.board.sectors):
        assert cells(grid, mask) == {cell for cell, s in ground.sector.items() if s == number}
    assert cells(grid, game.board.tagged["special"]) == set(ground.of(*SPECIAL))


@pytest.mark.parametrize("seed", SEEDS)
def test_before_the_first_card_capitols_and_caves_are_chosen_if_anybody_may(seed: int) -> None:
    laid = scattered(seed)
    game = bridge.game_of(laid)
    state, scene, ground = game.start(), laid.scene, laid.scene.ground
    choices = capitol_grounds(ground) if scene.has("capitol_chosen") else []
    choices += cave_grounds(ground) if scene.has("caves_chosen") else []
    asked = []
    while not game.legal_moves(state).weights:
        moves = game.legal_moves(state)
        assert [group.verb for group in moves.groups] == ["mark"]
        asked.append(sorted(cells(game.board.grid, moves.groups[0].hexes)))
        state = game.apply(state, next(iter(moves)))
    assert sorted(asked) == sorted(choices)


# How many mountain hexes of each section are three steps or more from its special hexes.
CAVES = {
    "oracle": 2, "harbor": 1, "oasis": 0, "paddock": 13, "barn": 8, "tower": 9, "farm": 2,
    "tavern": 9, "quarry": 3, "village": 4, "garden": 5, "caravan": 1,
    "lighthouse_foresters_lodge": 3, "city_hall_fort": 6, "monastery_wagon": 6,
    "barracks_crossroads": 1,
}  # fmt: skip


def test_every_section_has_as_many_mountains_for_caves_as_people_count() -> None:
    assert set(CAVES) == set(sections())
    for section, count in CAVES.items():
        ground = lay((((section, False), (section, False)), ((section, False), (section, False))))
        inside = [cell for cell in ground.of(*SPECIAL) if ground.sector[cell] == 0]
        mountains = [cell for cell in ground.of("mountain") if ground.sector[cell] == 0]
        fit = [m for m in mountains if all(distances(m)[place] >= 3 for place in inside)]
        assert len(fit) == count, section


@pytest.mark.parametrize("section", sorted(CAVES))
def test_no_special_hex_is_on_a_rim_or_next_to_another(section: str) -> None:
    ground = lay((((section, False), (section, True)), ((section, True), (section, False))))
    special = set(ground.of(*SPECIAL))
    assert len(drawn(sections()[section])) == 100
    for cell in special:
        assert not is_rim(cell) and cell[0] % 10 not in (0, 9) and cell[1] % 10 not in (0, 9)
        assert not neighbours(cell) & special


SECTIONS = load().parts.sections
PLAIN = "GCDFT"
SPECIAL_LETTERS = "KNPO"


@dataclass(frozen=True)
class Known:
    """What is known of a printed section, and what else its stand-in keeps to."""

    places: str  # the tiles of the digits 1, 2 ...
    special: str  # every special hex, as drawn
    caves: int  # mountains at least three hexes from all of those
    sixth: str = ""  # a terrain beyond the plain ones
    most: tuple[int, int] = (0, 0)  # the least and the most hexes of it


MARSH = {"sixth": "S", "most": (10, 15)}
FARMS = {"sixth": "A", "most": (8, 12)}
KNOWN = {
    "temple": Known("temple", "11P", 1, **MARSH),
    "refuge": Known("refuge", "11P", 6, **MARSH),
    "canoe": Known("canoe", "11P", 7, **MARSH),
    "fountain": Known("fountain", "11P", 2, **MARSH),
    "bazaar_water_mill": Known("bazaar water_mill", "12O", 6, **FARMS),
    "mountain_station_scout_cabin": Known("mountain_station scout_cabin", "12KO", 2, **FARMS),
    "cathedral_watchtower": Known("cathedral watchtower", "12O", 1, **FARMS),
    "university_palisade": Known("university palisade", "12O", 3, **FARMS),
}
ISLANDS = {"island_rope_bridge": ("rope_bridge", "M"), "island_tree_house": ("tree_house", "W")}

Cells = dict[Cell, str]


def cells_of(name: str) -> Cells:
    return {(row, column): sign for row, column, sign in SECTIONS[name].cells}


def near(cell: Cell, cells: Cells) -> list[Cell]:
    return [other for other in (step(cell, way) for way in WAYS) if other in cells]


def away(cells: Cells, start: Cell, steps: int) -> set[Cell]:
    """The hexes that so many steps reach."""
    found = {start}
    for _ in range(steps):
        found |= {other for cell in found for other in near(cell, cells)}
    return found


def specials(cells: Cells) -> list[Cell]:
    return [cell for cell, sign in cells.items() if sign.isdecimal() or sign in SPECIAL_LETTERS]


def patches(cells: Cells, signs: str) -> list[int]:
    """The sizes of the connected patches of some terrains, the largest first."""
    found = areas(cell for cell, sign in cells.items() if sign in signs)
    return sorted(map(len, found), reverse=True)


def loaded(names: object) -> list[str]:
    return [name for name in names if name in SECTIONS and SECTIONS[name].stand_in]  # type: ignore[attr-defined]


def tiles_of(section: Section) -> list[str]:
    return [section.places[digit] for digit in sorted(section.places)]


def test_no_other_map_is_a_stand_in() -> None:
    invented = {section.id for section in SECTIONS.values() if section.stand_in}
    assert invented <= {*KNOWN, *ISLANDS}
    assert invented


@pytest.mark.parametrize("name", loaded(KNOWN))
def test_what_is_known_of_the_printed_map_is_so(name: str) -> None:
    known, cells = KNOWN[name], cells_of(name)
    assert len(cells) == 100
    assert tiles_of(SECTIONS[name]) == known.places.split()
    assert "".join(sorted(cells[cell] for cell in specials(cells))) == known.special
    close = {cell for each in specials(cells) for cell in away(cells, each, 2)}
    far = [cell for cell, sign in cells.items() if sign == "M" and cell not in close]
    assert len(far) == known.caves


@pytest.mark.parametrize("name", loaded(KNOWN))
def test_it_has_patches_like_the_printed_ones(name: str) -> None:
    """All sixteen known maps keep to these bounds, but for a second patch of two or of five."""
    known, cells = KNOWN[name], cells_of(name)
    assert set(cells.values()) == {*PLAIN, "W", "M", known.sixth, *known.special}
    for sign in PLAIN:
        sizes = patches(cells, sign)
        assert 11 <= sum(sizes) <= 18 and len(sizes) <= 2 and min(sizes) >= 3, (sign, sizes)
    sizes = patches(cells, known.sixth)
    assert known.most[0] <= sum(sizes) <= known.most[1] and 1 < len(sizes) < 4 and min(sizes) >= 3
    assert 4 <= sum(patches(cells, "W")) <= 18 and max(patches(cells, "W")) >= 3
    assert 2 <= sum(patches(cells, "M")) <= 13


@pytest.mark.parametrize("name", loaded({**KNOWN, **ISLANDS}))
def test_special_hexes_lie_apart_and_can_be_walked_around(name: str) -> None:
    cells = cells_of(name)
    ground = f"{PLAIN}SA"
    for cell in specials(cells):
        assert len(near(cell, cells)) == 6, "on the rim"
        assert not (away(cells, cell, 2) - {cell}) & set(specials(cells)), "too close to another"
        assert sum(cells[other] in ground for other in near(cell, cells)) >= 3
    walks = patches(cells, ground)
    assert len(walks) <= 4 and min(walks) >= 3, "cut off from the rest"


@pytest.mark.parametrize("name", loaded(ISLANDS))
def test_the_sides_of_the_island(name: str) -> None:
    (tile, missing), cells = ISLANDS[name], cells_of(name)
    assert len(SECTIONS[name].rows) == 5 and 20 <= len(cells) <= 30
    assert tiles_of(SECTIONS[name]) == [tile]
    assert "".join(sorted(cells[cell] for cell in specials(cells))) == "1K"
    assert set(PLAIN) <= set(cells.values()) and missing not in cells.values()
    assert len(areas(cells)) == 1
    for sign in PLAIN:
        assert 4 <= sum(patches(cells, sign)) <= 8 and min(patches(cells, sign)) >= 2


@pytest.mark.parametrize("name", ["tavern", "harbor", "quarry"])
def test_what_is_measured_is_so_on_printed_maps(name: str) -> None:
    cells = cells_of(name)
    close = {cell for each in specials(cells) for cell in away(cells, each, 2)}
    far = [cell for cell, sign in cells.items() if sign == "M" and cell not in close]
    assert len(far) == {"tavern": 9, "harbor": 1, "quarry": 3}[name]
    for sign in PLAIN:
        assert 12 <= sum(patches(cells, sign)) <= 17
