"""Symmetries of sets: mirrored, flipped and turned by rows and columns, each part on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from kbrules.hex.layout import Address, Part
from kbrules.hex.masks import Mask, bits


class Symmetry(IntEnum):
    """Which of rows and columns count backwards."""

    MIRRORED = 0
    FLIPPED = 1
    TURNED = 2


def symmetry_tables(
    parts: Sequence[Part], addresses: Mapping[int, Address]
) -> tuple[Mapping[int, int], ...]:
    """For each symmetry the index to which it takes an index; an index may have none."""
    index_of = {address: index for index, address in addresses.items()}
    last = {part.name: (part.height - 1, part.width - 1) for part in parts}

    def table(which: Symmetry) -> dict[int, int]:
        found = {}
        for index, (part, row, column) in addresses.items():
            rows, columns = last[part]
            to = Address(
                part,
                row if which is Symmetry.MIRRORED else rows - row,
                column if which is Symmetry.FLIPPED else columns - column,
            )
            if to in index_of:
                found[index] = index_of[to]
        return found

    return tuple(map(table, Symmetry))


def transformed(m: Mask, table: Mapping[int, int]) -> Mask:
    """The set that a symmetry makes of a set, by its table."""
    found = 0
    for index in bits(m):
        to = table.get(index)
        if to is not None:
            found |= 1 << to
    return found
