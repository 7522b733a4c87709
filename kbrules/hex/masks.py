"""A set of hexes as one `int`: bit `i` is set when the hex with index `i` is in the set.

Union, intersection, difference and size are Python's own `|`, `&`, `& ~` and `bit_count`; here
is only what `int` cannot say by itself. Which hex a bit stands for is the business of a grid.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

Mask = int
ANYTHING: Mask = -1
"""Every bit."""

# If there is a hex in so many bits, looking at every digit is as fast as clearing the lowest bit
# again and again (measured).
DENSE = 8

_TRUTHS = bytes(byte == ord("1") for byte in range(256))


def mask_of(indexes: Iterable[int]) -> Mask:
    """The set of the hexes with these indexes."""
    mask = 0
    for index in indexes:
        mask |= 1 << index
    return mask


def lowest(m: Mask) -> int:
    """The smallest index in a set; -1 if the set is empty."""
    return (m & -m).bit_length() - 1


def bits(m: Mask) -> list[int]:
    """The indexes in a set, in ascending order."""
    if m.bit_count() * DENSE > m.bit_length():
        return [*compress(count(), bin(m)[:1:-1].encode().translate(_TRUTHS))]
    indexes = []
    while m:
        low = m & -m
        indexes.append(low.bit_length() - 1)
        m ^= low
    return indexes


def nth(m: Mask, k: int) -> int:
    """The index of the `k`-th hex of a set, counted from 0 in ascending order.

    Raises `IndexError` if the set has no more than `k` hexes, or `k` is negative.
    """
    if not 0 <= k < m.bit_count():
        raise IndexError("the set has no hex of that number")
    return nth_unchecked(m, k)


def nth_unchecked(m: Mask, k: int) -> int:
    """The same, unchecked: the set must have such a hex."""
    if k < 4:
        if k:
            m &= m - 1
            if k > 1:
                m &= m - 1
                if k > 2:
                    m &= m - 1
        return (m & -m).bit_length() - 1
    # Written out in digits, those of the hexes above it are replaced: the fastest way (measured).
    digits = bin(m)
    return len(digits) + ~digits.replace("1", "0", m.bit_count() + ~k).find("1")
