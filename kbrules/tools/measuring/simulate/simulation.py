"""A simulation in one call, for programs: what `kbrules simulate` plays, by any executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path

from kbrules.tools.measuring.results_file import MEMORY
from kbrules.tools.measuring.simulate.answer import Answer, StopRule, answer_question
from kbrules.tools.measuring.simulate.playing import REFERENCE_METHOD, PlayMethod, prepare
from kbrules.tools.measuring.simulate.question import Question
from kbrules.tools.measuring.simulate.report import simulation_report
from kbrules.tools.measuring.simulate.run import SpanPool
from kbrules.tools.measuring.simulate.store import Store
from kbrules.tools.measuring.simulate.tables import Tables
from kbrules.tools.processes.pool import Parallel, pool_of
from kbrules.tools.reports.report import Report


def simulate(
    question: Question,
    deals: int,
    file: str | Path = MEMORY,
    executor: Executor | None = None,
    *,
    jobs: int = 1,
    method: PlayMethod = REFERENCE_METHOD,
    report: Callable[[Answer], Report] = simulation_report,
) -> Report:
    """The report on so many deals of a question; those that a file has are not played again.

    executor: one of `concurrent.futures` or alike, which stays open; without it, processes of our
    own. jobs: how many parts it does at once, or how many processes there are; one is this process.
    method: how games are played. report: what is made of the answer while the file is open.
    RulesError, SetupError, OtherQuestion or UnusableFile if there can be no answer.
    """
    tables = Tables(question)
    tables.check()
    given = question, tables.digests, method
    pool: SpanPool = (
        Parallel(jobs, prepare, *given, executor=executor)
        if executor
        else pool_of(jobs, prepare, *given)
    )
    with Store(file) as store, closing(pool):
        store.begin(tables)
        return report(answer_question(store, pool, StopRule(deals), lambda progress: None))
