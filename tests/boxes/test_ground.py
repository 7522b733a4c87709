"""Boards of all boxes, laid by the library and by hand, are the same; so are caves."""

from __future__ import annotations

import pytest

from tests.boxes import bridge
from tests.boxes.ground import capitol_grounds, cave_grounds, distances, drawn, lay, sections
from tests.boxes.strewn import strewn
from tests.oracle.geometry import ISLAND, SIZE, is_rim, neighbours
from tests.oracle.ground import SPECIAL
from tests.oracle.seen import addresses, cells

SEEDS = range(25)


@pytest.mark.parametrize("seed", SEEDS)
def test_laid_by_hand(seed: int) -> None:
    laid = strewn(seed)
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
    laid = strewn(seed)
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
def test_no_special_hex_lies_on_a_rim_or_beside_another(section: str) -> None:
    ground = lay((((section, False), (section, True)), ((section, True), (section, False))))
    special = set(ground.of(*SPECIAL))
    assert len(drawn(section)) == 100
    for cell in special:
        assert not is_rim(cell) and cell[0] % 10 not in (0, 9) and cell[1] % 10 not in (0, 9)
        assert not neighbours(cell) & special
