"""Facts of memories, and numbers compared.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    inlined,
    load,
    native,
    single,
    some,
    store,
)
from kbrules.kernel.runtime.pieces import count_event

# ------------------------------------------------------------------------------------------


@inlined
def bounded(value: int) -> int:
    """A number kept within bounds."""
    return max(-1000000, min(1000000, value))


@native
def remember_hexes(M: Memory, at: int, hexes: Hexes) -> None:
    """Store a set in a memory."""
    if some(hexes ^ load(M, at)):
        store(M, at, hexes)
        count_event(M)


@native
def remember_number(M: Memory, at: int, number: int) -> None:
    """Store a number in a memory."""
    if M[at] != number:
        M[at] = number
        count_event(M)


@inlined
def do_add(M: Memory, hexes: Hexes, memory: int) -> None:
    """Add hexes to a memory."""
    remember_hexes(M, memory, load(M, memory) | hexes)


@inlined
def do_mark(M: Memory, hex: int, memory: int) -> None:
    """Add the hex that was decided to a memory."""
    remember_hexes(M, memory, load(M, memory) | single(hex))


@inlined
def do_count(M: Memory, by: int, memory: int) -> None:
    """Add a number to a memory."""
    remember_number(M, memory, max(0, bounded(M[memory] + by)))


@inlined
def do_clear(M: Memory, memory: int) -> None:
    """Forget the number that a memory holds."""
    remember_number(M, memory, 0)


@native
def place_among(M: Memory, at: int, number: int, value: int) -> int:
    """The rank of a value among some: ties do not use up the places below them."""
    place = 1
    for i in range(number):
        is_new = M[at + i] > value
        for j in range(i):
            is_new = is_new and M[at + j] != M[at + i]
        place += is_new
    return place
