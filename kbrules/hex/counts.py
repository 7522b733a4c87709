"""How many of its six neighbours are in a set, for all hexes of a board at once.

The six shifted sets are added like numbers, bit by bit: the count of a hex is then spread over
three masks, its ones, twos and fours.
"""

from __future__ import annotations

from kbrules.hex.masks import Mask

# The neighbours a hex can have at most.
MAX_COUNT = 6

Tally = tuple[Mask, Mask, Mask]


def tally(m: Mask, stride: int) -> Tally:
    """The neighbour counts as masks of their ones, twos and fours, off the board included."""
    a, b, c = m << 1, m >> 1, m << stride
    d, e, f = m >> stride, m << stride - 1, m >> stride - 1
    ab, de = a ^ b, d ^ e
    one, two = ab ^ c, de ^ f
    both = one & two
    first, second = a & b | ab & c, d & e | de & f
    either = first ^ second
    return one ^ two, either ^ both, first & second | either & both


def at_least(sums: Tally, k: int, full: Mask) -> Mask:
    """The hexes of the board that count `k` or more."""
    ones, twos, fours = sums
    match k:
        case 1:
            found = ones | twos | fours
        case 2:
            found = twos | fours
        case 3:
            found = fours | ones & twos
        case 4:
            found = fours
        case 5:
            found = fours & (ones | twos)
        case 6:
            found = fours & twos
        case _:
            found = full if k < 1 else 0
    return found & full


def exactly(sums: Tally, k: int, full: Mask) -> Mask:
    """The hexes of the board that count `k`."""
    if not 0 <= k <= MAX_COUNT:
        return 0
    found = full
    for place, digit in enumerate(sums):
        found &= digit if k >> place & 1 else ~digit
    return found
