"""Boards to draw examples from: grids of every size, with holes, with several parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from kbrules.hex import sets as masks
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, Part
from tests.hex.twin import Hex, Twin

LARGEST = 23

Place = TypeVar("Place")


@dataclass(frozen=True)
class Board:
    """A grid, its twin, and the way from one to the other."""

    grid: Grid
    twin: Twin

    def mask(self, places: Iterable[Hex]) -> Mask:
        return masks.mask_of(self.grid.index_at(r, c, part) for part, r, c in places)

    def places(self, m: Mask) -> set[Hex]:
        return {place_of(self.grid, index) for index in masks.bits(m)}

    def groups(self, ms: Iterable[Mask]) -> list[set[Hex]]:
        return [self.places(m) for m in ms]


def place_of(grid: Grid, index: int) -> Hex:
    address = grid.address(index)
    return address.part, address.row, address.column


@lru_cache(maxsize=256)
def board(*parts: Part) -> Board:
    hexes = frozenset((part.name, r, c) for part in parts for r, c in part.hexes)
    return Board(Grid(parts), Twin(hexes))


def rhombus(size: int) -> Part:
    """Rows pushed half a hex to the right each, cut out of a rectangle."""
    return Part("", frozenset((r, c + r // 2) for r in range(size) for c in range(size)))


@st.composite
def picked(draw: st.DrawFn, places: Sequence[Place]) -> set[Place]:
    """A handful of them, or any share of all.

    Hypothesis prefers small sets and small numbers, which leaves boards all but empty; so the
    crowded ones come from a seed.
    """
    if draw(st.booleans()):
        return draw(st.sets(st.sampled_from(places), max_size=8))
    share = draw(st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9, 1]))
    random = Random(draw(st.integers(0, 2**32)))
    return {place for place in places if random.random() < share}


@st.composite
def parts(draw: st.DrawFn, name: str, largest: int) -> Part:
    full = Part.rectangle(draw(st.integers(1, largest)), draw(st.integers(1, largest)), name)
    if draw(st.booleans()):
        return full
    hexes = full.hexes - draw(picked(sorted(full.hexes)))
    return Part(name, hexes) if hexes else full


@st.composite
def boards(draw: st.DrawFn, largest: int = LARGEST) -> Board:
    """One to three parts, the others small, so that strides do not fit their widths."""
    if draw(st.integers(0, 9)) == 0:
        return board(rhombus(draw(st.integers(1, 11))))
    first = draw(parts("", largest))
    others = [draw(parts(name, 5)) for name in ("island", "b2")[: draw(st.integers(0, 2))]]
    return board(first, *others)


def subsets(of: Board) -> st.SearchStrategy[set[Hex]]:
    """Sets of hexes of a board, sparse and dense."""
    return picked(sorted(of.twin.hexes))
