"""The door: all faults of some rule files put to the proof, and the tally of what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbrules.diagnostics import Diagnostic
from kbrules.tools.checking.coverage.recorder import Recorder
from kbrules.tools.checking.mutation.judge import Judged, Orders, everything, judged
from kbrules.tools.checking.mutation.listed import listed_below
from kbrules.tools.checking.mutation.reach import watched
from kbrules.tools.checking.mutation.stock import Request
from kbrules.tools.checking.mutation.tally import Tally, tally_of

__all__ = ["Orders", "Request", "Tally", "Watch", "mutate"]

Watch = Callable[[int, int], None]
"""What is told how many declarations are done, of how many."""


def mutate(
    orders: Orders, jobs: int = 1, watch: Watch = lambda done, all: None
) -> tuple[Tally | None, list[Diagnostic]]:
    """The tally of some orders; none if the tests do not hold to begin with, but the findings."""
    recorder = Recorder()
    stock = everything(orders, recorder.linking)
    listed, findings = listed_below(orders.request.paths)
    findings += stock.findings
    if findings:
        return None, sorted(findings)
    seen = watched(stock, recorder)
    if seen.failing:
        return None, sorted(seen.failing)
    keys = frozenset(each.key for each in listed)
    orders = replace(orders, reach=seen.reach, usual=seen.longest, listed=keys)
    if not stock.subjects:
        return tally_of(stock, [], listed), []
    results: list[Judged] = []
    for each in judged(orders, stock, jobs):
        results.append(each)
        watch(len(results), len(stock.subjects))
    return tally_of(stock, results, listed), []
