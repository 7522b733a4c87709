"""Groups of hexes in kernels: where they lie in the memory, and how many there are.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import along, at_least, back, connected, neighbours
from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    count,
    has,
    inlined,
    load,
    lowest,
    native,
    nothing,
    shl,
    single,
    some,
    store,
    top,
)
from kbrules.kernel.runtime.names import (
    FAULT,
    FULL,
    MAX_LIST,
    OUT_OF_ROOM,
    SCRATCH,
    SCRATCH_END,
    STRIDE,
    Groups,
    W,
)

# ------------------------------------------------------------------------------------------


@native
def allocate_scratch(M: Memory, size: int) -> int:
    """Where so many numbers of the scratch begin; the first ones again if nothing is left."""
    at = M[SCRATCH]
    if at + size > SCRATCH_END:
        M[FAULT] = OUT_OF_ROOM
        return SCRATCH_END - size if size < 4096 else at
    M[SCRATCH] = at + size
    return at


@native
def groups(M: Memory, of: Hexes) -> Groups:
    """The connected groups of a set."""
    at = M[SCRATCH]
    number = 0
    while some(of):
        group = connected(M, single(lowest(of)), of)
        store(M, allocate_scratch(M, W), group)
        of = of & ~group
        number += 1
    return at, number


@native
def list_groups(M: Memory, at: int, among: Groups) -> None:
    """Store some groups in a list."""
    groups_at, number = among
    if number > MAX_LIST:
        M[FAULT] = OUT_OF_ROOM
        return
    for i in range(number):
        store(M, at + i * W, load(M, groups_at + i * W))


@native
def list_numbers(M: Memory, at: int, source: int) -> None:
    """Store the items of a list of numbers."""
    if M[source] > MAX_LIST:
        M[FAULT] = OUT_OF_ROOM
        return
    for i in range(M[source]):
        M[at + i] = M[source + 1 + i]


@native
def parts(M: Memory, of: Hexes, among: Groups) -> Groups:
    """What lies of a set in each of some groups."""
    groups_at, number = among
    at = M[SCRATCH]
    for i in range(number):
        store(M, allocate_scratch(M, W), of & load(M, groups_at + i * W))
    return at, number


@native
def lines(M: Memory, of: Hexes, length: Groups) -> Groups:
    """The unbroken straight lines of a set whose length is in a range."""
    low, high = length
    low = max(2, low)
    at = M[SCRATCH]
    number = 0
    for axis in range(3):
        runs = runs_along(of, low, axis)
        firsts = runs & ~along(runs, axis)
        while some(firsts):
            tip = single(lowest(firsts))
            firsts = firsts & ~tip
            run = nothing()
            while some(tip & runs):
                run = run | tip
                tip = along(tip, axis)
            if count(run) <= high:
                store(M, allocate_scratch(M, W), run)
                number += 1
    return at, number


@inlined
def runs_along(m: Hexes, low: int, axis: int) -> Hexes:
    """The hexes in a run of at least that many along an axis."""
    starts = m
    length = 1
    while length < low and some(starts):
        starts = starts & back(starts, axis)
        length += 1
    run = starts
    for _ in range(1, length):
        run = run | along(run, axis)
    return run


@native
def triangles(M: Memory, of: Hexes) -> Groups:
    """Each three hexes of a set that touch one another."""
    at = M[SCRATCH]
    number = 0
    for axis in (0, 2):
        firsts = of & back(of, axis) & back(of, 1)
        while some(firsts):
            first = single(lowest(firsts))
            firsts = firsts & ~first
            store(M, allocate_scratch(M, W), first | along(first, axis) | along(first, 1))
            number += 1
    return at, number


@native
def rings(M: Memory, of: Hexes) -> Groups:
    """Each six hexes of a set around one hex."""
    at = M[SCRATCH]
    number = 0
    middles = at_least(M, of, 6)
    while some(middles):
        middle = single(lowest(middles))
        middles = middles & ~middle
        store(M, allocate_scratch(M, W), neighbours(M, middle))
        number += 1
    return at, number


@native
def ends(M: Memory, of: Groups) -> Hexes:
    """The hexes that continue a straight line at either end."""
    at, number = of
    found = nothing()
    for i in range(number):
        line = load(M, at + i * W)
        low, high = lowest(line), top(line)
        if low < high:
            step = lowest(line & ~single(low)) - low
            if low >= step:
                found = found | single(low - step)
            found = found | single(high + step)
    return found & load(M, FULL)


@native
def line_ends(M: Memory, of: Hexes, length: Groups) -> Hexes:
    """The same of the lines of a set whose length is in a range; at once if none is too long."""
    low, high = length
    if high < count(of):
        return ends(M, lines(M, of, length))
    found = nothing()
    for axis in (0, 1, 2):
        runs = runs_along(of, max(2, low), axis)
        found = found | (along(runs, axis) | back(runs, axis)) & ~runs
    return found & load(M, FULL)


@native
def largest(M: Memory, of: Groups) -> Hexes:
    """The first of the groups with the most hexes."""
    at, number = of
    found, most = nothing(), -1
    for i in range(number):
        group = load(M, at + i * W)
        if count(group) > most:
            found, most = group, count(group)
    return found


@native
def smallest(M: Memory, of: Groups) -> Hexes:
    """The first of the groups with the fewest hexes."""
    at, number = of
    found, least = nothing(), 1000000
    for i in range(number):
        group = load(M, at + i * W)
        if count(group) < least:
            found, least = group, count(group)
    return found


@native
def linked_hexes(M: Memory, ends: Hexes, by: Hexes) -> Hexes:
    """Hexes of the first set joined to another one by a group of the second."""
    found = nothing()
    while some(by):
        group = connected(M, single(lowest(by)), by)
        by = by & ~group
        touched = neighbours(M, group) & ends
        if count(touched) > 1:
            found = found | touched
    return found


@native
def linked_groups(M: Memory, ends: Groups, by: Hexes) -> Groups:
    """The groups joined to another one by a group of the set."""
    groups_at, number = ends
    marks = allocate_scratch(M, number)
    for i in range(number):
        M[marks + i] = 0
    while some(by):
        group = connected(M, single(lowest(by)), by)
        by = by & ~group
        mark_linked(M, ends, marks, neighbours(M, group) | group)
    at = M[SCRATCH]
    found = 0
    for i in range(number):
        if M[marks + i]:
            store(M, allocate_scratch(M, W), load(M, groups_at + i * W))
            found += 1
    return at, found


@native
def mark_linked(M: Memory, ends: Groups, marks: int, near: Hexes) -> None:
    """Mark the groups near a set, if it is near two of them."""
    groups_at, number = ends
    touched = 0
    for i in range(number):
        touched += some(load(M, groups_at + i * W) & near)
    for i in range(number):
        if touched > 1 and some(load(M, groups_at + i * W) & near):
            M[marks + i] = 1


@native
def is_star(M: Memory, centre: Hexes, m: Hexes) -> bool:
    """Whether a hex and all six around it are in a set."""
    star = centre | neighbours(M, centre)
    return count(star) == 7 and not some(star & ~m)


@native
def star_of(M: Memory, m: Hexes, hex: int) -> Hexes:
    """The star of a set that covers a hex; nothing if no star of it does."""
    while some(m):
        first = single(lowest(m))
        centre = shl(first, STRIDE) & load(M, FULL)
        star = first
        if is_star(M, centre, m):
            star = centre | neighbours(M, centre)
            if has(star, hex):
                return star
        m = m & ~star
    return nothing()
