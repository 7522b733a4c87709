"""The generator of chance: the same seed means the same game, today and in any other program.

How to reproduce it. All numbers are unsigned, all sums and products are taken modulo 2**64.

Key. Write the seed in decimal (a minus sign in front if negative, no leading zeros), then `/`,
then the name of the stream, and encode this as UTF-8. The unkeyed BLAKE2b digest of 8 bytes, read
as a little-endian number, is the initial `state`.

Raw numbers are those of SplitMix64. For each of them:

    state = state + 0x9E3779B97F4A7C15
    z = state
    z = (z XOR (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z XOR (z >> 27)) * 0x94D049BB133111EB
    the number is z XOR (z >> 31)

below(n), for 1 <= n <= 2**64. Take a raw number x and form the exact product x * n (128 bits). If
its lower 64 bits are less than 2**64 mod n, take the next raw number and try again. Otherwise the
upper 64 bits are the result. Every call uses up at least one raw number, n = 1 too.

choice(items) is items[below(length)], counted from 0.
shuffle: for i = length - 1 down to 1: exchange items i and below(i + 1).
sample of k: for i = 0 up to k - 1: exchange items i and i + below(length - i); the first k items,
in that order, are the sample.
weighted(weights): t = below(sum of all weights); the result is the first index at which the sum of
the weights up to and including it exceeds t.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from kbrules.hex.masks import NEAR, Mask, nth_of_many

__all__ = ["Random"]

Item = TypeVar("Item")

_WORD = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB

# Raw numbers are mixed a block at a time, side by side in one long int, which is five times
# faster than one by one; in longer blocks each number takes longer again. Each has a lane of
# 128 bits, so that a product with a 64-bit constant stays in its lane; masking with `_LANES` is
# the "modulo 2**64".
_BLOCK = 16
_ONES = sum(1 << 128 * lane for lane in range(_BLOCK))
_LANES = _ONES * _WORD
_RAMP = sum((_GAMMA * (lane + 1) & _WORD) << 128 * lane for lane in range(_BLOCK))
_unpack = struct.Struct("<" + "Q8x" * _BLOCK).unpack


def _mixed(state: int) -> list[int]:
    """The next block of raw numbers after a state, last one first."""
    z = (state * _ONES + _RAMP) & _LANES
    z = ((z ^ z >> 30) & _LANES) * _FIRST & _LANES
    z = ((z ^ z >> 27) & _LANES) * _SECOND & _LANES
    # The last shift spills into upper halves only, and those are not read.
    z ^= z >> 31
    return list(reversed(_unpack(z.to_bytes(16 * _BLOCK, "little"))))


class Random:
    """One stream of chance, named within a seed; streams of one seed are independent."""

    __slots__ = ("_ahead", "_state")

    def __init__(self, seed: int, stream: str) -> None:
        digest = blake2b(f"{seed}/{stream}".encode(), digest_size=8).digest()
        self._state = int.from_bytes(digest, "little")
        self._ahead: list[int] = []

    def __copy__(self) -> Random:
        # Two streams must not draw from the same list.
        twin = object.__new__(Random)
        twin._state, twin._ahead = self._state, self._ahead.copy()
        return twin

    def next64(self) -> int:
        """The next raw number, 0 to 2**64 - 1."""
        if not self._ahead:
            self._ahead = _mixed(self._state)
            self._state = (self._state + _BLOCK * _GAMMA) & _WORD
        return self._ahead.pop()

    def below(self, n: int) -> int:
        """A number from 0 to `n - 1`, each as likely; `ValueError` unless 1 <= n <= 2**64."""
        try:
            product = self._ahead.pop() * n
        except IndexError:
            product = self.next64() * n
        if product & _WORD >= n > 0:
            return product >> 64
        return self._below_with_care(product, n)

    def _below_with_care(self, product: int, n: int) -> int:
        if not 1 <= n <= 2**64:
            raise ValueError(f"below({n}): it takes a number from 1 to 2**64")
        threshold = 2**64 % n
        while product & _WORD < threshold:
            product = self.next64() * n
        return product >> 64

    def pick(self, m: Mask) -> int:
        """The index of one hex of a set, each as likely; `ValueError` if it is empty.

        It is the hex of the number `below(size)`, in ascending order.
        """
        size = m.bit_count()
        try:
            product = self._ahead.pop() * size
        except IndexError:
            product = self.next64() * size
        if product & _WORD < size or not size:
            product = self._below_with_care(product, size) << 64
        left = product >> 64
        if left <= NEAR:
            while left:
                m &= m - 1
                left -= 1
            return (m & -m).bit_length() - 1
        right = size - 1 - left
        if right > NEAR:
            return nth_of_many(m, left)
        while right:
            m ^= 1 << m.bit_length() - 1
            right -= 1
        return m.bit_length() - 1

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items; `ValueError` if there is none."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """The items in another order, as a new list."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def sample(self, items: Sequence[Item], k: int) -> list[Item]:
        """`k` different items in the order drawn; `ValueError` if there are not so many."""
        pool = list(items)
        if not 0 <= k <= len(pool):
            raise ValueError(f"cannot draw {k} of {len(pool)} items")
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, each as likely as its weight says; `ValueError` unless some weight is above 0.

        Weights are whole numbers, none below 0.
        """
        if weights and min(weights) < 0:
            raise ValueError("a weight below 0")
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if left < weight:
                return index
            left -= weight
        raise ValueError("no weight is above 0")
