"""Where each hex of a grid sits in the int.

Rows are staggered: odd rows (counted from 0) lie half a hex to the right. Hex (row, column) of a
part gets bit `base + row * stride + column - row // 2`. Taking off half the row number straightens
one diagonal into a constant step, so that the six neighbours of any hex are the same six shifts
on every row. `stride` is the widest part's width plus 2, which leaves one free bit after every
odd row and two after every even one.

INVARIANT: a shift by one step takes a hex to its neighbour or onto a bit that is no hex. Parts
lie more than two strides apart, so that even two steps unmasked never lead from one to another.
Two steps along a row *can* jump the single free bit: whoever goes further than one step masks
after each, or uses the jumps of `movement`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Address(NamedTuple):
    """Where a hex is for people: the part's name, row and column, both counted from 0."""

    part: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Part:
    """One connected table of a grid: its name and the (row, column) of each of its hexes.

    The first part of a grid has the name ``""``. What is missing from the rectangle is a hole.
    """

    name: str
    hexes: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        if not self.hexes:
            raise ValueError("a part needs at least one hex")
        if min(map(min, self.hexes)) < 0:
            raise ValueError("rows and columns are counted from 0")
        if any(letter == ":" or letter.isspace() for letter in self.name):
            raise ValueError(f"`{self.name}` cannot name a part: no colons, no spaces")

    @staticmethod
    def rectangle(height: int, width: int, name: str = "") -> Part:
        """The full part of that many rows and columns."""
        return Part(name, frozenset((r, c) for r in range(height) for c in range(width)))

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.hexes)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.hexes)


@dataclass(frozen=True, slots=True)
class HexLayout:
    """The stride, and each hex's index and address, in ascending order of index."""

    stride: int
    addresses: dict[int, Address]


def lay_out(parts: Sequence[Part]) -> HexLayout:
    """Lay parts side by side; `ValueError` if their names are not one ``""`` and then others."""
    _check_names([part.name for part in parts])
    stride = 2 + max(part.width for part in parts)
    addresses: dict[int, Address] = {}
    base = 0
    for part in parts:
        addresses.update(_hexes_of(part, base, stride))
        base += (part.height + 2) * stride + 1
    return HexLayout(stride, addresses)


def _check_names(names: Sequence[str]) -> None:
    if not names or names[0] != "":
        raise ValueError("the first part of a grid has no name")
    if "" in names[1:] or len(set(names)) < len(names):
        raise ValueError("the other parts of a grid need names, each its own")


def _hexes_of(part: Part, base: int, stride: int) -> Iterator[tuple[int, Address]]:
    for row, column in sorted(part.hexes):
        yield base + row * stride + column - row // 2, Address(part.name, row, column)
