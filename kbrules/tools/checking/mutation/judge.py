"""Judges faults by a worker pool, each worker of which has read all rules itself."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.scenario.running.selection import selector
from kbrules.tools.checking.mutation.accepted import Key, key_of
from kbrules.tools.checking.mutation.corpus import (
    MutatedDeclaration,
    MutationCorpus,
    Request,
    build_corpus,
)
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.reach import Reach
from kbrules.tools.checking.mutation.search import find_killing_scenario
from kbrules.tools.checking.mutation.trial import SURVIVED, Verdict, verdicts
from kbrules.tools.processes.pool import Parallel, Serial, WorkerPool

__all__ = ["JudgedDeclaration", "MutationJob", "corpus_for", "judge_all"]


@dataclass(frozen=True, slots=True)
class MutationJob:
    """What to put to the proof.

    only: chooses declarations, as `-k` does. reach: which tests reach which declaration, if that
    is known. usual: the seconds a test may well take. searches: whether a test is looked for
    that would notice a survivor; never for those that are `listed`.
    """

    request: Request
    only: str = ""
    reach: Reach | None = None
    usual: float = 0.0
    searches: bool = True
    listed: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedDeclaration:
    """What came of the faults of a declaration, given by its number in the stock."""

    subject: int
    verdicts: tuple[Verdict, ...]


def corpus_for(orders: MutationJob, linking: LinkerFactory = default_linker) -> MutationCorpus:
    """The stock of some orders; its tests evaluate expressions by the linking."""
    chooses = selector(orders.only) if orders.only else lambda id: True
    stock = build_corpus(orders.request, chooses, linking)
    gc.freeze()  # it stays to the end; to look through it for garbage again and again takes long
    return stock


def judge_all(orders: MutationJob, stock: MutationCorpus, jobs: int) -> Iterator[JudgedDeclaration]:
    """What comes of every fault, declaration after declaration, in whatever order they are done."""
    numbers = sorted(range(len(stock.subjects)), key=lambda n: -len(stock.subjects[n].faults()))
    pool = _pool(orders, stock, min(jobs, len(numbers)))
    try:
        yield from pool.run(numbers)
    finally:
        pool.close()


def _pool(
    orders: MutationJob, stock: MutationCorpus, jobs: int
) -> WorkerPool[int, JudgedDeclaration]:
    if jobs <= 1:
        return Serial(partial(_judged, orders, stock))
    return Parallel(jobs, _prepared, orders)


def _prepared(orders: MutationJob) -> Callable[[int], JudgedDeclaration]:
    return partial(_judged, orders, corpus_for(orders))


def _judged(orders: MutationJob, stock: MutationCorpus, number: int) -> JudgedDeclaration:
    subject = stock.subjects[number]
    reached = None if orders.reach is None else orders.reach[subject.id]
    faults = subject.faults()
    found = verdicts(stock, subject, reached, orders.usual)
    return JudgedDeclaration(
        number, tuple(_sought(orders, subject, faults[v.number], v) for v in found)
    )


def _sought(
    orders: MutationJob, subject: MutatedDeclaration, fault: Fault, verdict: Verdict
) -> Verdict:
    """The verdict, with a test that would notice a survivor if one is wanted and found."""
    wanted = orders.searches and key_of(fault) not in orders.listed
    if verdict.status != SURVIVED or not wanted:
        return verdict
    return replace(verdict, scenario=find_killing_scenario(fault, subject.home))
