"""The longest path within a set, for kernels, by the steps and the cases of `hex.sets`.

Four bits tell how paths end at each hex of the frontier: 0 if none touches it, 1 if one goes
through it, 2 if the other end of its path lies behind, otherwise 3 more than the slot of that end.
These functions go only into kernels that ask for such paths.
"""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import allocate_scratch, at_least, connected, neighbours
from kbrules.kernel.runtime.intrinsics import (
    Hexes, Memory, count, has, lowest, native, single, some,
)  # fmt: skip
from kbrules.kernel.runtime.names import *


@native
def longest_way(M: Memory, of: Hexes) -> int:
    """The number of hexes on the longest way within a set that visits none twice."""
    longest = 0
    top = M[SCRATCH]
    while some(of):
        group = connected(M, single(lowest(of)), of)
        of = of & ~group
        longest = max(longest, path_in(M, group))
        M[SCRATCH] = top
    return longest


@native
def path_in(M: Memory, group: Hexes) -> int:
    """The same within a connected group."""
    number = count(group)
    if number > WAY_LARGEST:
        M[FAULT] = GROUP_TOO_LARGE
        return 0
    missed = number - steps_in(M, group)
    fewest = max(0, count(group & ~at_least(M, group, 2)) - 2)
    if fewest >= missed:
        return number - missed
    cases = cases_of(number)
    size = WAY_ORDER + number + 4 * cases
    if M[SCRATCH] + size > SCRATCH_END:
        M[FAULT] = OUT_OF_ROOM
        return 0
    at = allocate_scratch(M, size)
    keys = at + WAY_ORDER + number
    for i in range(2 * cases):
        M[keys + 2 * cases + i] = 0
    M[at + 2] = 0
    put_in_lines(M, group, at)
    at_most = min(fewest, missed - 1)
    while fewest < missed and M[FAULT] == 0:
        search_path(M, group, at, keys, cases, at_most)
        fewest = M[at + 1]
        if fewest <= at_most:
            missed = fewest
        at_most = min(2 * at_most + 1, missed - 1)
    return number - missed


@native
def steps_in(M: Memory, group: Hexes) -> int:
    """How many hexes are visited by always going to the one with the fewest ways on, at best."""
    longest = 0
    starts = group
    while some(starts) and longest < count(group):
        hex = lowest(starts)
        starts = starts & ~single(hex)
        longest = max(longest, steps_from(M, group, hex))
    return longest


@native
def steps_from(M: Memory, group: Hexes, hex: int) -> int:
    """The same from one hex on."""
    left = group
    while hex >= 0:
        left = left & ~single(hex)
        onward = neighbours(M, single(hex)) & left
        hex, fewest = -1, 7
        while some(onward):
            other = lowest(onward)
            onward = onward & ~single(other)
            ways = count(neighbours(M, single(other)) & left)
            if ways < fewest:
                hex, fewest = other, ways
    return count(group & ~left)


@native
def cases_of(number: int) -> int:
    """How many cases a group of so many hexes may have: for small ones there is less to clear."""
    if number > 32:
        return WAY_CASES
    if number > 24:
        return WAY_CASES // 4
    return WAY_CASES // 16 if number > 16 else WAY_CASES // 64


@native
def put_in_lines(M: Memory, group: Hexes, at: int) -> None:
    """List the hexes line by line, along the axis on which the lines are shortest."""
    best, fewest = 1, 1000000
    for axis in (1, 2, 3):
        longest = longest_line(M, group, axis)
        if longest < fewest:
            best, fewest = axis, longest
    number = 0
    while some(group):
        first = lowest(group)
        left = group
        while some(left):
            hex = lowest(left)
            left = left & ~single(hex)
            if M[AXIAL + 4 * hex + best] < M[AXIAL + 4 * first + best]:
                first = hex
        M[at + WAY_ORDER + number] = first
        group = group & ~single(first)
        number += 1


@native
def longest_line(M: Memory, group: Hexes, axis: int) -> int:
    """The most hexes of a group on one line of an axis."""
    longest = 0
    left = group
    while some(left):
        line = M[AXIAL + 4 * lowest(left) + axis]
        others = left
        number = 0
        while some(others):
            hex = lowest(others)
            others = others & ~single(hex)
            if M[AXIAL + 4 * hex + axis] == line:
                left = left & ~single(hex)
                number += 1
        longest = max(longest, number)
    return longest


@native
def search_path(M: Memory, group: Hexes, at: int, keys: int, cases: int, at_most: int) -> None:
    """Find out how many hexes the best way misses; one more than it may if there is none."""
    M[at] = 0
    M[at + 1] = at_most + 1
    M[at + 2] += 1
    for slot in range(WAY_SLOTS):
        M[at + 3 + slot] = -1
    keep_case(M, at, keys, cases, 0, 0)
    number = count(group)
    for i in range(number):
        hex = M[at + WAY_ORDER + i]
        group = group & ~single(hex)
        take_hex(M, at, keys, cases, hex, number - 1 - i)
        for slot in range(WAY_SLOTS):
            there = M[at + 3 + slot]
            if there >= 0 and not some(neighbours(M, single(there)) & group):
                leave_hex(M, at, keys, cases, slot, number - 1 - i)
        if M[FAULT] != 0:
            return


@native
def take_hex(M: Memory, at: int, keys: int, cases: int, hex: int, to_come: int) -> None:
    """Put a hex into a free slot, and join it to those near it."""
    mine = -1
    for slot in range(WAY_SLOTS):
        if mine < 0 and M[at + 3 + slot] < 0:
            mine = slot
    if mine < 0:
        M[FAULT] = OUT_OF_ROOM
        return
    M[at + 3 + mine] = hex
    near = neighbours(M, single(hex))
    for slot in range(WAY_SLOTS):
        there = M[at + 3 + slot]
        if there >= 0 and has(near, there):
            join_slots(M, at, keys, cases, slot, mine, to_come)


@native
def join_slots(
    M: Memory, at: int, keys: int, cases: int, one: int, other: int, to_come: int
) -> None:
    """Add the cases in which a way goes from one slot to the other."""
    for i in range(M[at]):
        key, missed = M[keys + i], M[keys + cases + i]
        a, b = key >> 4 * one & 15, key >> 4 * other & 15
        if a == 1 or b == 1 or a == 3 + other:
            continue
        if a != 0:
            key = with_end(key, one, 1)
        if b != 0:
            key = with_end(key, other, 1)
        tail = 3 + one if a == 0 else a
        head = 3 + other if b == 0 else b
        if tail > 2:
            key = with_end(key, tail - 3, head)
        if head > 2:
            key = with_end(key, head - 3, tail)
        if tail == 2 and head == 2:
            end_path(M, at, key, missed + to_come)
        else:
            keep_case(M, at, keys, cases, key, missed)


@native
def leave_hex(M: Memory, at: int, keys: int, cases: int, slot: int, to_come: int) -> None:
    """Free the slot of a hex with no neighbour to come."""
    M[at + 3 + slot] = -1
    number = M[at]
    M[at] = 0
    M[at + 2] += 1
    for i in range(number):
        key, missed = M[keys + i], M[keys + cases + i]
        end = key >> 4 * slot & 15
        key = with_end(key, slot, 0)
        if end == 2:
            end_path(M, at, key, missed + to_come)
            continue
        if end > 2:
            key = with_end(key, end - 3, 2)
        if end == 0:
            missed += 1
        if missed < M[at + 1] and slots_with(M, at, key, 2) <= 2:
            keep_case(M, at, keys, cases, key, missed)


@native
def end_path(M: Memory, at: int, key: int, missed: int) -> None:
    """A way is at its end: it counts if there is no other."""
    untouched = slots_with(M, at, key, 0)
    if untouched + slots_with(M, at, key, 1) == slots_with(M, at, 0, 0):
        M[at + 1] = min(M[at + 1], missed + untouched)


@native
def with_end(key: int, slot: int, end: int) -> int:
    """The key of a case with another end in a slot."""
    return key & ~(15 << 4 * slot) | end << 4 * slot


@native
def slots_with(M: Memory, at: int, key: int, end: int) -> int:
    """How many slots in use have such an end."""
    number = 0
    for slot in range(WAY_SLOTS):
        if M[at + 3 + slot] >= 0 and key >> 4 * slot & 15 == end:
            number += 1
    return number


@native
def keep_case(M: Memory, at: int, keys: int, cases: int, key: int, missed: int) -> None:
    """Keep a case with the fewest hexes missed: in a list, and in a table of where it is there."""
    table = keys + 2 * cases
    slot_at = key % (2 * cases - 1)
    while M[table + slot_at] >> 20 == M[at + 2] and M[keys + (M[table + slot_at] & 1048575)] != key:
        slot_at = (slot_at + 1) % (2 * cases)
    old = M[table + slot_at]
    if old >> 20 == M[at + 2]:
        case = keys + cases + (old & 1048575)
        M[case] = min(M[case], missed)
        return
    number = M[at]
    if number >= cases:
        M[FAULT] = OUT_OF_ROOM
        return
    M[at] = number + 1
    M[table + slot_at] = M[at + 2] << 20 | number
    M[keys + number] = key
    M[keys + cases + number] = missed
