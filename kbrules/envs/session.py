"""One game under way, with numbers for its actions and arrays for what players see."""

from __future__ import annotations

from typing import Any

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.envs.actions import Actions, actions_of
from kbrules.envs.features import features_of
from kbrules.envs.observation import observe
from kbrules.envs.rewards import Reward
from kbrules.game.moves import Move

__all__ = ["IllegalAction", "Session"]


class IllegalAction(ValueError):
    """A number that is no action, or is one that is not legal now."""


class Session:
    """A game of a seed that is played by numbers of actions, each player's turn as it comes.

    engine: `python` or `native`, as `Game.playthrough` takes it.
    """

    def __init__(self, game: Game, seed: int, engine: str = PYTHON) -> None:
        self.game, self.seed = game, seed
        self.actions: Actions = actions_of(game)
        self.features = features_of(game)
        self.play = game.playthrough(seed, engine)
        self._indexes: dict[int, int] | None = None

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self.play.player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.play.is_over

    @property
    def indexes(self) -> dict[int, int]:
        """The numbers of the legal actions, each with the index of its move."""
        if self._indexes is None:
            self._indexes = {}
            for index, move in enumerate(self.play.moves):
                self._indexes.setdefault(self.actions.number(move), index)
        return self._indexes

    def act(self, action: int) -> None:
        """Carry out an action; IllegalAction, and nothing changed, if it is not legal."""
        if action not in self.indexes:
            raise IllegalAction(self._why_not(action))
        self.play.choose(self.indexes[action])
        self._indexes = None

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        self.play.apply(move)
        self._indexes = None

    def _why_not(self, action: int) -> str:
        if self.is_over:
            return "the game is over: nothing is legal"
        if not 0 <= action < len(self.actions):
            return f"there is no action {action}: they are numbered 0 to {len(self.actions) - 1}"
        return f"action {action} (`{self.actions.name(action)}`) is not legal now"

    def mask(self, viewer: int) -> Any:
        """Which actions the viewer may take: 1 or 0 for each; all 0 if others decide."""
        import numpy

        mask = numpy.zeros(len(self.actions), numpy.int8)
        if viewer == self.player:
            mask[[*self.indexes]] = 1
        return mask

    def observe(self, viewer: int) -> dict[str, Any]:
        """The planes and numbers that the viewer sees."""
        return observe(self.game, self.play.state, viewer, self.play.moves)

    def rewards(self, reward: Reward) -> list[float]:
        """What the game was worth to each player; ValueError if it is not over."""
        outcome = self.play.outcome()
        return reward(outcome.winners, outcome.totals)
