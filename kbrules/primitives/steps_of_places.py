"""The steps that change which tiles lie on the places of the board."""

from __future__ import annotations

from kbrules.game.events import Lost, Stocked
from kbrules.game.table import Table
from kbrules.primitives.registry import step


@step("withdraw tiles from {places: hexes}", example="withdraw tiles from edge")
def withdraw(table: Table, me: int, places: int) -> None:
    """Put the tiles that lie on the places of the set out of the game."""
    for index, hex in enumerate(table.board.places):
        lying = table.draft.stock[index]
        if places >> hex & 1 and lying:
            table.emit(Stocked(me, lying[0], hex, index, -len(lying)))


@step(
    "restock tiles from {places: hexes} [used_first]",
    example="restock tiles from board - adjacent(mine) used_first",
)
def restock(table: Table, me: int, places: int, used_first: bool | None) -> None:
    """Put the player's tiles that came from the places of the set back where they lay.

    With `used_first`, of equal tiles one that was used goes before one that was not.
    """
    for tile in table.draft.seats[me].tiles:
        if tile.origin >= 0 and places >> tile.origin & 1:
            index = table.board.places.index(tile.origin)
            table.emit(Lost(me, tile.kind, tile.origin, bool(used_first)))
            table.emit(Stocked(me, tile.kind, tile.origin, index, 1))
