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
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from kbrules.hex.masks import IndexCache, Mask, bits, empty_index_cache

__all__ = ["Random"]

Item = TypeVar("Item")

_WORD = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB

# Raw numbers are mixed a block at a time, side by side in one long int: that takes a quarter of
# the time of one by one. Each has a lane of 128 bits, so that a product with a 64-bit constant
# stays in its lane; masking with `_LANES` is the "modulo 2**64". The last number comes first.
_BLOCK = 32
_ONES = sum(1 << 128 * lane for lane in range(_BLOCK))
_LANES = _ONES * _WORD
_RAMP = sum((_GAMMA * (_BLOCK - lane) & _WORD) << 128 * lane for lane in range(_BLOCK))

# Of a raw number x only y is buffered, which is its upper 16 bits plus 1, modulo 2**16: ints are
# faster the smaller they are. If y * n modulo 2**16 is more than n, which it nearly always is,
# below(n) is y * n >> 16: x lies between y - 1 and y (times 2**48), so that x * n lies between
# two products with the same upper bits, and what it is above them is more than n, thus fair.
# Otherwise x is mixed once more, as a whole. It is so as well of the 0 at the end of a block.
_UPPER = _ONES << 48
_END = (0,)
_upper = struct.Struct("<" + "6xH8x" * _BLOCK).unpack


def _mixed(state: int) -> tuple[int, ...]:
    """What is buffered of the next block of raw numbers after a state, last one first."""
    z = (state * _ONES + _RAMP) & _LANES
    z = ((z ^ z >> 30) & _LANES) * _FIRST & _LANES
    # What the product spills into upper halves is not read, and the last XOR is of lower bits.
    z = ((z ^ z >> 27) & _LANES) * _SECOND + _UPPER
    return _upper(z.to_bytes(16 * _BLOCK, "little"))


def _raw(state: int) -> int:
    """The raw number of a state, as a whole."""
    z = (state ^ state >> 30) * _FIRST & _WORD
    z = (z ^ z >> 27) * _SECOND & _WORD
    return z ^ z >> 31


class _Buffer(list[int]):
    """What is buffered of the next raw numbers, last one first, above a 0.

    state: that of the last of them.
    """

    __slots__ = ("state",)

    state: int

    def whole(self) -> int:
        """The raw number that was taken last, as a whole."""
        if not self:
            self._begin()
        return _raw(self.state - (len(self) - 1) * _GAMMA & _WORD)

    def below(self, n: int) -> int:
        """What the description says of `below`, for what was taken last."""
        if not self:
            product = self._begin() * n
            if product & 0xFFFF > n:
                return product >> 16
        if not 1 <= n <= 2**64:
            raise ValueError(f"below({n}): it takes a number from 1 to 2**64")
        threshold, product = 2**64 % n, self.whole() * n
        while product & _WORD < threshold:
            self.pop()
            product = self.whole() * n
        return product >> 64

    def _begin(self) -> int:
        """The first of a new block, which is taken."""
        self += _END
        self += _mixed(self.state)
        self.state = self.state + _BLOCK * _GAMMA & _WORD
        return self.pop()


# What follows has all it needs at hand and calls nothing: it takes much of the time of a game.


def _draw(ahead: _Buffer) -> Callable[[int], int]:
    take, exactly = ahead.pop, ahead.below

    def draw(n: int) -> int:
        product = take() * n
        return product >> 16 if product & 0xFFFF > n else exactly(n)

    return draw


def _pick(ahead: _Buffer, order: IndexCache) -> Callable[[Mask], int]:
    take, exactly = ahead.pop, ahead.below

    def pick(m: Mask) -> int:
        size = m.bit_count()
        product = take() * size
        left = product >> 16 if product & 0xFFFF > size else exactly(size)
        if size > 12:
            if m == order.rest:
                if not order:
                    order.extend(bits(m))
                hex = order.pop(left)
            else:
                order.clear()
                digits = bin(m)
                hex = len(digits) + ~digits.replace("1", "0", size + ~left).find("1")
            order.rest = m ^ 1 << hex
            return hex
        if left < 4:
            if left:
                m &= m - 1
                if left > 1:
                    m &= m - 1
                    if left > 2:
                        m &= m - 1
            return (m & -m).bit_length() - 1
        right = size + ~left
        if right < 3:
            if right:
                m ^= 1 << m.bit_length() - 1
                if right > 1:
                    m ^= 1 << m.bit_length() - 1
            return m.bit_length() - 1
        digits = bin(m)
        return len(digits) + ~digits.replace("1", "0", right).find("1")

    return pick


class Random:
    """One stream of chance, named within a seed; streams of one seed are independent.

    draw(n): what `below` gives, for those who know that `n` is not negative.
    pick(m): the index of one hex of a set, each as likely; `ValueError` if it is empty. It is
    the hex of the number `below(size)`, in ascending order. ahead: what is buffered of numbers that
    are still to come, for native code that draws from the stream.
    order: shared by streams that pick from the same sets in turn; it makes that faster.
    """

    # Both are made for the stream: that is faster than looking up what is its own.
    __slots__ = ("ahead", "draw", "pick")

    def __init__(self, seed: int, stream: str, order: IndexCache | None = None) -> None:
        digest = blake2b(f"{seed}/{stream}".encode(), digest_size=8).digest()
        self.ahead = ahead = _Buffer(_END)
        ahead.state = int.from_bytes(digest, "little")
        if order is None:
            order = empty_index_cache()
        self.draw, self.pick = _draw(ahead), _pick(ahead, order)

    def __copy__(self) -> Random:
        # Two streams must not draw from the same list.
        return _resume_at(self.ahead.state, tuple(self.ahead))

    def __reduce__(self) -> tuple[Any, ...]:
        return _resume_at, (self.ahead.state, tuple(self.ahead))

    @property
    def position(self) -> int:
        """Where the stream stands: the state of the raw number that was taken last."""
        return self.ahead.state - (len(self.ahead) - 1) * _GAMMA & _WORD

    def go_to(self, position: int) -> None:
        """Stand where a stream stood, this one or another; what comes next is the same."""
        self.ahead[:] = _END
        self.ahead.state = position & _WORD

    def next64(self) -> int:
        """The next raw number, 0 to 2**64 - 1."""
        self.ahead.pop()
        return self.ahead.whole()

    def below(self, n: int) -> int:
        """A number from 0 to `n - 1`, each as likely; `ValueError` unless 1 <= n <= 2**64."""
        return self.draw(n) if n > 0 else self.ahead.below(n)  # which refuses it

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


def _resume_at(state: int, buffered: Sequence[int]) -> Random:
    """A stream that goes on from there."""
    random = object.__new__(Random)
    random.ahead = _Buffer(buffered)
    random.ahead.state = state
    random.draw, random.pick = _draw(random.ahead), _pick(random.ahead, empty_index_cache())
    return random
