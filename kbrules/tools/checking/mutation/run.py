"""The entry of mutation: all faults of some rule files, judged and counted."""

from __future__ import annotations

from dataclasses import replace

from kbrules.diagnostics import Diagnostic
from kbrules.progress import OnProgress, silent
from kbrules.tools.checking.coverage.run import CoverageTrace
from kbrules.tools.checking.mutation.accepted import read_accepted
from kbrules.tools.checking.mutation.corpus import MutationCorpus
from kbrules.tools.checking.mutation.judge import (
    JudgedDeclaration,
    MutationJob,
    corpus_for,
    judge_all,
)
from kbrules.tools.checking.mutation.reach import measure_reach
from kbrules.tools.checking.mutation.result import MutationResult, result_of

__all__ = ["MutationJob", "MutationResult", "mutate"]


def mutate(
    job: MutationJob, jobs: int = 1, on_progress: OnProgress = silent
) -> tuple[MutationResult | None, list[Diagnostic]]:
    """The result of a job; none if the tests do not hold to begin with, but the findings.

    After Ctrl-C it is of the declarations that were done.
    """
    trace = CoverageTrace()
    corpus = corpus_for(job, trace.linking)
    accepted, findings = read_accepted(job.request.paths)
    findings += corpus.findings
    if findings:
        return None, sorted(findings)
    reach_run = measure_reach(corpus, trace)
    if reach_run.failing:
        return None, sorted(reach_run.failing)
    keys = frozenset(each.key for each in accepted)
    job = replace(
        job, reach=reach_run.reach, usual_seconds=reach_run.longest_seconds, accepted=keys
    )
    if not corpus.subjects:
        return result_of(corpus, [], accepted), []
    return result_of(corpus, _judge(job, corpus, jobs, on_progress), accepted), []


def _judge(
    job: MutationJob, corpus: MutationCorpus, jobs: int, on_progress: OnProgress
) -> list[JudgedDeclaration]:
    """What came of the declarations; of those that were done, if Ctrl-C ended it."""
    results: list[JudgedDeclaration] = []
    on_progress(0, len(corpus.subjects), "rules")
    try:
        for each in judge_all(job, corpus, jobs):
            results.append(each)
            on_progress(len(results), len(corpus.subjects), "rules")
    except KeyboardInterrupt:
        if not results:
            raise
    return results
