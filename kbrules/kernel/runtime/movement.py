"""Movement for kernels: the words of `primitives.movement`, over vectors.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import along, back, neighbours, stepped
from kbrules.kernel.runtime.intrinsics import Hexes, Memory, load, native, nothing, some
from kbrules.kernel.runtime.names import FULL

# ------------------------------------------------------------------------------------------


@native
def straight(M: Memory, m: Hexes, n: int) -> Hexes:
    """The hexes exactly so many steps from the set in a straight line over the board."""
    if n < 1:
        return nothing()
    board = load(M, FULL)
    found = nothing()
    for axis in range(3):
        ahead = m
        behind = m
        for _ in range(n):
            ahead = along(ahead, axis) & board
            behind = back(behind, axis) & board
            if not some(ahead | behind):
                break
        found = found | ahead | behind
    return found


@native
def straight_over(M: Memory, m: Hexes, n: int, over: Hexes) -> Hexes:
    """The same, with every hex between in the last set."""
    if n < 1:
        return nothing()
    board = load(M, FULL)
    found = nothing()
    for direction in range(6):
        front = stepped(m, direction) & board
        for _ in range(n - 1):
            front = stepped(front & over, direction) & board
            if not some(front):
                break
        found = found | front
    return found


@native
def slide_over(M: Memory, m: Hexes, through: Hexes, over: Hexes) -> Hexes:
    """Where one comes to rest going straight through the second set, on from the last one only."""
    through = through & load(M, FULL)
    stops = nothing()
    for direction in range(6):
        blocked = through & ~(stepped(through, (direction + 3) % 6) & over)
        front = stepped(m, direction) & through
        while some(front):
            stops = stops | (front & blocked)
            front = stepped(front & over, direction) & through
    return stops


@native
def next_over(M: Memory, m: Hexes, among: Hexes, over: Hexes) -> Hexes:
    """The first hex of the second set in each direction, over hexes of the last one."""
    full = load(M, FULL)
    found = nothing()
    for direction in range(6):
        front = stepped(m, direction) & full
        while some(front):
            found = found | (front & among)
            front = stepped(front & over & ~among, direction) & full
    return found


@native
def reach_over(M: Memory, m: Hexes, steps: int, through: Hexes, over: Hexes) -> Hexes:
    """The hexes reached in so many steps over hexes of the third set, on from the last one only."""
    reached = nothing()
    for _ in range(steps):
        m = neighbours(M, m) & through & ~reached
        if not some(m):
            break
        reached = reached | m
        m = m & over
    return reached
