"""A set of hexes as one `int`: bit `i` is set when the hex with index `i` is in the set.

Union, intersection, difference and size are Python's own `|`, `&`, `& ~` and `bit_count`; here
is only what `int` cannot say by itself. Which hex a bit stands for is the business of a grid.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Mask", "bits", "lowest", "nth", "nth_of_many", "of"]

Mask = int

# Below this many hexes, clearing the lowest bit again and again beats reading bytes (measured).
FEW = 12
# The same trade for picking: clearing this many bits costs as much as halving all the way down.
NEAR = 5

_BITS_OF_BYTE = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))


def of(indexes: Iterable[int]) -> Mask:
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
    if m.bit_count() > FEW:
        return _bits_by_bytes(m)
    indexes = []
    while m:
        low = m & -m
        indexes.append(low.bit_length() - 1)
        m ^= low
    return indexes


def _bits_by_bytes(m: Mask) -> list[int]:
    indexes: list[int] = []
    for place, byte in enumerate(m.to_bytes((m.bit_length() + 7) >> 3, "little")):
        if byte:
            base = place << 3
            indexes += [base + i for i in _BITS_OF_BYTE[byte]]
    return indexes


def nth(m: Mask, k: int) -> int:
    """The index of the `k`-th hex of a set, counted from 0 in ascending order.

    Raises `IndexError` if the set has no more than `k` hexes, or `k` is negative.
    """
    if k > NEAR:
        return nth_of_many(m, k)
    while k > 0:
        m &= m - 1
        k -= 1
        if not m:
            break
    if not m or k < 0:
        raise IndexError("the set has no hex of that number")
    return (m & -m).bit_length() - 1


def nth_of_many(m: Mask, k: int) -> int:
    """The same, going on in the half where it is until a byte is left, which is looked up.

    It is for numbers above `NEAR`; `k` must not be negative.
    """
    below = 0
    if m > _WIDEST:
        m, k, below = _shortened(m, k)
    for width, lower in _LESSER_HALVES if m <= _WIDE else _HALVES:
        found = m & lower
        count = found.bit_count()
        if k < count:
            m = found
        else:
            m, k, below = m >> width, k - count, below + width
    return below + _BITS_OF_BYTE[m][k]


def _shortened(m: Mask, k: int) -> tuple[Mask, int, int]:
    """The part of a wide set that the number falls in, which number it is there, and where."""
    below = 0
    while m > _WIDEST:
        width = (m.bit_length() + 1) >> 1
        found = m & ((1 << width) - 1)
        count = found.bit_count()
        m, k, below = (found, k, below) if k < count else (m >> width, k - count, below + width)
    return m, k, below


# Masks of fixed widths are made once, and the smaller a number the faster it is.
_HALVES = tuple((width, (1 << width) - 1) for width in (256, 128, 64, 32, 16, 8))
_LESSER_HALVES = _HALVES[1:]
_WIDE, _WIDEST = (1 << 256) - 1, (1 << 512) - 1
