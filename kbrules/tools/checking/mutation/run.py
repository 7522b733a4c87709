"""The entry of mutation: all faults of some rule files, judged and counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbrules.diagnostics import Diagnostic
from kbrules.tools.checking.coverage.recorder import Recorder
from kbrules.tools.checking.mutation.accepted import read_accepted
from kbrules.tools.checking.mutation.corpus import MutationCorpus, Request
from kbrules.tools.checking.mutation.judge import (
    JudgedDeclaration,
    MutationJob,
    corpus_for,
    judge_all,
)
from kbrules.tools.checking.mutation.reach import measure_reach
from kbrules.tools.checking.mutation.result import MutationResult, result_of

__all__ = ["MutationJob", "MutationResult", "Request", "Watch", "mutate"]

Watch = Callable[[int, int], None]
"""What is told how many declarations are done, of how many."""


def mutate(
    orders: MutationJob, jobs: int = 1, watch: Watch = lambda done, all: None
) -> tuple[MutationResult | None, list[Diagnostic]]:
    """The tally of some orders; none if the tests do not hold to begin with, but the findings.

    After Ctrl-C it is of the declarations that were done.
    """
    recorder = Recorder()
    stock = corpus_for(orders, recorder.linking)
    listed, findings = read_accepted(orders.request.paths)
    findings += stock.findings
    if findings:
        return None, sorted(findings)
    seen = measure_reach(stock, recorder)
    if seen.failing:
        return None, sorted(seen.failing)
    keys = frozenset(each.key for each in listed)
    orders = replace(orders, reach=seen.reach, usual=seen.longest, listed=keys)
    if not stock.subjects:
        return result_of(stock, [], listed), []
    return result_of(stock, _judged(orders, stock, jobs, watch), listed), []


def _judged(
    orders: MutationJob, stock: MutationCorpus, jobs: int, watch: Watch
) -> list[JudgedDeclaration]:
    """What came of the declarations; of those that were done, if Ctrl-C ended it."""
    results: list[JudgedDeclaration] = []
    try:
        for each in judge_all(orders, stock, jobs):
            results.append(each)
            watch(len(results), len(stock.subjects))
    except KeyboardInterrupt:
        if not results:
            raise
    return results
