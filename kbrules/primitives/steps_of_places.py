"""The steps that change which tiles lie on the places of the board."""

from __future__ import annotations

from kbrules.game.events import Lost, Stocked
from kbrules.game.move_context import MoveContext
from kbrules.primitives.registry import step


@step("withdraw tiles from {places: hexes}", example="withdraw tiles from edge")
def withdraw(context: MoveContext, me: int, places: int) -> None:
    """Put the tiles that lie on the places of the set out of the game."""
    for index, hex in enumerate(context.board.places):
        tiles = context.draft.stock[index]
        if places >> hex & 1 and tiles:
            context.emit(Stocked(me, tiles[0], hex, index, -len(tiles)))


@step(
    "restock tiles from {places: hexes} [used_first]",
    example="restock tiles from board - adjacent(mine) used_first",
)
def restock(context: MoveContext, me: int, places: int, used_first: bool | None) -> None:
    """Put the player's tiles that came from the places of the set back where they lay.

    With `used_first`, of equal tiles one that was used goes before one that was not.
    """
    for tile in context.draft.seats[me].tiles:
        if tile.origin >= 0 and places >> tile.origin & 1:
            index = context.board.places.index(tile.origin)
            context.emit(Lost(me, tile.kind, tile.origin, bool(used_first)))
            context.emit(Stocked(me, tile.kind, tile.origin, index, 1))
