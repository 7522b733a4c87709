"""Shares: a tile drawn for a whole sector, which lies on all its places that no map gives a tile.

No two sectors get the same. A sector without such a place gets none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbrules.diagnostics import quoted
from kbrules.game.board import Board
from kbrules.game.random import Random
from kbrules.hex.masks import bits

Names = tuple[str, ...]


def open_sectors(board: Board, place: str) -> tuple[Names, ...]:
    """For each sector the names of its hexes of a kind of place that have no tile, in order."""
    all = board.kinds[board.catalog.hex_index(place)]
    return tuple(
        tuple(board.grid.name(hex) for hex in bits(all & sector) if hex not in board.tiles)
        for sector in board.sectors
    )


def draw_by_sector(board: Board, seed: int) -> dict[str, str]:
    """The tile of each open place; each kind of place has a stream, `sector tiles` and its id.

    ValueError if there are fewer tiles than sectors with such places.
    """
    drawn: dict[str, str] = {}
    for place, tiles in board.catalog.by_sector.items():
        sectors = [names for names in open_sectors(board, place) if names]
        if len(tiles) < len(sectors):
            message = f"for {len(sectors)} sectors with {quoted(place)}"
            raise ValueError(f"{message} there are only {len(tiles)} tiles to draw from")
        chosen = Random(seed, f"sector tiles {place}").sample(tiles, len(sectors))
        for names, tile in zip(sectors, chosen, strict=True):
            drawn |= dict.fromkeys(names, tile)
    return drawn


def tiles_named(board: Board, ids: Sequence[str]) -> dict[str, str]:
    """The tile of each open place, if these are the tiles of the sectors, in reading order."""
    places = {tile.id: tile.place for tile in board.catalog.tiles}
    return {
        name: id
        for sector, id in enumerate(ids)
        for name in open_sectors(board, places[id])[sector]
    }


def sector_tile_errors(board: Board, tiles: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the tiles of sectors, in words: two in one, none, or one in two."""
    for place in board.catalog.by_sector:
        seen: dict[str, str] = {}
        for names in open_sectors(board, place):
            tiles_here = {tiles.get(name, "") for name in names}
            if "" in tiles_here:
                yield f"no tile lies on {next(name for name in names if name not in tiles)}"
            elif len(tiles_here) > 1:
                yield f"{names[0]} and {names[-1]} are in one sector, but have different tiles"
            for id in tiles_here & seen.keys():
                yield f"{quoted(id)} lies on {seen[id]} and {names[0]}, in two sectors"
            seen |= dict.fromkeys(tiles_here, names[0] if names else "")
