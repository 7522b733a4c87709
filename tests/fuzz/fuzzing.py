"""Many mutated files of a kind, and each fault once, made small and ready to be a regression."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.fuzz.laws import fault_of
from tests.fuzz.mutation import mutated
from tests.fuzz.seeds import Seed, seeds_of
from tests.fuzz.shrinking import shrunk

MOST_FAULTS = 10
"""With so many different ones a run ends."""


@dataclass(frozen=True)
class Fault:
    """A law that is broken: which, and by what in the place of which seed."""

    law: str
    seed: Seed
    data: bytes

    def __str__(self) -> str:
        """A line for the table of `tests/regressions/test_fuzzed.py`."""
        return f"    ({self.seed.name!r}, {self.data!r}),  # {self.law}"


def drawn(kind: str, run: int, number: int) -> tuple[Seed, bytes]:
    """The file of a number in a run: the same for ever, as long as the seeds are the same."""
    random = Random(f"{kind} {run} {number}")
    seed = random.choice(seeds_of(kind))
    return seed, mutated(random, seed)


def faults(kind: str, run: int, numbers: range) -> list[Fault]:
    """What goes wrong with the files of a run, each fault once; read in the current folder."""
    found: dict[str, Fault] = {}
    for number in numbers:
        seed, data = drawn(kind, run, number)
        law = fault_of(seed, data)
        if law and law not in found:
            found[law] = Fault(law, seed, _small(seed, data, law))
            print(f"run {run}, number {number}:\n{found[law]}")
        if len(found) == MOST_FAULTS:
            break
    return [*found.values()]


def _small(seed: Seed, data: bytes, law: str) -> bytes:
    return shrunk(data, lambda fewer: fault_of(seed, fewer) == law)
