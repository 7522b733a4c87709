"""The smallest words of a kernel, in plain Python: what `vectors` must do, in a line each.

A kernel works on one memory of signed 64-bit numbers. A set of hexes is stored in `WIDTH` of them,
lowest bits first; outside the memory it is one value. Here that value is an int, so that a kernel
runs without numba as well: slowly, but every index is checked and every step can be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from hashlib import blake2b
from typing import Any, TypeVar

__all__ = [
    "Groups", "Hexes", "Memory", "again", "bit_at", "count", "digest", "has", "inlined", "is_below",
    "load", "lowest", "mixed", "native", "nothing", "nth", "remainder", "shl", "shr", "single",
    "some", "store", "times_high", "top",
]  # fmt: skip

WIDTH = 8  # of a memory that a test writes to; a kernel has its own
WORD = 64
ALL = 2**64 - 1

Hexes = int
Groups = tuple[int, int]
"""Where groups of hexes lie in the memory, and how many there are; or two numbers."""
Code = TypeVar("Code", bound=Callable[..., Any])


class Memory(list[int]):
    """A memory in Python: `width` numbers hold a set of hexes; `run` is what `again` calls."""

    width = WIDTH
    run: Callable[..., int]

    def __getitem__(self, at: int) -> int:  # type: ignore[override]
        if at < 0:
            raise IndexError(at)
        return super().__getitem__(at)

    def __setitem__(self, at: int, value: int) -> None:  # type: ignore[override]
        if at < 0:
            raise IndexError(at)
        super().__setitem__(at, _signed(int(value)))


def native(code: Code) -> Code:
    """Mark a function of a kernel; here it stays what it is. Back ends read marks in the text."""
    return code


inlined = native
"""Marks small functions, which LLVM writes out wherever they are called: a call costs more."""


def _signed(value: int) -> int:
    value &= ALL
    return value - 2**64 if value >> 63 else value


def load(M: Memory, at: int) -> Hexes:
    """The set that is stored from an index on."""
    return sum((M[at + i] & ALL) << WORD * i for i in range(M.width))


def store(M: Memory, at: int, hexes: Hexes) -> None:
    """Store a set from an index on."""
    for i in range(M.width):
        M[at + i] = hexes >> WORD * i & ALL


def nothing() -> Hexes:
    """The empty set."""
    return 0


def single(hex: int) -> Hexes:
    """The set of one hex; empty if the index is negative."""
    return 1 << hex if hex >= 0 else 0


def shl(hexes: Hexes, by: int) -> Hexes:
    """The set with every index that much larger; `by` is a number in the text of the kernel."""
    return hexes << by


def shr(hexes: Hexes, by: int) -> Hexes:
    """The same, smaller."""
    return hexes >> by


def some(hexes: Hexes) -> bool:
    """Whether there is a hex in the set."""
    return hexes != 0


def count(hexes: Hexes) -> int:
    """How many there are."""
    return hexes.bit_count()


def has(hexes: Hexes, hex: int) -> bool:
    """Whether a hex is in the set."""
    return hexes >> hex & 1 != 0


def bit_at(M: Memory, at: int, hex: int) -> bool:
    """The same of a set in the memory."""
    return bool(M[at + (hex >> 6)] >> (hex & 63) & 1)


def lowest(hexes: Hexes) -> int:
    """The smallest index; -1 of the empty set."""
    return (hexes & -hexes).bit_length() - 1


def top(hexes: Hexes) -> int:
    """The largest index; -1 of the empty set."""
    return hexes.bit_length() - 1


def nth(hexes: Hexes, k: int) -> int:
    """The k-th index from below, counted from 0; there must be so many."""
    for _ in range(k):
        hexes &= hexes - 1
    return lowest(hexes)


def mixed(state: int) -> int:
    """The raw number that SplitMix64 makes of a state."""
    z = state & ALL
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL
    z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL
    return _signed(z ^ z >> 31)


def times_high(x: int, n: int) -> int:
    """The upper half of the product of two unsigned numbers."""
    return _signed((x & ALL) * (n & ALL) >> WORD)


def is_below(a: int, b: int) -> bool:
    """Whether one unsigned number is less than another."""
    return a & ALL < b & ALL


def remainder(n: int) -> int:
    """2**64 modulo n."""
    return _signed(2**64 % n)


def digest(M: MutableSequence[int], at: int, length: int) -> int:
    """The first 8 bytes of an unkeyed BLAKE2b digest, `digest_size=8`, of up to 128 bytes there."""
    data = b"".join((M[at + i] & ALL).to_bytes(8, "little") for i in range(16))
    return _signed(int.from_bytes(blake2b(data[:length], digest_size=8).digest(), "little"))


def again(M: Memory, base_depth: int) -> int:
    """Run the machine of the memory from within itself."""
    return M.run(M, 0, base_depth, M, M)
