"""What is connected, asked again and again of sets that mostly grow.

A flood of seeds within a set need not begin anew if what it reached is all still there and the
seeds of that are seeds still: then it is reached again, and the flood goes on from there.
"""

from __future__ import annotations

from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask

__all__ = ["Flood", "Floods", "flooded"]

Flood = tuple[Mask, Mask, Mask]
"""The seeds, what was reached from them, and the hexes that would be reached next.

The last are all that touch what was reached, and seeds that were not in the set. So it is the
answer again as long as the seeds are the same, all that was reached is in the set and none of
the last is. It holds for whatever set, of any table with that grid.
"""


class Floods(dict[int, Flood]):
    """The last flood of each place where one is asked for, by a number; at first of no seeds."""

    def __missing__(self, place: int) -> Flood:
        self[place] = 0, 0, 0
        return self[place]


def flooded(grid: Grid, floods: Floods, place: int, seeds: Mask, within: Mask) -> Mask:
    """What `grid.group_of(within, seeds)` is, found with the last flood of a place."""
    before, reached, further = floods[place]
    if seeds == before and not further & within and reached & within == reached:
        return reached
    grown_from = before & reached
    if reached & within != reached or grown_from & seeds != grown_from:
        reached = 0
    reached, around = grid.flood(within, (reached | seeds) & within)
    floods[place] = seeds, reached, around | seeds & ~reached
    return reached
