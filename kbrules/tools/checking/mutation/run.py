"""The entry of mutation: all faults of some rule files, judged by a worker pool and counted."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from kbrules.diagnostics import Diagnostic
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.progress import OnProgress, silent
from kbrules.tools.checking.coverage.run import CoverageTrace
from kbrules.tools.checking.mutation.accepted import Key, key_of, read_accepted
from kbrules.tools.checking.mutation.corpus import (
    MutatedDeclaration,
    MutationCorpus,
    build_corpus,
)
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.killing_scenario import find_killing_scenario
from kbrules.tools.checking.mutation.reach import Reach, measure_reach
from kbrules.tools.checking.mutation.result import MutationResult, result_of
from kbrules.tools.checking.mutation.trial import (
    SURVIVED,
    FaultVerdict,
    JudgedDeclaration,
    verdicts,
)
from kbrules.tools.checking.testing import Request
from kbrules.tools.processes.pool import Parallel, Serial, WorkerPool


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


def mutate(
    job: MutationJob, jobs: int = 1, on_progress: OnProgress = silent
) -> tuple[MutationResult | None, list[Diagnostic]]:
    """The result of a job; none if the tests do not hold to begin with, but the findings.

    After Ctrl-C it is of the declarations that were done. on_progress: told how many tests are
    run without a fault, then how many rules are done.
    """
    trace = CoverageTrace()
    corpus = _corpus_for(job, trace.linking)
    accepted, findings = read_accepted(job.request.paths)
    findings += corpus.findings
    if findings:
        return None, sorted(findings)
    reach_run = measure_reach(corpus, trace, on_progress)
    if reach_run.failing:
        return None, sorted(reach_run.failing)
    keys = frozenset(each.key for each in accepted)
    job = replace(
        job, reach=reach_run.reach, usual_seconds=reach_run.longest_seconds, accepted=keys
    )
    return result_of(corpus, _judge_all(job, corpus, jobs, on_progress), accepted), []


def _judge_all(
    job: MutationJob, corpus: MutationCorpus, jobs: int, on_progress: OnProgress
) -> list[JudgedDeclaration]:
    """What came of the declarations; of those that were done, if Ctrl-C ended it."""
    results: list[JudgedDeclaration] = []
    on_progress(0, len(corpus.subjects), "rules")
    try:
        for each in _judged(job, corpus, jobs):
            results.append(each)
            on_progress(len(results), len(corpus.subjects), "rules")
    except KeyboardInterrupt:
        if not results:
            raise
    return results


def _corpus_for(job: MutationJob, linking: LinkerFactory = default_linker) -> MutationCorpus:
    """The corpus of a job; its tests evaluate expressions by the linking."""
    corpus = build_corpus(job.request, linking)
    gc.freeze()  # it stays to the end; to look through it for garbage again and again takes long
    return corpus


def _judged(job: MutationJob, corpus: MutationCorpus, jobs: int) -> Iterator[JudgedDeclaration]:
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
    return partial(_judge, job, _corpus_for(job))


def _judge(job: MutationJob, corpus: MutationCorpus, number: int) -> JudgedDeclaration:
    subject = corpus.subjects[number]
    reached = None if job.reach is None else job.reach[subject.id]
    faults = subject.faults()
    judged = verdicts(corpus, subject, reached, job.usual_seconds)
    return JudgedDeclaration(
        number, tuple(_with_scenario(job, subject, faults[v.number], v) for v in judged)
    )


def _with_scenario(
    job: MutationJob, subject: MutatedDeclaration, fault: Fault, verdict: FaultVerdict
) -> FaultVerdict:
    """The verdict, with a test that would notice a survivor if one is wanted and found."""
    is_searched = job.searches and key_of(fault) not in job.accepted
    if verdict.status != SURVIVED or not is_searched:
        return verdict
    return replace(verdict, scenario=find_killing_scenario(fault, subject.cache))
