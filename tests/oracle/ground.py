"""Boards laid by hand from the drawings in the box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ruamel.yaml import YAML

from tests.oracle.geometry import Cell
from tests.source_tree import ROOT

LETTERS = {
    "G": "grass", "C": "canyon", "D": "desert", "F": "flower", "T": "forest",
    "W": "water", "M": "mountain", "K": "castle",
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


@lru_cache(maxsize=1)
def box() -> dict[str, Any]:
    """The sections as they are drawn."""
    text = (ROOT / "expansions" / "base.yaml").read_text(encoding="utf-8")
    sections: dict[str, Any] = YAML(typ="safe").load(text)["sections"]
    return sections


@lru_cache(maxsize=64)
def lay(rows: tuple[tuple[Spot, ...], ...]) -> Ground:
    """A board of two rows of two sections, each upright or turned by half a turn."""
    ground = Ground({}, {}, {})
    for number, (section, turned) in enumerate(spot for row in rows for spot in row):
        top, left = SIDE * (number // 2), SIDE * (number % 2)
        for (row, column), letter in drawn(section).items():
            if turned:
                row, column = SIDE - 1 - row, SIDE - 1 - column
            cell = (top + row, left + column)
            ground.sector[cell] = number
            ground.kind[cell] = LETTERS.get(letter, "location")
            if letter in box()[section]["places"]:
                ground.tile[cell] = box()[section]["places"][letter]
    return ground


def drawn(section: str) -> dict[Cell, str]:
    lines = box()[section]["rows"].splitlines()
    return {(r, c): letter for r, line in enumerate(lines) for c, letter in enumerate(line.split())}
