"""Pairs of sets, one after the other, of which each is somewhat like the one before."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, Part, bits, mask_of

WAYS = ("more", "less", "other", "same", "any")
TABLES = (
    Grid((Part.rectangle(4, 5),)),
    Grid((Part.rectangle(9, 8), Part.rectangle(3, 3, "island"))),
)


def changing(grid: Grid, way: str, length: int = 12) -> Iterator[Iterator[tuple[Mask, Mask]]]:
    """Rows of such pairs, in which sets change in a way; the first of a pair often does not."""
    chance = Random(f"{grid} {way}")
    for _ in range(150):
        yield _row(grid, way, chance, length)


def _row(grid: Grid, way: str, chance: Random, length: int) -> Iterator[tuple[Mask, Mask]]:
    one, other = _some(grid, chance), _some(grid, chance)
    for _ in range(length):
        yield one, other
        one = _changed(one, chance.choice([way, "same"]), grid, chance)
        other = _changed(other, way, grid, chance)


def _changed(hexes: Mask, way: str, grid: Grid, chance: Random) -> Mask:
    if way == "any":
        way = chance.choice(WAYS[:-1])
    few = _some(grid, chance) & _some(grid, chance) & _some(grid, chance)
    changed = {"more": hexes | few, "less": hexes & ~few, "other": _some(grid, chance)}
    return changed.get(way, hexes)


def _some(grid: Grid, chance: Random) -> Mask:
    share = chance.random()
    return mask_of(hex for hex in bits(grid.full) if chance.random() < share)
