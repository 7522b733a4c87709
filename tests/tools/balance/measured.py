"""A card measured in a test: its question, its tables, what was paid on them, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance import balance_report
from kbrules.tools.processes import WorkerPool
from kbrules.tools.reports.report import as_json
from kbrules.tools.simulate.question import QuestionTables, Side, question_about
from kbrules.tools.simulate.ranking import SeedPayments, payments
from kbrules.tools.simulate.report import report_on
from kbrules.tools.simulate.results_file import MEMORY, DealSpan, Store
from kbrules.tools.simulate.run import REFERENCE_METHOD, PlayMethod, SpanPool, play


def tables_of(
    ruleset: Ruleset, card: str, *bots: str, players: int = 2, seed: int = 0
) -> QuestionTables:
    """Return the tables on which a card is measured, with the rules that are loaded."""
    boxes = () if ruleset.folders else ruleset.boxes
    side = Side(boxes, tuple(map(str, ruleset.folders)))
    question = question_about(card, side, players, bots or ("greedy",), seed)
    return QuestionTables(question, [ruleset])


def alone(tables: QuestionTables, method: PlayMethod = REFERENCE_METHOD) -> SpanPool:
    """Return the pool of this process."""
    return WorkerPool(lambda span: play(tables, span, method))


def paid(
    tables: QuestionTables, deals: int, method: PlayMethod = REFERENCE_METHOD
) -> list[SeedPayments]:
    """Return what was paid in the first deals, as it is read from their rows."""
    with Store() as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(0, deals), method))
        return [*payments(store, deals)]


def told(
    tables: QuestionTables,
    deals: int,
    file: str | Path = MEMORY,
    pool: SpanPool | None = None,
) -> str:
    """Return the report on so many deals, for programs."""
    return as_json(report_on(tables, deals, file, pool or alone(tables), balance_report))


def gold_of(results: Sequence[SeedPayments], card: str) -> list[tuple[int, ...]]:
    """Return what a card paid, seed by seed."""
    return [paid.gold for each in results for paid in each.paid if paid.card == card]
