"""Time: work done in turns, in CPU seconds, and medians of it."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

ROUNDS = 7
Work = Callable[[], int]
"""Does something, and says how many times."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each work was done in a second, round by round."""

    of: Mapping[str, tuple[float, ...]]

    def rate(self, name: str) -> float:
        """The median of the rounds."""
        return median(self.of[name])

    def ratio(self, name: str, other: str) -> float:
        """The median of the rounds' ratios: what slows a round slows both alike."""
        pairs = zip(self.of[name], self.of[other], strict=True)
        return median(one / another for one, another in pairs)


def in_turns(works: Mapping[str, Work], rounds: int = ROUNDS) -> Rates:
    """Do all works in turns, once beforehand and then so many rounds."""
    for work in works.values():
        work()
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            gc.collect()
            started = spent()
            times = work()
            found[name].append(times / (spent() - started))
    return Rates({name: tuple(rates) for name, rates in found.items()})


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """The CPU time of doing something once, measured over so many times."""
    gc.collect()
    started = spent()
    for _ in range(times):
        work()
    return (spent() - started) / times


def spent() -> float:
    """The CPU seconds of this process and of those that it has waited for."""
    used = os.times()
    return time.process_time() + used.children_user + used.children_system
