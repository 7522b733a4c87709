"""Chance in kernels, as `game.random` specifies it: streams of a seed, numbers, weights.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Memory,
    digest,
    inlined,
    is_below,
    mixed,
    native,
    remainder,
    times_high,
)
from kbrules.kernel.runtime.names import MESSAGE, PLAYERS, STREAMS

# ------------------------------------------------------------------------------------------


@inlined
def raw(M: Memory, at: int) -> int:
    """The next raw number of a stream."""
    M[at] = M[at] - 7046029254386353131  # 0x9E3779B97F4A7C15, as a signed number
    return mixed(M[at])


@inlined
def below(M: Memory, at: int, n: int) -> int:
    """A number from 0 to `n - 1`."""
    x = raw(M, at)
    if is_below(x * n, n):
        limit = remainder(n)
        while is_below(x * n, limit):
            x = raw(M, at)
    return times_high(x, n)


@native
def weighted(M: Memory, at: int, weights: int, number: int) -> int:
    """An index, each as likely as its weight says."""
    total = 0
    for i in range(number):
        total += M[weights + i]
    left = below(M, at, total)
    for i in range(number):
        if left < M[weights + i]:
            return i
        left -= M[weights + i]
    return 0


@native
def put_byte(M: Memory, at: int, byte: int) -> int:
    """Write a byte of a message; where the next one goes."""
    M[MESSAGE + (at >> 3)] |= byte << 8 * (at & 7)
    return at + 1


@native
def put_number(M: Memory, at: int, number: int) -> int:
    """Write a number in decimal; where the next byte goes."""
    if number < 0:
        at = put_byte(M, at, 45)
    left = number
    size = 1
    while left > 9 or left < -9:
        left = left // 10 if left > 0 else -(-left // 10)
        size += 1
    for i in range(size):
        digit = number % 10 if number >= 0 else -number % 10
        put_byte(M, at + size - 1 - i, 48 + digit)
        number = number // 10 if number >= 0 else -(-number // 10)
    return at + size


@native
def seed_streams(M: Memory, seed: int) -> None:
    """The streams `deck` and `bot 0`, `bot 1` ... of a seed."""
    for stream in range(M[PLAYERS] + 1):
        for i in range(16):
            M[MESSAGE + i] = 0
        at = put_byte(M, put_number(M, 0, seed), 47)
        if stream == 0:
            for byte in (100, 101, 99, 107):
                at = put_byte(M, at, byte)
        else:
            for byte in (98, 111, 116, 32):
                at = put_byte(M, at, byte)
            at = put_number(M, at, stream - 1)
        M[STREAMS + stream] = digest(M, MESSAGE, at)
