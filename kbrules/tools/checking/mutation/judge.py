"""Judges faults by a worker pool, each worker of which has read all rules itself."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.tools.checking.mutation.accepted import Key, key_of
from kbrules.tools.checking.mutation.corpus import (
    MutatedDeclaration,
    MutationCorpus,
    build_corpus,
)
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.killing_scenario import find_killing_scenario
from kbrules.tools.checking.mutation.reach import Reach
from kbrules.tools.checking.mutation.trial import SURVIVED, Verdict, verdicts
from kbrules.tools.checking.testing import Request
from kbrules.tools.processes.pool import Parallel, Serial, WorkerPool

__all__ = ["JudgedDeclaration", "MutationJob", "corpus_for", "judge_all"]


@dataclass(frozen=True, slots=True)
class MutationJob:
    """What to put to the proof.

    request: `only` chooses declarations. reach: which tests reach which declaration, if that
    is known. usual_seconds: how long a test may well take. searches: whether a test is looked for
    that would notice a survivor; never for those that are `accepted`.
    """

    request: Request
    reach: Reach | None = None
    usual_seconds: float = 0.0
    searches: bool = True
    accepted: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedDeclaration:
    """What came of the faults of a declaration, given by its number in the corpus."""

    subject: int
    verdicts: tuple[Verdict, ...]


def corpus_for(job: MutationJob, linking: LinkerFactory = default_linker) -> MutationCorpus:
    """The corpus of a job; its tests evaluate expressions by the linking."""
    corpus = build_corpus(job.request, linking)
    gc.freeze()  # it stays to the end; to look through it for garbage again and again takes long
    return corpus


def judge_all(job: MutationJob, corpus: MutationCorpus, jobs: int) -> Iterator[JudgedDeclaration]:
    """What comes of every fault, declaration after declaration, in whatever order they are done."""
    numbers = sorted(range(len(corpus.subjects)), key=lambda n: -len(corpus.subjects[n].faults()))
    pool = _pool(job, corpus, min(jobs, len(numbers)))
    try:
        yield from pool.run(numbers)
    finally:
        pool.close()


def _pool(
    job: MutationJob, corpus: MutationCorpus, jobs: int
) -> WorkerPool[int, JudgedDeclaration]:
    if jobs <= 1:
        return Serial(partial(_judge, job, corpus))
    return Parallel(jobs, _prepare, job)


def _prepare(job: MutationJob) -> Callable[[int], JudgedDeclaration]:
    return partial(_judge, job, corpus_for(job))


def _judge(job: MutationJob, corpus: MutationCorpus, number: int) -> JudgedDeclaration:
    subject = corpus.subjects[number]
    reached = None if job.reach is None else job.reach[subject.id]
    faults = subject.faults()
    judged = verdicts(corpus, subject, reached, job.usual_seconds)
    return JudgedDeclaration(
        number, tuple(_with_scenario(job, subject, faults[v.number], v) for v in judged)
    )


def _with_scenario(
    job: MutationJob, subject: MutatedDeclaration, fault: Fault, verdict: Verdict
) -> Verdict:
    """The verdict, with a test that would notice a survivor if one is wanted and found."""
    is_wanted = job.searches and key_of(fault) not in job.accepted
    if verdict.status != SURVIVED or not is_wanted:
        return verdict
    return replace(verdict, scenario=find_killing_scenario(fault, subject.cache))
