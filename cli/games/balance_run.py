"""How a card is measured from the command line: the file of its games, and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..terminal.progress import Progress
from .runs import ResultsOptions, WorkerOptions, compile_kernels, exit_interrupted, worker_errors
from .table_options import setup_errors

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.balance.measure import BalanceResult
    from kbrules.tools.balance.playing import BalanceQuestion, Results


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """How many games with each card at most, how well its gold is to be known, and who plays."""

    games: int
    until: float | None
    worker_options: WorkerOptions


def measure_card(
    ruleset: Ruleset, question: BalanceQuestion, options: BalanceOptions, file: ResultsOptions
) -> BalanceResult:
    """The result; a file that nobody named is gone then. Ends the command if there can be none."""
    from kbrules.tools.balance.playing import Results, facts_of, temporary_results

    path = file.file("balance", facts_of(question, ruleset.digest, ruleset.contents))
    open_results = temporary_results if file.has_default_name else Results
    with setup_errors(ruleset, question.players):
        if options.worker_options.fast:
            _compile_kernels(ruleset, question)
        opened = open_results(path, question, ruleset.digest, ruleset.contents)
        with worker_errors(), opened as results:
            return _measure(ruleset, question, options, results)


def _compile_kernels(ruleset: Ruleset, question: BalanceQuestion) -> None:
    from kbrules.tools.balance.playing import dealt_games, others_of

    others = others_of(ruleset, question.card)
    games = (each.game for each in dealt_games(ruleset, question, others, question.seed))
    compile_kernels([(bot,) for bot in question.bots], games, question.seed)


def _measure(
    ruleset: Ruleset, question: BalanceQuestion, options: BalanceOptions, results: Results
) -> BalanceResult:
    from kbrules.tools.balance.measure import balance_command, measure

    try:
        with (
            options.worker_options.executor() as (pool, executor),
            Progress("playing") as progress,
        ):
            return measure(
                ruleset,
                question,
                results,
                options.games,
                balance_command(question, options.games, options.until),
                options.until,
                pool.processes,
                progress.show,
                pool.method,
                executor,
            )
    except KeyboardInterrupt:
        exit_interrupted(results.path, results.games)
