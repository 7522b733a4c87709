"""Measure in CPU seconds, workloads in turns, and judge each figure by its goal.

Rates are of CPU time and measured in turns, so that a busy machine slows all workloads alike: read
the ratios.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from kbrules.tools.reports.report import Report, ReportTable

ROUNDS = 7
Workload = Callable[[], int]
"""Does something; returns how many times."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often per second each workload was done, round by round."""

    of: Mapping[str, tuple[float, ...]]

    def rate(self, name: str) -> float:
        """Return the median of the rounds."""
        return median(self.of[name])

    def ratio(self, name: str, other: str) -> float:
        """Return the median of the rounds' ratios: what slows a round slows both alike."""
        pairs = zip(self.of[name], self.of[other], strict=True)
        return median(one / another for one, another in pairs)


def measure_in_turns(workloads: Mapping[str, Workload], rounds: int = ROUNDS) -> Rates:
    """Run all workloads in turns, one round to warm up and then the measured `rounds`."""
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
    """Return the CPU seconds of one call, the mean of `times` calls."""
    gc.collect()
    started = cpu_seconds()
    for _ in range(times):
        work()
    return (cpu_seconds() - started) / times


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


NO_KERNEL = "not measured: pip install 'kbrules[fast]'"


@dataclass(frozen=True, slots=True)
class Goal:
    """The floor and the aim of a figure; with `is_most` both are upper limits."""

    floor: float
    aim: float | None = None
    is_most: bool = False

    def verdict_on(self, figure: float) -> str:
        """Say whether a figure meets it, or by how much it misses."""
        if not self._holds(figure, self.floor):
            return f"missed by {self._gap(figure, self.floor):.0%}"
        if self.aim is None:
            return "met"
        return "aim met" if self._holds(figure, self.aim) else "met, the aim is not"

    def _holds(self, figure: float, wanted: float) -> bool:
        return figure <= wanted if self.is_most else figure >= wanted

    def _gap(self, figure: float, wanted: float) -> float:
        return figure / wanted - 1 if self.is_most else 1 - figure / wanted

    def __str__(self) -> str:
        sign = "at most" if self.is_most else "at least"
        aim = "" if self.aim is None else f" (aim {self.aim:,g})"
        return f"{sign} {self.floor:,g}{aim}"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; `of` names what the ratio compares with. A goal is about the ratio, if any."""

    what: str
    value: float
    unit: str
    goal: Goal | None = None
    ratio: float | None = None
    of: str = ""

    @property
    def verdict_on(self) -> float:
        """The number that the goal is about."""
        return self.value if self.ratio is None else self.ratio

    @property
    def verdict(self) -> str:
        """Whether the goal is met; empty without one."""
        return "" if self.goal is None else self.goal.verdict_on(self.verdict_on)

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What was measured, the figure, the ratio, and the goal with its verdict."""
        ratio = "" if self.ratio is None else f"{self.ratio:,.2f} x {self.of}"
        goal = "" if self.goal is None else f"{self.goal}: {self.verdict}"
        return self.what, f"{_short(self.value)} {self.unit}", ratio, goal

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        found = asdict(self)
        return found | {"goal": found["goal"] and str(self.goal), "verdict": self.verdict}


@dataclass(frozen=True, slots=True)
class Absent:
    """A figure that could not be measured, and why."""

    what: str
    why: str

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What was to be measured, and why it was not."""
        return self.what, self.why, "", ""

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return asdict(self)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"


def bench_report(part: str, rows: Sequence[Row | Absent]) -> Report:
    """Return the report on a part of the benchmarks."""
    table = ReportTable(("what", "figure", "ratio", "goal"), tuple(row.cells for row in rows))
    return Report(part, [table], {"rows": [row.to_json() for row in rows]})
