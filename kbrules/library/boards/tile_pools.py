"""Pools: tiles that come by chance to the places which no map gives a tile.

Every copy of a tile is in the pool of its kind of place once. Such a place is open as long as no
tile is laid there. Of other kinds of places all that are in one sector get the same tile, and no
two sectors do (`shares` has that half).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from kbrules.diagnostics import quoted, suggest
from kbrules.game.board import Board
from kbrules.game.catalog import Catalog
from kbrules.game.random import Random
from kbrules.hex.masks import bits
from kbrules.library.boards.shared_tiles import (
    draw_by_sector,
    open_sectors,
    sector_tile_errors,
)

Tiles = Mapping[str, str]
"""The id of a tile by the name of the hex it lies on."""


def has_pools(catalog: Catalog) -> bool:
    """Whether any tile comes by chance."""
    return bool(catalog.by_sector) or any(tile.copies and tile.place for tile in catalog.tiles)


def pools(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """For each kind of place that has a pool the tiles in it, each as often as it has copies.

    Both are sorted by id, so that no box changes what is drawn from the pool of another.
    """
    found: dict[str, list[str]] = {}
    for tile in sorted(catalog.tiles, key=lambda tile: tile.id):
        if tile.copies and tile.place:
            found.setdefault(tile.place, []).extend([tile.id] * tile.copies)
    return {place: tuple(found[place]) for place in sorted(found)}


def open_places(board: Board) -> dict[str, tuple[str, ...]]:
    """For each kind of place that has a pool the names of its hexes without a tile, in order."""
    found = {}
    for place in pools(board.catalog):
        hexes = bits(board.kinds[board.catalog.hex_index(place)])
        found[place] = tuple(board.grid.name(hex) for hex in hexes if hex not in board.tiles)
    return found


def draw_tiles(board: Board, seed: int) -> dict[str, str]:
    """A tile for each open place; each kind of place has a stream of the seed, `tiles` and its id.

    ValueError if a pool has fewer tiles than there are places.
    """
    drawn: dict[str, str] = {}
    pool_of = pools(board.catalog)
    for place, names in open_places(board).items():
        pool = pool_of[place]
        if len(pool) < len(names):
            raise ValueError(_too_small(place, len(pool), len(names)))
        drawn |= zip(names, Random(seed, f"tiles {place}").sample(pool, len(names)), strict=True)
    return drawn | draw_by_sector(board, seed)


def _too_small(place: str, pool: int, places: int) -> str:
    return f"for {places} places {quoted(place)} there are only {pool} tiles to draw from"


def lay_tiles(board: Board, tiles: Tiles) -> Board:
    """The board with tiles on open places, which must be able to lie there.

    `why_no_tile` says of a tile whether it can.
    """
    if not tiles:
        return board
    by_hex = {board.grid.index(name): board.catalog.tile_index(id) for name, id in tiles.items()}
    return replace(board, tiles={**board.tiles, **by_hex})


def laid_tiles(board: Board, tiles: Tiles) -> Board:
    """The board of a table on which these tiles were drawn, one for each open place.

    ValueError says why that cannot be.
    """
    if not tiles and not has_pools(board.catalog):
        return board
    for problem in _impossible(board, tiles):
        raise ValueError(problem)
    return lay_tiles(board, tiles)


def _impossible(board: Board, tiles: Tiles) -> Iterator[str]:
    for name, id in tiles.items():
        if problem := why_no_tile(board, name, id):
            yield problem
    for name in (name for names in open_places(board).values() for name in names):
        if name not in tiles:
            yield f"no tile lies on {name}"
    yield from surplus(board.catalog, tiles).values()
    yield from sector_tile_errors(board, tiles)


def why_no_tile(board: Board, name: str, id: str) -> str:
    """Why a tile cannot lie on a hex, in words; empty if it can."""
    known = [tile.id for tile in board.catalog.tiles]
    if id not in known:
        near = suggest(id, known)
        return f"there is no tile {quoted(id)}" + (f"; is it {quoted(near)}?" if near else "")
    tile = board.catalog.tiles[known.index(id)]
    if id in board.catalog.by_sector.get(tile.place, ()):
        names = [name for part in open_sectors(board, tile.place) for name in part]
        return "" if name in names else _no_place(name, id)
    if not tile.copies:
        return f"{quoted(id)} is no tile that is drawn for a place"
    if name not in open_places(board).get(tile.place, ()):
        return _no_place(name, id)
    return ""


def _no_place(name: str, id: str) -> str:
    return f"{name} is no place for which {quoted(id)} could be drawn"


def surplus(catalog: Catalog, tiles: Tiles) -> dict[str, str]:
    """Tiles that lie on more hexes than there are copies of them, each with a message."""
    copies = Counter(id for pool in pools(catalog).values() for id in pool)
    return {
        id: f"{quoted(id)} lies on {count} places, but there are {copies[id]} of it"
        for id, count in Counter(tiles.values()).items()
        if 0 < copies[id] < count
    }
