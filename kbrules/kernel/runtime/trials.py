"""Trials: playing a block on, and taking everything back.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.grouping import allocate_scratch
from kbrules.kernel.runtime.intrinsics import Memory, again, load, native, nothing, some
from kbrules.kernel.runtime.moves import add_group
from kbrules.kernel.runtime.names import (
    DECIDER,
    EVENTS,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUPS,
    SAVE_SIZE,
    SAVED,
    SAVES,
    STRAYED,
    TRIED_SINCE,
    VERB_CHOOSE,
    VERB_USE,
)
from kbrules.kernel.runtime.saving import copy_cells, pack_state, unpack_state

# ------------------------------------------------------------------------------------------


@native
def save(M: Memory) -> int:
    """Save the state; where it was put. None but the running frames are saved."""
    at = SAVES + M[SAVED] * SAVE_SIZE
    M[SAVED] += 1
    pack_state(M, M, at)
    return at


@native
def restore(M: Memory, at: int) -> None:
    """Take everything back to where it was saved."""
    unpack_state(M, M, at)
    M[SAVED] -= 1


@native
def try_begun_block(
    M: Memory, saved: int, base_depth: int, path: int, rule: int, knows_terrain: bool
) -> None:
    """Play a block that was just begun until it asks for something or has done something.

    Adds the moves by which it can be begun, and takes everything back.
    """
    first = M[GROUP_COUNT]
    before, outer = M[EVENTS], M[TRIED_SINCE]
    M[STRAYED] = 0
    M[TRIED_SINCE] = before
    due = again(M, base_depth)
    M[TRIED_SINCE] = outer
    has_begun = M[EVENTS] != before or (due != 0 and M[DECIDER] < 0)
    needs_use = has_begun
    if not has_begun:
        for i in range(first, M[GROUP_COUNT]):
            at = GROUPS + i * GROUP_SIZE
            is_later = M[at + 2] != 0 or (knows_terrain and M[at] == VERB_CHOOSE)
            if is_later and (M[at + 1] != rule or not some(load(M, at + 8))):
                needs_use = True
    restore(M, saved)
    keep_new_groups(M, first, path, rule, needs_use, not has_begun)


@native
def keep_new_groups(
    M: Memory, first: int, path: int, rule: int, needs_use: bool, at_once: bool
) -> None:
    """Of the groups found by a trial, those with hexes of the rule itself, as its own."""
    last = M[GROUP_COUNT]
    start = allocate_scratch(M, (last - first + 1) * GROUP_SIZE)
    copy_cells(M, start, GROUPS + first * GROUP_SIZE, (last - first) * GROUP_SIZE)
    M[GROUP_COUNT] = first
    if needs_use:
        add_group(M, VERB_USE, rule, path, nothing())
    if at_once:
        for i in range(last - first):
            at = start + i * GROUP_SIZE
            if M[at + 1] == rule and some(load(M, at + 8)):
                add_group(M, M[at], rule, path, load(M, at + 8))
