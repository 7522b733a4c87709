"""Copies of a state: what is live of it, one part close behind another.

A copy is made in whole sets, for a set is one number or one register: what lies behind a part is
copied along, and there is room for that everywhere.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import Memory, load, native, store
from kbrules.kernel.runtime.names import (
    ASIDE,
    DEPTH,
    FRAME,
    FRAMES,
    HAND,
    PLACES,
    PLAYERS,
    SEAT,
    SEATS,
    SHOWN,
    STATE,
    STOCK,
    TILES,
    W,
)

# ------------------------------------------------------------------------------------------


@native
def copy_between(target: Memory, to: int, origin: Memory, at: int, size: int) -> int:
    """Copy so many numbers from one memory to another; how many were copied."""
    for i in range(0, size, W):
        store(target, to + i, load(origin, at + i))
    return (size + W - 1) // W * W


@native
def copy_cells(M: Memory, to: int, source: int, size: int) -> None:
    """Copy so many numbers to another place of the memory."""
    copy_between(M, to, M, source, size)


@native
def pack_state(M: Memory, out: Memory, to: int) -> int:
    """Copy the state to another memory, or another place of its own; where the copy ends."""
    to += copy_between(out, to, M, STATE, STOCK - STATE)
    to += copy_between(out, to, M, STOCK, M[PLACES])
    to += copy_between(out, to, M, SHOWN, 1 + M[SHOWN])
    to += copy_between(out, to, M, ASIDE, 1 + M[ASIDE])
    for player in range(M[PLAYERS]):
        seat = SEATS + player * SEAT
        to += copy_between(out, to, M, seat, HAND)
        to += copy_between(out, to, M, seat + HAND, 1 + M[seat + HAND])
        to += copy_between(out, to, M, seat + TILES, 1 + 3 * M[seat + TILES])
    return to + copy_between(out, to, M, FRAMES, M[DEPTH] * FRAME)


@native
def unpack_state(M: Memory, given: Memory, at: int) -> int:
    """Take a state from a copy of it; where the copy ends."""
    at += copy_between(M, STATE, given, at, STOCK - STATE)
    at += copy_between(M, STOCK, given, at, M[PLACES])
    at += copy_between(M, SHOWN, given, at, 1 + given[at])
    at += copy_between(M, ASIDE, given, at, 1 + given[at])
    for player in range(M[PLAYERS]):
        seat = SEATS + player * SEAT
        at += copy_between(M, seat, given, at, HAND)
        at += copy_between(M, seat + HAND, given, at, 1 + given[at])
        at += copy_between(M, seat + TILES, given, at, 1 + 3 * given[at])
    return at + copy_between(M, FRAMES, given, at, M[DEPTH] * FRAME)
