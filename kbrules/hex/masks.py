"""A set of hexes as one `int`: bit `i` is set when the hex with index `i` is in the set.

Union, intersection, difference and size are Python's own `|`, `&`, `& ~` and `bit_count`; here
is only what `int` cannot say by itself. Which hex a bit stands for is the business of a grid.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Mask", "bits", "lowest", "nth", "of"]

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
    below = 0
    if k > NEAR:
        m, k, below = _halved(m, k)
    while k > 0:
        m &= m - 1
        k -= 1
        if not m:
            break
    if not m or k < 0:
        raise IndexError("the set has no hex of that number")
    return below + (m & -m).bit_length() - 1


def _halved(m: Mask, k: int) -> tuple[Mask, int, int]:
    """What is left of a set above its first hexes, of which hex the number is that, and where."""
    below = 0
    width = m.bit_length()
    while width > _WIDEST:
        width = (width + 1) >> 1
        m, k, below = _half(m, k, below, width)
        width = m.bit_length()
    for width, lower in _HALVES:
        found = m & lower
        count = found.bit_count()
        if k < count:
            m = found
        else:
            m >>= width
            k -= count
            below += width
        if k <= NEAR:
            break
    return m, k, below


def _half(m: Mask, k: int, below: int, width: int) -> tuple[Mask, int, int]:
    found = m & ((1 << width) - 1)
    count = found.bit_count()
    return (found, k, below) if k < count else (m >> width, k - count, below + width)


# Masks of fixed widths are made once, and the smaller a number the faster it is.
_HALVES = tuple((width, (1 << width) - 1) for width in (256, 128, 64, 32))
_WIDEST = 512
