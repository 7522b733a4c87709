"""Going straight: jumps of so many steps, slides until stopped, the next free hex.

A direction is a signed shift. Every walk is over the board: a hole or the edge ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kbrules.hex.masks import Mask


class Jump(NamedTuple):
    """A jump of so many steps along one axis: the shift, and where it may land going either way."""

    shift: int
    forward: Mask
    backward: Mask


def jumps(full: Mask, axes: Sequence[int]) -> tuple[tuple[Jump, ...], ...]:
    """Where one lands along all axes for jumps of 1, 2, 3 ... steps, as far as the board goes."""
    ways = [(full, full)] * len(axes)
    table: list[tuple[Jump, ...]] = []
    while True:
        pairs = list(zip(ways, axes, strict=True))
        ways = [((on << axis) & full, (back >> axis) & full) for (on, back), axis in pairs]
        if not any(on for on, _ in ways):
            return tuple(table)
        steps = len(table) + 1
        table.append(tuple(Jump(steps * axis, *way) for axis, way in zip(axes, ways, strict=True)))


def straight(m: Mask, jumps: Sequence[Jump]) -> Mask:
    """The hexes where one of the jumps lands that start on a hex of the set."""
    found = 0
    for shift, forward, backward in jumps:
        found |= (m << shift) & forward | (m >> shift) & backward
    return found


def moved(m: Mask, direction: int) -> Mask:
    """A set shifted by one step, bits that are no hexes included."""
    return m << direction if direction > 0 else m >> -direction


def straight_over(m: Mask, steps: int, over: Mask, directions: Sequence[int], full: Mask) -> Mask:
    """The hexes so many steps away, with every hex between in `over`."""
    found = 0
    for direction in directions:
        front = moved(m, direction) & full
        for _ in range(steps - 1):
            front = moved(front & over, direction) & full
            if not front:
                break
        found |= front
    return found


def slide(m: Mask, through: Mask, over: Mask, directions: Sequence[int]) -> Mask:
    """The last hexes reached going straight for as long as the next hex is in `through`.

    It goes on from hexes of `over` only, and from the first.
    """
    stops = 0
    for direction in directions:
        blocked = through & ~(moved(through, -direction) & over)
        front = moved(m, direction) & through
        while front:
            stops |= front & blocked
            front = moved(front & over, direction) & through
    return stops


def next_free(m: Mask, among: Mask, over: Mask, directions: Sequence[int], full: Mask) -> Mask:
    """The first hex in `among` in each direction, jumping over hexes of `over` before it."""
    found = 0
    for direction in directions:
        front = moved(m, direction) & full
        while front:
            found |= front & among
            front = moved(front & over & ~among, direction) & full
    return found
