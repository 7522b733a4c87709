"""Boards laid by the library and by hand are the same."""

from __future__ import annotations

from hypothesis import given, settings

from kbrules.engine.setup import choose_table
from kbrules.library.boards.tables import Layout
from tests.oracle.geometry import SIZE
from tests.oracle.ground import SPECIAL, lay
from tests.oracle.positions import layouts, table
from tests.oracle.seen import addresses, cells, rules


@settings(max_examples=25)
@given(layouts())
def test_laid_by_hand(layout: Layout) -> None:
    game, _ = table(layout, 2)
    ground, grid, catalog = lay(layout.rows), game.board.grid, game.ruleset.catalog
    by_bit, by_cell = addresses(grid)
    assert len(by_cell) == grid.size == SIZE * SIZE
    for kind, mask in zip(catalog.hexes, game.board.kinds, strict=True):
        assert cells(grid, mask) == set(ground.of(kind.id))
    laid = {by_bit[hex]: catalog.tiles[tile].id for hex, tile in game.board.tiles.items()}
    assert laid == ground.tile
    for number, mask in enumerate(game.board.sectors):
        assert cells(grid, mask) == {cell for cell, s in ground.sector.items() if s == number}
    assert cells(grid, game.board.tagged["special"]) == set(ground.of(*SPECIAL))


def test_the_first_game_lies_as_printed() -> None:
    layout = choose_table(rules(), 2, 0, "first-game").layout
    ground = lay(layout.rows)
    corners = [(0, 0), (0, SIZE - 1), (SIZE - 1, 0), (SIZE - 1, SIZE - 1)]
    assert [ground.kind[cell] for cell in corners] == ["flower", "desert", "water", "water"]
    assert sorted(ground.tile.values()) == sorted(["tavern", "paddock", "oasis", "farm"] * 2)
