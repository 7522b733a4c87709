"""Time: workloads run in turns, in CPU seconds, and medians of it."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

ROUNDS = 7
Workload = Callable[[], int]
"""Does something, and says how many times."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each workload was done in a second, round by round."""

    of: Mapping[str, tuple[float, ...]]

    def rate(self, name: str) -> float:
        """The median of the rounds."""
        return median(self.of[name])

    def ratio(self, name: str, other: str) -> float:
        """The median of the rounds' ratios: what slows a round slows both alike."""
        pairs = zip(self.of[name], self.of[other], strict=True)
        return median(one / another for one, another in pairs)


def measure_in_turns(workloads: Mapping[str, Workload], rounds: int = ROUNDS) -> Rates:
    """Run all workloads in turns, once beforehand and then so many rounds."""
    for work in workloads.values():
        work()
    rates_of: dict[str, list[float]] = {name: [] for name in workloads}
    for _ in range(rounds):
        for name, work in workloads.items():
            gc.collect()
            started = cpu_seconds()
            times = work()
            rates_of[name].append(times / (cpu_seconds() - started))
    return Rates({name: tuple(rates) for name, rates in rates_of.items()})


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """The CPU time of doing something once, measured over so many times."""
    gc.collect()
    started = cpu_seconds()
    for _ in range(times):
        work()
    return (cpu_seconds() - started) / times


def cpu_seconds() -> float:
    """The CPU seconds of this process and of those that it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
