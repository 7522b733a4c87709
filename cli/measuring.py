"""How a card is measured from the command line: the file of its games, and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .findings import exit_with
from .progress import Progress
from .running import Kept, broken_off, played_and_kept, try_kernel

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.measuring.balance.dealing import Question
    from kbrules.tools.measuring.balance.report import Report
    from kbrules.tools.measuring.balance.results import Results
    from kbrules.tools.measuring.simulate.playing import Way

__all__ = ["Wish", "measured_by"]


@dataclass(frozen=True, slots=True)
class Wish:
    """How many games with each card at most, how well its gold is to be known, and who plays.

    fast: whether the native kernel plays what it can.
    """

    most: int
    until: float | None
    jobs: int
    fast: bool = False


def measured_by(ruleset: Ruleset, asked: Question, wish: Wish, kept: Kept) -> Report:
    """The report; a file that nobody named is gone then. Ends the command if there can be none."""
    from kbrules.engine.setup import SetupError
    from kbrules.tools.measuring.balance.results import Results, facts_of, passing

    path = kept.file("balance", facts_of(asked, ruleset.digest))
    opened = passing if kept.is_usual else Results
    try:
        way = _way(ruleset, asked, wish)
        with played_and_kept(), opened(path, asked, ruleset.digest) as results:
            return _played(ruleset, asked, wish, results, way)
    except SetupError as error:
        exit_with(error.code, str(error))


def _way(ruleset: Ruleset, asked: Question, wish: Wish) -> Way:
    """How games are played; ends the command if there is no native program for these rules."""
    from kbrules.tools.measuring.balance.dealing import dealt, others_of
    from kbrules.tools.measuring.simulate.playing import NATIVELY, PLAINLY

    if wish.fast:
        others = others_of(ruleset, asked.card)
        first = (each.game for each in dealt(ruleset, asked, others, asked.seed))
        try_kernel([(bot,) for bot in asked.bots], first, asked.seed)
    return NATIVELY if wish.fast else PLAINLY


def _played(ruleset: Ruleset, asked: Question, wish: Wish, results: Results, way: Way) -> Report:
    from kbrules.tools.measuring.balance.measuring import measured

    again = _again(asked, wish)
    try:
        with Progress("playing", "games with each card") as progress:
            return measured(
                ruleset, asked, results, wish.most, again, wish.until, wish.jobs, progress.show, way
            )
    except KeyboardInterrupt:
        broken_off(results.path, results.games)


def _again(asked: Question, wish: Wish) -> list[str]:
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
