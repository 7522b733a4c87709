"""How a card is measured from the command line: the file of its games, and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .findings import exit_with
from .progress import Progress
from .simulation import ResultsOptions, exit_interrupted, playing, try_kernel

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.measuring.balance.result import BalanceResult
    from kbrules.tools.measuring.balance.results import Results
    from kbrules.tools.measuring.balance.tables import Question
    from kbrules.tools.measuring.simulate.playing import PlayMethod

__all__ = ["BalanceOptions", "measure_card"]


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """How many games with each card at most, how well its gold is to be known, and who plays.

    fast: whether the native kernel plays what it can.
    """

    most: int
    until: float | None
    jobs: int
    fast: bool = False


def measure_card(
    ruleset: Ruleset, asked: Question, wish: BalanceOptions, kept: ResultsOptions
) -> BalanceResult:
    """What is found; a file that nobody named is gone then. Ends the command if nothing can be."""
    from kbrules.engine.setup import SetupError
    from kbrules.tools.measuring.balance.results import Results, facts_of, passing

    path = kept.file("balance", facts_of(asked, ruleset.digest))
    opened = passing if kept.is_usual else Results
    try:
        way = _way(ruleset, asked, wish)
        with playing(), opened(path, asked, ruleset.digest) as results:
            return _played(ruleset, asked, wish, results, way)
    except SetupError as error:
        exit_with(error.code, str(error))


def _way(ruleset: Ruleset, asked: Question, wish: BalanceOptions) -> PlayMethod:
    """How games are played; ends the command if there is no native program for these rules."""
    from kbrules.tools.measuring.balance.tables import dealt_games, others_of
    from kbrules.tools.measuring.simulate.playing import NATIVE_METHOD, REFERENCE_METHOD

    if wish.fast:
        others = others_of(ruleset, asked.card)
        first = (each.game for each in dealt_games(ruleset, asked, others, asked.seed))
        try_kernel([(bot,) for bot in asked.bots], first, asked.seed)
    return NATIVE_METHOD if wish.fast else REFERENCE_METHOD


def _played(
    ruleset: Ruleset, asked: Question, wish: BalanceOptions, results: Results, way: PlayMethod
) -> BalanceResult:
    from kbrules.tools.measuring.balance.measure import measure

    again = _again(asked, wish)
    try:
        with Progress("playing", "games with each card") as progress:
            return measure(
                ruleset, asked, results, wish.most, again, wish.until, wish.jobs, progress.show, way
            )
    except KeyboardInterrupt:
        exit_interrupted(results.path, results.games)


def _again(asked: Question, wish: BalanceOptions) -> list[str]:
    """The command that repeats it."""
    with_ = [word for name in (*asked.boxes, *asked.folders) for word in ("--with", name)]
    rulings = [
        word for name, value in asked.options.items() for word in ("--option", _ruled(name, value))
    ]
    return [
        *("kbrules", "balance", asked.card, *with_, "--players", str(asked.players)),
        *(word for bot in asked.bots for word in ("--bots", bot)),
        *("--games", str(wish.most), "--seed", str(asked.seed)),
        *([] if wish.until is None else ["--until", f"{wish.until:g}"]),
        *rulings,
    ]


def _ruled(name: str, value: bool | int) -> str:
    said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f"{name}={said}"
