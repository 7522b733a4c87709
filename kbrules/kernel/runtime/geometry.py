"""Geometry for kernels: the words of `hex.grid` about sets, over vectors.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    inlined,
    load,
    lowest,
    native,
    nothing,
    shl,
    shr,
    single,
    some,
)
from kbrules.kernel.runtime.names import (
    AXIAL,
    FULL,
    HEX_KINDS,
    KINDS,
    LESS,
    PART_COUNT,
    STRIDE,
    WITH_HOLES,
    Groups,
    W,
)

# ------------------------------------------------------------------------------------------


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
