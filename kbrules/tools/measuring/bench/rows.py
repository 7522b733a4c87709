"""Rows of the report: what was measured, what it is held against, and whether that is met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kbrules.tools.reports.report import Report, Table

NO_KERNEL = "not measured: pip install 'kbrules[fast]'"


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure must at least be, and what would be fine; a `most` is not to be exceeded."""

    floor: float
    aim: float | None = None
    is_most: bool = False

    def verdict_on(self, figure: float) -> str:
        """Whether it is met, or missed by how much, in words."""
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
    """One figure. `of` says what the ratio is to; the goal is about the ratio if there is one."""

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
        """What came of the goal; empty without one."""
        return "" if self.goal is None else self.goal.verdict_on(self.verdict_on)

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What was measured, the figure, the ratio, and the goal with what came of it."""
        ratio = "" if self.ratio is None else f"{self.ratio:,.2f} x {self.of}"
        goal = "" if self.goal is None else f"{self.goal}: {self.verdict}"
        return self.what, f"{_short(self.value)} {self.unit}", ratio, goal

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        found = asdict(self)
        return found | {"goal": found["goal"] and str(self.goal), "verdict": self.verdict}


@dataclass(frozen=True, slots=True)
class Absent:
    """A figure that could not be taken, and why."""

    what: str
    why: str

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What was to be measured, and why it was not."""
        return self.what, self.why, "", ""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"


def bench_report(part: str, rows: Sequence[Row | Absent]) -> Report:
    """The report on a part of the benchmark."""
    table = Table(("what", "figure", "ratio", "goal"), tuple(row.cells for row in rows))
    return Report(part, [table], {"rows": [row.to_json() for row in rows]})
