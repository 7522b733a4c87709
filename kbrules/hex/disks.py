"""Stars: a hex and the six around it, which is what a piece of seven hexes covers."""

from __future__ import annotations

from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask, lowest

SIZE = 7
_DOWN_RIGHT = 1


def disks(grid: Grid, m: Mask) -> tuple[tuple[int, ...], Mask]:
    """The centres of the stars that a set is made of, and the hexes that belong to none.

    No two stars share a hex. There is one way at most to cut a set into stars, because its first
    hex can only be the upper left one of a star.
    """
    centres: list[int] = []
    rest = 0
    while m:
        first = m & -m
        centre = grid.shift(first, _DOWN_RIGHT)
        star = centre | grid.neighbours(centre)
        if star.bit_count() == SIZE and not star & ~m:
            centres.append(lowest(centre))
        else:
            star = first
            rest |= first
        m &= ~star
    return tuple(centres), rest
