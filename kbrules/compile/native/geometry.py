"""Geometry for kernels: the words of `hex.grid` over vectors. The text below goes into a kernel.

Everything after the line of dashes is copied into each kernel, where the names in capitals are
numbers: the strides of the grid, and where the memory keeps what the board fixes. A value that
is a tuple of groups elsewhere is here where the groups lie in the memory, and how many there are.
"""

from __future__ import annotations

from kbrules.compile.native.plain import (
    Hexes,
    Memory,
    bit_at,
    count,
    has,
    inlined,
    load,
    lowest,
    native,
    nothing,
    shl,
    shr,
    single,
    some,
    store,
    top,
)

W = 8
STRIDE = LESS = 0
FULL = WITH_HOLES = KINDS = HEX_KINDS = AXIAL = PART_COUNT = 0
SCRATCH = SCRATCH_END = FAULT = 0
OUT_OF_ROOM = 1
Groups = tuple[int, int]

# ------------------------------------------------------------------------------------------


@inlined
def neighbours(M: Memory, m: Hexes) -> Hexes:
    t = m | shl(m, 1)
    return (shl(m, 1) | shr(m, 1) | shl(t, LESS) | shr(t, STRIDE)) & load(M, FULL)


@inlined
def along(m: Hexes, axis: int) -> Hexes:
    if axis == 0:
        return shl(m, 1)
    if axis == 1:
        return shl(m, STRIDE)
    return shl(m, LESS)


@inlined
def back(m: Hexes, axis: int) -> Hexes:
    if axis == 0:
        return shr(m, 1)
    if axis == 1:
        return shr(m, STRIDE)
    return shr(m, LESS)


@inlined
def stepped(m: Hexes, direction: int) -> Hexes:
    if direction < 3:
        return along(m, direction)
    return back(m, direction - 3)


@native
def within(M: Memory, m: Hexes, n: int) -> Hexes:
    board = load(M, WITH_HOLES)
    for _ in range(max(0, min(n, 99))):
        t = m | shl(m, 1)
        m = (t | shr(m, 1) | shl(t, LESS) | shr(t, STRIDE)) & board
    return m & load(M, FULL)


@inlined
def at_least(M: Memory, m: Hexes, k: int) -> Hexes:
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
    low, high = how_many
    found = at_least(M, m, low) if low > 0 else load(M, FULL)
    return found & ~at_least(M, m, high + 1) if high < 6 else found


@inlined
def inside(M: Memory, m: Hexes) -> Hexes:
    return m & at_least(M, m, 6)


@inlined
def narrowed(m: Hexes, to: Hexes) -> Hexes:
    found = m & to
    return found if some(found) else m


@inlined
def foremost(m: Hexes) -> Hexes:
    return single(lowest(m))


@native
def slide(M: Memory, m: Hexes, through: Hexes) -> Hexes:
    through = through & load(M, FULL)
    stops = nothing()
    for direction in range(6):
        blocked = through & ~stepped(through, (direction + 3) % 6)
        front = stepped(m, direction) & through
        while some(front):
            stops = stops | (front & blocked)
            front = stepped(front, direction) & through
    return stops


@native
def next_in(M: Memory, m: Hexes, among: Hexes) -> Hexes:
    full = load(M, FULL)
    found = nothing()
    for direction in range(6):
        front = stepped(m, direction) & full
        while some(front):
            found = found | (front & among)
            front = stepped(front & ~among, direction) & full
    return found


@native
def reach(M: Memory, m: Hexes, steps: int, through: Hexes) -> Hexes:
    reached = nothing()
    for _ in range(max(0, min(steps, 99))):
        m = neighbours(M, m) & through & ~reached
        reached = reached | m
    return reached


@native
def connected(M: Memory, seeds: Hexes, by: Hexes) -> Hexes:
    group = by & seeds
    before = nothing()
    while some(group ^ before):
        before = group
        t = group | shl(group, 1)
        group = (t | shr(group, 1) | shl(t, LESS) | shr(t, STRIDE)) & by
    return group


@native
def alike(M: Memory, of: Hexes) -> Hexes:
    found = nothing()
    for kind in range(HEX_KINDS):
        mask = load(M, KINDS + kind * W)
        if some(mask & of):
            found = found | mask
    return found


@native
def span(M: Memory, of: Hexes) -> int:
    most = 0
    for part in range(M[PART_COUNT]):
        most = max(most, extent(M, of, part))
    return most + 1 if some(of) else 0


@native
def extent(M: Memory, of: Hexes, part: int) -> int:
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


# Groups


@native
def room(M: Memory, size: int) -> int:
    """Where so many numbers of the scratch begin; the first ones again if nothing is left."""
    at = M[SCRATCH]
    if at + size > SCRATCH_END:
        M[FAULT] = OUT_OF_ROOM
        return SCRATCH_END - size if size < 4096 else at
    M[SCRATCH] = at + size
    return at


@native
def groups(M: Memory, of: Hexes) -> Groups:
    at = M[SCRATCH]
    number = 0
    while some(of):
        group = connected(M, single(lowest(of)), of)
        store(M, room(M, W), group)
        of = of & ~group
        number += 1
    return at, number


@native
def parts(M: Memory, of: Hexes, among: Groups) -> Groups:
    where, number = among
    at = M[SCRATCH]
    for i in range(number):
        store(M, room(M, W), of & load(M, where + i * W))
    return at, number


@native
def lines(M: Memory, of: Hexes, length: Groups) -> Groups:
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
            if high >= 400 or count(run) <= high:
                store(M, room(M, W), run)
                number += 1
    return at, number


@native
def runs_along(m: Hexes, low: int, axis: int) -> Hexes:
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
def ends(M: Memory, of: Groups) -> Hexes:
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
def largest(M: Memory, of: Groups) -> Hexes:
    at, number = of
    found, most = nothing(), -1
    for i in range(number):
        group = load(M, at + i * W)
        if count(group) > most:
            found, most = group, count(group)
    return found


@native
def smallest(M: Memory, of: Groups) -> Hexes:
    at, number = of
    found, least = nothing(), 1000000
    for i in range(number):
        group = load(M, at + i * W)
        if count(group) < least:
            found, least = group, count(group)
    return found


@native
def linked_hexes(M: Memory, ends: Hexes, by: Hexes) -> Hexes:
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
    where, number = ends
    marks = room(M, number)
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
            store(M, room(M, W), load(M, where + i * W))
            found += 1
    return at, found


@native
def mark_linked(M: Memory, ends: Groups, marks: int, near: Hexes) -> None:
    where, number = ends
    touched = 0
    for i in range(number):
        touched += some(load(M, where + i * W) & near)
    for i in range(number):
        if touched > 1 and some(load(M, where + i * W) & near):
            M[marks + i] = 1


@native
def is_star(M: Memory, centre: Hexes, m: Hexes) -> bool:
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


@native
def occupied_at(M: Memory, at: int, hex: int) -> bool:
    return bit_at(M, at, hex)
