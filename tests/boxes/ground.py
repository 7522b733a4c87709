"""Boards of sections of all boxes, laid by hand from the drawings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from tests.oracle.geometry import ISLAND_TOP, Cell, neighbours
from tests.oracle.ground import BUILDABLE, SPECIAL, Ground, Spot, box, lay_sections, put

BOXES = ("base", "nomads", "crossroads", "capitol", "caves", "island")
__all__ = [
    "BOXES",
    "BUILDABLE",
    "SPECIAL",
    "Ground",
    "capitol_grounds",
    "cave_grounds",
    "distances",
    "lay",
    "sides",
]


@lru_cache(maxsize=1)
def sections() -> dict[str, Any]:
    """The sections of all boxes that lie on the table, as they are drawn."""
    return {id: section for id, section in _drawings().items() if "grid" not in section}


def sides() -> list[str]:
    """The two sides of the island."""
    return sorted(_drawings().keys() - sections().keys())


@lru_cache(maxsize=1)
def _drawings() -> dict[str, Any]:
    return {id: section for name in BOXES for id, section in box(name).items()}


@lru_cache(maxsize=256)
def lay(rows: tuple[tuple[Spot, ...], ...], side: str = "") -> Ground:
    """A board of two rows of two sections; nomad places have no tiles yet.

    A side of the island lies next to it, in no sector, if one is named.
    """
    ground = lay_sections(rows, sections())
    if side:
        put(ground, _drawings()[side], ISLAND_TOP, 0)
    return ground


@cache
def distances(start: Cell) -> Mapping[Cell, int]:
    """How many steps away every hex is that steps lead to: nothing of the other grid."""
    found = {start: 0}
    last = [start]
    while last:
        fresh = {near for cell in last for near in neighbours(cell)} - set(found)
        found |= dict.fromkeys(fresh, found[last[0]] + 1)
        last = sorted(fresh)
    return found


def of_sector(ground: Ground, number: int, kind: str) -> list[Cell]:
    """The hexes of one kind in a sector, in reading order."""
    return sorted(c for c in ground.of(kind) if ground.sector.get(c) == number)


def capitol_grounds(ground: Ground) -> list[list[Cell]]:
    """The castles of each sector that has an oracle or a harbor: one of them bears a capitol."""
    rich = ("oracle", "harbor")
    wealthy = {ground.sector.get(cell) for cell, tile in ground.tile.items() if tile in rich}
    return [of_sector(ground, number, "castle") for number in range(4) if number in wealthy]


def cave_grounds(ground: Ground) -> list[list[Cell]]:
    """The mountain hexes of each sector that has some with no special hex within two steps."""
    found = []
    special = set(ground.of(*SPECIAL))
    for number in range(4):
        mountains = of_sector(ground, number, "mountain")
        around = [{cell for cell, n in distances(m).items() if n <= 2} for m in mountains]
        found.append([m for m, near in zip(mountains, around, strict=True) if not near & special])
    return [mountains for mountains in found if mountains]
