"""The door: all faults of some rule files put to the proof, and the tally of what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.tools.mutate.crew import Judged, Orders, everything, judged
from kbrules.tools.mutate.listed import listed_below
from kbrules.tools.mutate.stock import Request, Stock
from kbrules.tools.mutate.tally import Tally, tally_of

__all__ = ["Orders", "Request", "Tally", "Watch", "mutate"]

Watch = Callable[[int, int], None]
"""What is told how many declarations are done, of how many."""


def mutate(
    orders: Orders, jobs: int = 1, watch: Watch = lambda done, all: None
) -> tuple[Tally | None, list[Diagnostic]]:
    """The tally of some orders; none if the tests do not hold to begin with, but the findings."""
    stock = everything(orders)
    listed, findings = listed_below(orders.request.paths)
    findings += stock.findings
    usual, failing = _without_faults(stock) if not findings else (0.0, [])
    findings += failing
    if findings:
        return None, sorted(findings)
    if not stock.subjects:
        return tally_of(stock, [], listed), []
    results: list[Judged] = []
    for each in judged(replace(orders, usual=usual), stock, jobs):
        results.append(each)
        watch(len(results), len(stock.subjects))
    return tally_of(stock, results, listed), []


def _without_faults(stock: Stock) -> tuple[float, list[Diagnostic]]:
    """How long a test takes at most when no fault is planted, and which fail even then."""
    longest, failing = 0.0, []
    for item in stock.items:
        begun = perf_counter()
        passed = item.run().passed
        longest = max(longest, perf_counter() - begun)
        if not passed:
            message = f"{quoted(item.title)} fails before a fault is planted"
            failing.append(Diagnostic("KB032", item.span, message, "see `kbrules test`"))
    return longest, failing
