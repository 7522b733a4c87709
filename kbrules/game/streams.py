"""Streams of chance of many seeds side by side: what `random.Random` draws of each, as arrays.

It needs numpy, which the extra `fast` brings.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy

from kbrules.game.random import FIRST, GAMMA, SECOND

_LARGEST = 2**32


class Streams:
    """The stream of one name of each of some seeds; each draw is an array, a number for each."""

    def __init__(self, seeds: Sequence[int], stream: str) -> None:
        tail = f"/{stream}"
        keys = b"".join(
            [blake2b(f"{seed}{tail}".encode(), digest_size=8).digest() for seed in seeds]
        )
        self._states = numpy.frombuffer(keys, dtype="<u8").astype(numpy.uint64)

    def _raw(self, which: Any) -> Any:
        """The next raw numbers of some of the streams."""
        word = numpy.uint64
        self._states[which] += word(GAMMA)
        z = self._states[which]
        z = (z ^ z >> word(30)) * word(FIRST)
        z = (z ^ z >> word(27)) * word(SECOND)
        return z ^ z >> word(31)

    def below(self, n: int) -> Any:
        """Numbers from 0 to `n - 1`; ValueError unless 1 <= n <= 2**32."""
        if not 1 <= n <= _LARGEST:
            raise ValueError(f"below({n}): it takes a number from 1 to 2**32")
        word, threshold = numpy.uint64, 2**64 % n
        found = self._raw(slice(None))
        again = (found * word(n) < word(threshold)).nonzero()[0]
        while len(again):
            found[again] = self._raw(again)
            again = again[found[again] * word(n) < word(threshold)]
        low, high = found & word(_LARGEST - 1), found >> word(32)
        upper = high * word(n) + (low * word(n) >> word(32)) >> word(32)
        return upper.astype(numpy.int64)

    def sample(self, items: Sequence[Any], k: int) -> list[Any]:
        """Of each stream the numbers of `k` different items in the order drawn."""
        every = numpy.arange(len(self._states))
        pool = numpy.tile(numpy.arange(len(items)), (len(every), 1))
        for i in range(k):
            j = i + self.below(len(items) - i)
            drawn = pool[every, j]
            pool[every, j] = pool[:, i]
            pool[:, i] = drawn
        return [pool[:, i] for i in range(k)]
