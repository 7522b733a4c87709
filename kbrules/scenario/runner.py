"""The door: collect, choose, run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

from kbrules.scenario.collect import Collection, collect
from kbrules.scenario.items import Item
from kbrules.scenario.outcome import Outcome
from kbrules.scenario.select import selector

__all__ = ["Collection", "Item", "Outcome", "Result", "collect", "run_all", "selector"]


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What came of an item, and how long it took."""

    item: Item
    outcome: Outcome
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return self.outcome.passed


def run_all(items: Iterable[Item]) -> Iterator[Result]:
    """Run items one after the other."""
    for item in items:
        begun = perf_counter()
        outcome = item.run()
        yield Result(item, outcome, perf_counter() - begun)
