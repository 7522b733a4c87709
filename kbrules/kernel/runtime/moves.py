"""The moves of a decision, in groups, and the offers they come from.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    bit_at,
    has,
    inlined,
    load,
    native,
    nothing,
    some,
    store,
)
from kbrules.kernel.runtime.names import (
    CHOSEN,
    DONE,
    FAULT,
    FRESH,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUPS,
    LOOP,
    MAX_GROUP,
    MAX_OFFERED,
    MAY_STOP,
    OFFERED,
    OFFERED_TOP,
    OUT_OF_ACTIONS,
    OUT_OF_GROUPS,
    PC,
    READY,
    ROUNDS,
    VERB_STOP,
)

# ------------------------------------------------------------------------------------------


@native
def add_group(M: Memory, verb: int, rule: int, path: int, hexes: Hexes) -> None:
    """One more group of moves."""
    number = M[GROUP_COUNT]
    if number >= MAX_GROUP:
        M[FAULT] = OUT_OF_GROUPS
        return
    at = GROUPS + number * GROUP_SIZE
    M[at] = verb
    M[at + 1] = rule
    M[at + 2] = path
    store(M, at + 8, hexes)
    M[GROUP_COUNT] = number + 1


@native
def stop(M: Memory, f: int, rule: int) -> None:
    """The move that ends an `up to` loop, where the player may stop."""
    if M[f + LOOP] == 2 and M[f + PC] + M[f + DONE] + M[f + CHOSEN] == 0:
        if M[f + ROUNDS] or M[f + MAY_STOP]:
            add_group(M, VERB_STOP, rule, 0, nothing())


@native
def same_group(M: Memory, a: int, b: int) -> bool:
    """Whether two groups are the same."""
    one, other = GROUPS + a * GROUP_SIZE, GROUPS + b * GROUP_SIZE
    if M[one] != M[other] or M[one + 1] != M[other + 1] or M[one + 2] != M[other + 2]:
        return False
    return not some(load(M, one + 8) ^ load(M, other + 8))


@native
def has_new_groups(M: Memory, start: int, middle: int) -> bool:
    """Whether one of the groups from the middle on is none of those before it."""
    for i in range(middle, M[GROUP_COUNT]):
        is_known = False
        for j in range(start, middle):
            is_known = is_known or same_group(M, i, j)
        if not is_known:
            return True
    return False


@native
def group_of(M: Memory, verb: int, rule: int, hex: int) -> int:
    """The first group to which a move belongs; -1 if it belongs to none."""
    for i in range(M[GROUP_COUNT]):
        at = GROUPS + i * GROUP_SIZE
        if M[at] == verb and M[at + 1] == rule:
            if hex >= 0:
                if bit_at(M, at + 8, hex):
                    return i
            elif not some(load(M, at + 8)):
                return i
    return -1


@inlined
def offer(M: Memory, number: int) -> None:
    """One more action to look at."""
    at = M[OFFERED_TOP]
    if at >= MAX_OFFERED:
        M[FAULT] = OUT_OF_ACTIONS
        return
    M[OFFERED + at] = number
    M[OFFERED_TOP] = at + 1


@inlined
def is_first_ready(M: Memory, at: int, i: int) -> bool:
    """Whether a tile may be used and is the first of its kind."""
    if M[at + 3 + 3 * i] != READY:
        return False
    for j in range(i):
        if M[at + 1 + 3 * j] == M[at + 1 + 3 * i] and M[at + 3 + 3 * j] == READY:
            return False
    return True


@inlined
def serves_again(M: Memory, at: int, i: int, places: Hexes) -> bool:
    """Whether a tile from some places may be reused."""
    if M[at + 3 + 3 * i] == FRESH or M[at + 2 + 3 * i] < 0:
        return False
    return has(places, M[at + 2 + 3 * i])


@inlined
def is_first_serving(M: Memory, at: int, i: int, places: Hexes) -> bool:
    """Whether a tile serves to be reused and is the first of its kind."""
    if not serves_again(M, at, i, places):
        return False
    for j in range(i):
        if M[at + 1 + 3 * j] == M[at + 1 + 3 * i] and serves_again(M, at, j, places):
            return False
    return True
