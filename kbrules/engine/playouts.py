"""Whole games by players who choose evenly, as fast as can be: one program, no states.

They are, move by move, the games that `match.Match` plays with such players and the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kbrules.compile.whole.running import Rare
from kbrules.compile.whole.table import Play
from kbrules.engine.bound import Bound, whole_of
from kbrules.engine.game import Game
from kbrules.engine.outcome import Outcome, outcome
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["Playouts"]


FEW = 6
"""After so many games it is known whether writing programs pays."""


@dataclass(slots=True)
class Record:
    """How many games were tried at a stretch under some rules, and how many had to be by steps."""

    tried: int = 0
    rare: int = 0

    @property
    def pays(self) -> bool:
        """Whether it is worth trying again."""
        return self.tried < FEW or self.rare * 4 < self.tried * 3


class Playouts:
    """Plays the games of one table by seed, by steps where most games of these rules need that."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.record = record_of(game)

    def __call__(self, seed: int) -> Outcome:
        """The outcome of the game of a seed."""
        if self.record.pays:
            played = self._tried(seed)
            if played is not None:
                return outcome_of(self._game, played)
        return outcome(self._game, seed, [_evenly] * self._game.players)

    def final(self, seed: int) -> State | None:
        """The table at the end of a game, as a state; None if it must be played by steps."""
        played = self._tried(seed)
        return None if played is None else played.state(self._game.empty())

    def _tried(self, seed: int) -> Play | None:
        self.record.tried += 1
        try:
            return self.bound.play(seed)
        except Rare:
            self.record.rare += 1
            return None

    @cached_property
    def bound(self) -> Bound:
        """The program of the rules, with the constants of the board."""
        return Bound(whole_of(self._game), self._game)


def record_of(game: Game) -> Record:
    """What is known of games under these rules."""
    options = tuple(sorted(game.options.items()))
    records: dict[Any, Record] = game.ruleset.kept.setdefault(Record, {})
    return records.setdefault((game.players, options), Record())


def outcome_of(game: Game, play: Play) -> Outcome:
    """What came of a game that was played to its end on a table."""
    scoring, table = game.scoring, _as_state(play)
    gold = scoring.golds(table)
    gained = [seat.gold for seat in play.seats]
    totals = tuple([sum(paid) + got for paid, got in zip(gold, gained, strict=True)])
    return Outcome(
        gold=tuple(gold),
        gained=tuple(gained),
        winners=scoring.winners(table, totals),
        turns=play.turns,
        decisions=tuple([seat.decisions for seat in play.seats]),
        used=tuple(map(tuple, play.used_tiles)),
        taken=tuple(map(tuple, play.taken)),
        gains=tuple(map(_sums, play.gains)),
    )


def _as_state(play: Any) -> Any:
    """A table has the names of a state."""
    return play


def _sums(gains: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((rule, gold) for rule, gold in gains.items() if gold)) if gains else ()


def _evenly(_game: Game, _state: State, moves: MoveSet, random: Random) -> Move:
    """Any legal move, all as likely."""
    return moves.sample(random)
