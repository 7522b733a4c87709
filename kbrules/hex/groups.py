"""Connected groups of a set, found by flooding it from one hex after another.

A flood goes right, left and down until that leads no further, and only then one step up: from
the lowest hex of a group most others lie down the board, and a step is a third shorter so.
"""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.hex.masks import Mask


def groups(m: Mask, stride: int) -> tuple[Mask, ...]:
    """The connected groups of a set, in order of their lowest hex."""
    return tuple(_one_by_one(m, stride))


def largest(m: Mask, stride: int) -> Mask:
    """The first of the groups with the most hexes; nothing of nothing."""
    best, most, left = 0, 0, m.bit_count()
    for group in _one_by_one(m, stride):
        size = group.bit_count()
        if size > most:
            best, most = group, size
        left -= size
        if left <= most:  # what is left holds no larger one
            break
    return best


def _one_by_one(m: Mask, stride: int) -> Iterator[Mask]:
    less = stride - 1
    base, later = 0, 2 | 1 << less | 1 << stride
    while m:
        # What is left is moved down to its lowest hex: short numbers are quicker.
        gap = (m & -m).bit_length() - 1
        m >>= gap
        base += gap
        grown = 1 | later & m
        while True:
            group = grown
            t = group | group << 1
            grown = (t | t << less | group >> 1) & m
            if grown == group:
                grown |= t >> stride & m
                if grown == group:
                    break
        m ^= group
        yield group << base
