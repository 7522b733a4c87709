"""The smallest words of a kernel for CPython: a set of hexes is one int, in one cell of a list.

The text after the line of dashes goes in front of every kernel; `plain` says what each word means.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from kbrules.game.random import Random
from kbrules.kernel.runtime.names import PLAYERS, STREAMS
from kbrules.kernel.runtime.plain import Hexes

Cells = MutableSequence[int]


def run(M: Cells, floor: int) -> int:
    """In the text of the kernel: run the machine down to a floor."""
    raise NotImplementedError


def streams(seed: int, players: int) -> list[int]:
    """Where the streams of a seed begin: that of chance, then those of the players."""
    names = ("deck", *(f"bot {player}" for player in range(players)))
    return [Random(seed, name).position for name in names]


# ------------------------------------------------------------------------------------------


def load(M: Cells, at: int) -> Hexes:
    """The set that is kept from an index on."""
    return M[at]


def store(M: Cells, at: int, hexes: Hexes) -> None:
    """Keep a set from an index on."""
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


def bit_at(M: Cells, at: int, hex: int) -> bool:
    """The same of a set in the memory."""
    return M[at] >> hex & 1 != 0


def lowest(hexes: Hexes) -> int:
    """The smallest index; -1 of the empty set."""
    return (hexes & -hexes).bit_length() - 1


def top(hexes: Hexes) -> int:
    """The largest index; -1 of the empty set."""
    return hexes.bit_length() - 1


def again(M: Cells, floor: int) -> int:
    """Run the machine of the memory from within itself."""
    return run(M, floor)


def copied(M: Cells, to: int, source: int, size: int) -> None:
    """Copy so many numbers to another place of the memory."""
    M[to : to + size] = M[source : source + size]


def seed_streams(M: Cells, seed: int) -> None:
    """The streams `deck` and `bot 0`, `bot 1` ... of a seed."""
    M[STREAMS : STREAMS + M[PLAYERS] + 1] = streams(seed, M[PLAYERS])


def moved(target: Cells, to: int, origin: Cells, at: int, size: int) -> None:
    """Copy so many numbers from one memory to another."""
    target[to : to + size] = origin[at : at + size]
