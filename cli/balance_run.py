"""How a card is measured from the command line: the file of its games, and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .simulation import ResultsOptions, WorkerOptions, exit_interrupted, playing, try_kernel
from .table_help import remedy
from .terminal.findings import exit_with
from .terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.measuring.balance.result import BalanceResult
    from kbrules.tools.measuring.balance.results import Results
    from kbrules.tools.measuring.balance.tables import BalanceQuestion
    from kbrules.tools.measuring.simulate.playing import PlayMethod

__all__ = ["BalanceOptions", "measure_card"]


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """How many games with each card at most, how well its gold is to be known, and who plays."""

    most: int
    until: float | None
    hands: WorkerOptions


def measure_card(
    ruleset: Ruleset, question: BalanceQuestion, wish: BalanceOptions, kept: ResultsOptions
) -> BalanceResult:
    """What is found; a file that nobody named is gone then. Ends the command if nothing can be."""
    from kbrules.engine.setup import SetupError
    from kbrules.tools.measuring.balance.results import Results, facts_of, temporary_results

    path = kept.file("balance", facts_of(question, ruleset.digest, ruleset.contents))
    opened = temporary_results if kept.is_usual else Results
    try:
        way = _way(ruleset, question, wish)
        with playing(), opened(path, question, ruleset.digest, ruleset.contents) as results:
            return _played(ruleset, question, wish, results, way)
    except SetupError as error:
        exit_with(error.code, str(error), remedy(ruleset, question.players, error.part))


def _way(ruleset: Ruleset, question: BalanceQuestion, wish: BalanceOptions) -> PlayMethod:
    """How games are played; ends the command if there is no native program for these rules."""
    from kbrules.tools.measuring.balance.tables import dealt_games, others_of
    from kbrules.tools.measuring.simulate.playing import NATIVE_METHOD, REFERENCE_METHOD

    if wish.hands.fast:
        others = others_of(ruleset, question.card)
        first = (each.game for each in dealt_games(ruleset, question, others, question.seed))
        try_kernel([(bot,) for bot in question.bots], first, question.seed)
    return NATIVE_METHOD if wish.hands.fast else REFERENCE_METHOD


def _played(
    ruleset: Ruleset,
    question: BalanceQuestion,
    wish: BalanceOptions,
    results: Results,
    way: PlayMethod,
) -> BalanceResult:
    from kbrules.tools.measuring.balance.measure import measure

    again = _again(question, wish)
    try:
        with (
            wish.hands.executor() as (hands, executor),
            Progress("playing") as progress,
        ):
            return measure(
                ruleset,
                question,
                results,
                wish.most,
                again,
                wish.until,
                hands.jobs,
                progress.show,
                way,
                executor,
            )
    except KeyboardInterrupt:
        exit_interrupted(results.path, results.games)


def _again(question: BalanceQuestion, wish: BalanceOptions) -> list[str]:
    """The command that repeats it."""
    with_ = [word for name in (*question.boxes, *question.folders) for word in ("--with", name)]
    rulings = [
        word
        for name, value in question.options.items()
        for word in ("--option", _ruled(name, value))
    ]
    return [
        *("kbrules", "balance", question.card, *with_, "--players", str(question.players)),
        *(word for bot in question.bots for word in ("--bots", bot)),
        *("--games", str(wish.most), "--seed", str(question.seed)),
        *([] if wish.until is None else ["--until", f"{wish.until:g}"]),
        *rulings,
    ]


def _ruled(name: str, value: bool | int) -> str:
    said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f"{name}={said}"
