"""What is connected, asked again and again of sets that mostly grow.

A flood of seeds within a set need not begin anew if what it reached is all still there and the
seeds of that are seeds still: then it is reached again, and the flood goes on from there.
"""

from __future__ import annotations

from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask

__all__ = ["Flood", "Floods", "flooded"]

Flood = tuple[Mask, Mask, Mask]
"""The seeds, what was reached from them, and the hexes that are watched.

The last are all that was reached, all that touch it, and the seeds. What was reached is the
answer again as long as the seeds are the same, and of those that are watched the same are in
the set. It holds for whatever set, of any table with that grid.
"""


class Floods(dict[int, Flood]):
    """The last flood of each place where one is asked for, by a number; at first of no seeds."""

    def __missing__(self, place: int) -> Flood:
        self[place] = 0, 0, 0
        return self[place]


def flooded(grid: Grid, floods: Floods, place: int, seeds: Mask, within: Mask) -> Mask:
    """What `grid.group_of(within, seeds)` is, found with the last flood of a place."""
    before, reached, watched = floods[place]
    if watched & within == reached and seeds == before:
        return reached
    if reached & ~within or before & ~seeds:
        reached = watched = 0
    front = (watched | seeds) & within ^ reached
    left, watched, stride = within ^ reached ^ front, watched | seeds, grid.stride
    less = stride - 1
    while front:
        t = front | front << 1
        near = t | front >> 1 | t << less | t >> stride
        watched |= near
        front = near & left
        left ^= front
    reached = within ^ left
    floods[place] = seeds, reached, watched
    return reached
