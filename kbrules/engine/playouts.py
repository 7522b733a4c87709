"""Whole games by players who choose evenly, as fast as can be: one program, no states.

They are, move by move, the games that `match.Match` plays with such players and the same seed.
"""

from __future__ import annotations

from typing import Any

from kbrules.compile.whole.running import Rare
from kbrules.compile.whole.table import Play
from kbrules.engine.game import Game
from kbrules.engine.outcome import Outcome, outcome
from kbrules.engine.whole import Bound, whole_of
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["Playouts"]


class Playouts:
    """Plays the games of one table by seed; `rare` counts those that had to be played by steps."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._bound = Bound(whole_of(game), game)
        self.rare = 0

    def __call__(self, seed: int) -> Outcome:
        """The outcome of the game of a seed."""
        try:
            return self._outcome(self._bound.play(seed))
        except Rare:
            self.rare += 1
            return outcome(self._game, seed, [_evenly] * self._game.players)

    def final(self, seed: int) -> State | None:
        """The table at the end of a game, as a state; None if it must be played by steps."""
        try:
            return self._bound.play(seed).state(self._game.empty())
        except Rare:
            return None

    def _outcome(self, play: Play) -> Outcome:
        scoring, table = self._game.scoring, _as_state(play)
        gold = scoring.golds(table)
        gained = [seat.gold for seat in play.seats]
        totals = tuple([sum(paid) + got for paid, got in zip(gold, gained, strict=True)])
        return Outcome(
            gold=tuple(gold),
            gained=tuple(gained),
            winners=scoring.winners(table, totals),
            turns=play.turns,
            decisions=tuple(play.decisions),
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
