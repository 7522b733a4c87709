"""Boards laid by hand from the drawings in the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from ruamel.yaml import YAML

from tests.oracle.geometry import Cell
from tests.source_tree import ROOT

LETTERS = {
    "G": "grass", "C": "canyon", "D": "desert", "F": "flower", "T": "forest",
    "W": "water", "M": "mountain", "K": "castle", "N": "nomad",
    "A": "farmland", "O": "silo", "S": "swamp", "P": "palace",
}  # fmt: skip
BUILDABLE = ("grass", "canyon", "desert", "flower", "forest")
SPECIAL = ("castle", "location", "nomad")
SIDE = 10

Spot = tuple[str, bool]


@dataclass(frozen=True)
class Ground:
    """What every hex is, whose tiles lie on it, and in which of the four sectors it is."""

    kind: dict[Cell, str]
    tile: dict[Cell, str]
    sector: dict[Cell, int]

    def of(self, *kinds: str) -> list[Cell]:
        return [cell for kind in kinds for cell in self._by_kind.get(kind, [])]

    @cached_property
    def _by_kind(self) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for cell, kind in self.kind.items():
            found.setdefault(kind, []).append(cell)
        return found


@cache
def box(name: str = "base") -> dict[str, Any]:
    """The sections of a box as they are drawn."""
    text = (ROOT / "expansions" / f"{name}.yaml").read_text(encoding="utf-8")
    sections: dict[str, Any] = YAML(typ="safe").load(text).get("sections", {})
    return sections


@lru_cache(maxsize=64)
def lay(rows: tuple[tuple[Spot, ...], ...]) -> Ground:
    """A board of two rows of two sections of the base box."""
    return lay_sections(rows, box())


def lay_sections(rows: tuple[tuple[Spot, ...], ...], sections: Mapping[str, Any]) -> Ground:
    """A board of two rows of two sections, each upright or turned by half a turn."""
    ground = Ground({}, {}, {})
    for number, (section, turned) in enumerate(spot for row in rows for spot in row):
        top, left = SIDE * (number // 2), SIDE * (number % 2)
        cells = put(ground, sections[section], top, left, turned)
        ground.sector.update(dict.fromkeys(cells, number))
    return ground


def put(ground: Ground, section: Any, top: int, left: int, turned: bool = False) -> list[Cell]:
    """Draw a section on the ground and return its hexes."""
    cells = []
    for (row, column), letter in drawn(section).items():
        if turned:
            row, column = SIDE - 1 - row, SIDE - 1 - column
        cells.append(cell := (top + row, left + column))
        ground.kind[cell] = "location" if letter in section["places"] else LETTERS[letter]
        if letter in section["places"]:
            ground.tile[cell] = section["places"][letter]
    return cells


def drawn(section: Any) -> dict[Cell, str]:
    """The letters of a section; `-` is no hex."""
    return {
        (r, c): letter
        for r, line in enumerate(section["rows"].splitlines())
        for c, letter in enumerate(line.split())
        if letter != "-"
    }
