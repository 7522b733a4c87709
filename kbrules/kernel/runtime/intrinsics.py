"""The smallest words of a kernel as CPython runs them; `vectors` has them as instructions of LLVM.

A kernel works on one memory of numbers. Here a set of hexes is an int, in one cell of the memory;
in native code it is one vector, stored in `W` signed 64-bit numbers, lowest bits first.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from hashlib import blake2b
from typing import Any, TypeVar

WORD = 64
ALL = 2**64 - 1

Hexes = int
Groups = tuple[int, int]
"""Where groups of hexes lie in the memory, and how many there are; or two numbers."""
Memory = MutableSequence[int]
Code = TypeVar("Code", bound=Callable[..., Any])


def native(code: Code) -> Code:
    """Mark a function of a kernel; here it stays what it is. Back ends read marks in the text."""
    return code


inlined = native
"""Marks small functions, which LLVM writes out wherever they are called: a call costs more."""
dispatching = native
"""Marks functions that only call one of many by a number, given their other parameters."""


def _signed(value: int) -> int:
    value &= ALL
    return value - 2**64 if value >> 63 else value


def load(M: Memory, at: int) -> Hexes:
    """The set that is stored from an index on."""
    return M[at]


def store(M: Memory, at: int, hexes: Hexes) -> None:
    """Store a set from an index on."""
    M[at] = hexes


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
    """Return whether a hex is in a set in the memory."""
    return M[at] >> hex & 1 != 0


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


def digest(M: Memory, at: int, length: int) -> int:
    """The first 8 bytes of an unkeyed BLAKE2b digest, `digest_size=8`, of up to 128 bytes there."""
    data = b"".join((M[at + i] & ALL).to_bytes(8, "little") for i in range(16))
    return _signed(int.from_bytes(blake2b(data[:length], digest_size=8).digest(), "little"))
