"""Sets of hexes and groups of them: the words of `hex.grid` and `primitives.sets`."""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Groups, Hexes, Memory, count, has, inlined, load, lowest, native, nothing, shl, shr, single,
    some, store, top,
)  # fmt: skip
from kbrules.kernel.runtime.names import *


@inlined
def neighbours(M: Memory, m: Hexes) -> Hexes:
    """The hexes that touch a hex of the set."""
    t = m | shl(m, 1)
    return (shl(m, 1) | shr(m, 1) | shl(t, LESS) | shr(t, STRIDE)) & load(M, FULL)


@inlined
def along(m: Hexes, axis: int) -> Hexes:
    """The set moved by one step along an axis, bits that are no hexes included."""
    if axis == 0:
        return shl(m, 1)
    if axis == 1:
        return shl(m, STRIDE)
    return shl(m, LESS)


@inlined
def back(m: Hexes, axis: int) -> Hexes:
    """The same the other way."""
    if axis == 0:
        return shr(m, 1)
    if axis == 1:
        return shr(m, STRIDE)
    return shr(m, LESS)


@inlined
def stepped(m: Hexes, direction: int) -> Hexes:
    """The set moved by one step in a direction."""
    if direction < 3:
        return along(m, direction)
    return back(m, direction - 3)


@native
def within(M: Memory, m: Hexes, n: int) -> Hexes:
    """The hexes at most so many steps from the set."""
    board = load(M, WITH_HOLES)
    for _ in range(n):
        t = m | shl(m, 1)
        wider = (t | shr(m, 1) | shl(t, LESS) | shr(t, STRIDE)) & board
        if not some(wider & ~m):
            break
        m = wider
    return m & load(M, FULL)


@native
def distance(M: Memory, one: Hexes, other: Hexes) -> int:
    """How many steps lead from a set to another; 0 if none do."""
    board = load(M, WITH_HOLES)
    steps = 0
    while not some(one & other):
        t = one | shl(one, 1)
        wider = (t | shr(one, 1) | shl(t, LESS) | shr(t, STRIDE)) & board
        if not some(wider & ~one):
            return 0
        one = wider
        steps += 1
    return steps


@inlined
def at_least(M: Memory, m: Hexes, k: int) -> Hexes:
    """The hexes with at least `k` neighbours in the set."""
    if k < 1:
        return load(M, FULL)
    if k > 6:
        return nothing()
    a, b, c = shl(m, 1), shr(m, 1), shl(m, STRIDE)
    d, e, f = shr(m, STRIDE), shl(m, LESS), shr(m, LESS)
    ab, de = a ^ b, d ^ e
    one, two = ab ^ c, de ^ f
    both = one & two
    first, second = a & b | ab & c, d & e | de & f
    either = first ^ second
    ones, twos, fours = one ^ two, either ^ both, first & second | either & both
    found = fours
    if k == 1:
        found = ones | twos | fours
    elif k == 2:
        found = twos | fours
    elif k == 3:
        found = fours | ones & twos
    elif k == 5:
        found = fours & (ones | twos)
    elif k == 6:
        found = fours & twos
    return found & load(M, FULL)


@inlined
def touching(M: Memory, m: Hexes, how_many: Groups) -> Hexes:
    """The hexes of which the number of neighbours in the set is in a range."""
    low, high = how_many
    found = at_least(M, m, low) if low > 0 else load(M, FULL)
    return found & ~at_least(M, m, high + 1) if high < 6 else found


@inlined
def inside(M: Memory, m: Hexes) -> Hexes:
    """The hexes of the set whose six neighbours are all in it."""
    return m & at_least(M, m, 6)


@inlined
def narrowed(m: Hexes, to: Hexes) -> Hexes:
    """What of a set lies in another, or all of it if nothing does."""
    found = m & to
    return found if some(found) else m


@inlined
def foremost(m: Hexes) -> Hexes:
    """The first hex of the set."""
    return single(lowest(m))


@native
def connected(M: Memory, seeds: Hexes, by: Hexes) -> Hexes:
    """The hexes of the second set in the same groups of it as hexes of the first."""
    group = by & seeds
    before = nothing()
    while some(group ^ before):
        before = group
        t = group | shl(group, 1)
        group = (t | shr(group, 1) | shl(t, LESS) | shr(t, STRIDE)) & by
    return group


@native
def enclosed(M: Memory, by: Hexes) -> Hexes:
    """The hexes outside a set from which no way leads past it to the border."""
    board = load(M, FULL)
    outside = board & ~by
    return outside & ~connected(M, outside & ~at_least(M, board, 6), outside)


@native
def ringed(M: Memory, by: Hexes) -> Hexes:
    """The hexes around which a set closes a ring."""
    return enclosed(M, by) | inside(M, by)


@native
def transformed(M: Memory, of: Hexes, at: int) -> Hexes:
    """The set that a symmetry makes of a set, by its table of indexes."""
    found = nothing()
    while some(of):
        hex = lowest(of)
        of = of & ~single(hex)
        found = found | single(M[at + hex])
    return found


@native
def alike(M: Memory, of: Hexes) -> Hexes:
    """All hexes of the same kinds as hexes of the set."""
    found = nothing()
    for kind in range(HEX_KINDS):
        mask = load(M, KINDS + kind * W)
        if some(mask & of):
            found = found | mask
    return found


@native
def span(M: Memory, of: Hexes) -> int:
    """The number of hexes from one end of the set to the other."""
    most = 0
    for part in range(M[PART_COUNT]):
        most = max(most, extent(M, of, part))
    return most + 1 if some(of) else 0


@native
def extent(M: Memory, of: Hexes, part: int) -> int:
    """The largest distance between two hexes of the set in one part; negative of none."""
    low_row = low_slant = low_fall = 1000000
    row = slant = fall = -1000000
    left = of
    while some(left):
        hex = lowest(left)
        left = left & ~single(hex)
        at = AXIAL + 4 * hex
        if M[at] == part:
            low_row, row = min(low_row, M[at + 1]), max(row, M[at + 1])
            low_slant, slant = min(low_slant, M[at + 2]), max(slant, M[at + 2])
            low_fall, fall = min(low_fall, M[at + 3]), max(fall, M[at + 3])
    return max(max(row - low_row, slant - low_slant), max(fall - low_fall, 0))


# Movement: the words of `primitives.sets` for where a piece may go.


@native
def straight_over(M: Memory, m: Hexes, n: int, over: Hexes) -> Hexes:
    """The hexes exactly so many steps away in a straight line over hexes of the last set."""
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


# Groups of hexes: where they lie in the memory, and how many there are.


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


@inlined
def largest(M: Memory, of: Groups) -> Hexes:
    """The first of the groups with the most hexes."""
    return first_by_size(M, of, 1)


@inlined
def smallest(M: Memory, of: Groups) -> Hexes:
    """The first of the groups with the fewest hexes."""
    return first_by_size(M, of, -1)


@native
def first_by_size(M: Memory, of: Groups, sign: int) -> Hexes:
    """The first of the groups with the most hexes, or by the sign -1 with the fewest."""
    at, number = of
    found, most = nothing(), -1000000
    for i in range(number):
        group = load(M, at + i * W)
        if sign * count(group) > most:
            found, most = group, sign * count(group)
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
