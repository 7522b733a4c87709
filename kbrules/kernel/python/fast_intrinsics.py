"""The words of a kernel that CPython says otherwise: a set of hexes is one cell of a list.

The texts of `FAST` go into every kernel, in the place of what stands there; `intrinsics` says what
each word means.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from kbrules.game.random import Random
from kbrules.kernel.runtime.intrinsics import Hexes, Memory
from kbrules.kernel.runtime.machine import run
from kbrules.kernel.runtime.names import DEPTH, FRAME, FRAMES, PLAYERS, STATE, STREAMS

Cells = MutableSequence[int]


def streams(seed: int, players: int) -> list[int]:
    """Where the streams of a seed begin: that of chance, then those of the players."""
    names = ("deck", *(f"bot {player}" for player in range(players)))
    return [Random(seed, name).position for name in names]


def load(M: Cells, at: int) -> Hexes:
    """The set that is stored from an index on."""
    return M[at]


def store(M: Cells, at: int, hexes: Hexes) -> None:
    """Store a set from an index on."""
    M[at] = hexes


def bit_at(M: Cells, at: int, hex: int) -> bool:
    """The same of a set in the memory."""
    return M[at] >> hex & 1 != 0


def again(M: Memory, base_depth: int) -> int:
    """Run the machine of the memory from within itself."""
    return run(M, base_depth)


def copy_cells(M: Cells, to: int, source: int, size: int) -> None:
    """Copy so many numbers to another place of the memory."""
    M[to : to + size] = M[source : source + size]


def seed_streams(M: Cells, seed: int) -> None:
    """The streams `deck` and `bot 0`, `bot 1` ... of a seed."""
    M[STREAMS : STREAMS + M[PLAYERS] + 1] = streams(seed, M[PLAYERS])


def copy_between(target: Cells, to: int, origin: Cells, at: int, size: int) -> int:
    """Copy so many numbers from one memory to another; how many were copied."""
    target[to : to + size] = origin[at : at + size]
    return size


def pack_state(M: Cells, out: Cells, to: int) -> int:
    """Copy the state, its running frames last, in one piece; where the copy ends."""
    return to + copy_between(out, to, M, STATE, FRAMES + M[DEPTH] * FRAME - STATE)


def unpack_state(M: Cells, given: Cells, at: int) -> int:
    """Take a state from a copy of it; where the copy ends."""
    size = FRAMES + given[at + DEPTH - STATE] * FRAME - STATE
    return at + copy_between(M, STATE, given, at, size)


FAST = (
    load, store, bit_at, again, copy_cells, seed_streams, copy_between, pack_state, unpack_state,
)  # fmt: skip
"""What takes the place of the words of the same names."""
