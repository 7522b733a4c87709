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

from collections.abc import Sequence
from hashlib import blake2b
from operator import index as as_index
from typing import TypeVar

from kbrules.hex.sets import Mask, nth_unchecked

Item = TypeVar("Item")

_WORD = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
"""The numbers of SplitMix64."""


class Random:
    """One stream of chance, named within a seed; streams of one seed are independent.

    position: where it stands, the state of the raw number that was taken last.
    """

    __slots__ = ("position",)

    def __init__(self, seed: int, stream: str) -> None:
        if type(seed) is not int:
            if not hasattr(seed, "__index__"):
                raise TypeError(f"a seed is a whole number, not a {type(seed).__name__}")
            seed = as_index(seed)
        digest = blake2b(f"{seed}/{stream}".encode(), digest_size=8).digest()
        self.position: int = int.from_bytes(digest, "little")

    def go_to(self, position: int) -> None:
        """Stand where a stream stood, this one or another; what comes next is the same."""
        self.position = as_index(position) & _WORD

    def next64(self) -> int:
        """The next raw number, 0 to 2**64 - 1."""
        self.position = z = self.position + GAMMA & _WORD
        z = (z ^ z >> 30) * FIRST & _WORD
        z = (z ^ z >> 27) * SECOND & _WORD
        return z ^ z >> 31

    def below(self, n: int) -> int:
        """A number from 0 to `n - 1`, each as likely; `ValueError` unless 1 <= n <= 2**64."""
        if type(n) is not int:
            n = as_index(n)
        if not 1 <= n <= 2**64:
            raise ValueError(f"below({n}): it takes a number from 1 to 2**64")
        product = self.next64() * n
        if product & _WORD < n:  # only then it may be below the threshold, which is less than n
            threshold = 2**64 % n
            while product & _WORD < threshold:
                product = self.next64() * n
        return product >> 64

    def pick(self, m: Mask) -> int:
        """The index of one hex of a set, each as likely; `ValueError` if it is empty.

        It is the hex of the number `below(size)`, in ascending order.
        """
        if not isinstance(m, int):
            raise TypeError("a set of hexes is a number")
        return nth_unchecked(m, self.below(m.bit_count()))

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
