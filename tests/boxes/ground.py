"""Boards of sections of all boxes, laid by hand from the drawings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from ruamel.yaml import YAML

from tests.oracle.geometry import ISLAND_TOP, Cell, neighbours
from tests.oracle.ground import BUILDABLE, LETTERS, SIDE, SPECIAL, Ground, Spot
from tests.source_tree import ROOT

BOXES = ("base", "nomads", "crossroads", "capitol", "caves", "island")
KINDS = {**LETTERS, "N": "nomad"}
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
    found: dict[str, Any] = {}
    for name in BOXES:
        text = (ROOT / "expansions" / f"{name}.yaml").read_text(encoding="utf-8")
        found |= YAML(typ="safe").load(text).get("sections", {})
    return found


@lru_cache(maxsize=256)
def lay(rows: tuple[tuple[Spot, ...], ...], side: str = "") -> Ground:
    """A board of two rows of two sections; nomad places have no tiles yet.

    A side of the island lies beside it, in no sector, if one is named.
    """
    ground = Ground({}, {}, {})
    for number, (section, turned) in enumerate(spot for row in rows for spot in row):
        top, left = SIDE * (number // 2), SIDE * (number % 2)
        tiles = sections()[section]["places"]
        for (row, column), letter in drawn(section).items():
            if turned:
                row, column = SIDE - 1 - row, SIDE - 1 - column
            cell = (top + row, left + column)
            ground.sector[cell] = number
            ground.kind[cell] = "location" if letter in tiles else KINDS[letter]
            if letter in tiles:
                ground.tile[cell] = tiles[letter]
    for (row, column), letter in drawn(side).items() if side else ():
        cell = (ISLAND_TOP + row, column)
        tiles = _drawings()[side]["places"]
        ground.kind[cell] = "location" if letter in tiles else KINDS[letter]
        if letter in tiles:
            ground.tile[cell] = tiles[letter]
    return ground


def drawn(section: str) -> dict[Cell, str]:
    lines = _drawings()[section]["rows"].splitlines()
    return {
        (r, c): letter
        for r, line in enumerate(lines)
        for c, letter in enumerate(line.split())
        if letter != "-"
    }


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
