"""One game under way, with numbers for its actions and arrays for what players see."""

from __future__ import annotations

from typing import Any

from kbrules.engine.configuration import NATIVE, PYTHON, whole_number
from kbrules.engine.game import Game
from kbrules.engine.simulation.playthrough import acquire_memory
from kbrules.envs.actions import Actions, actions_of
from kbrules.envs.features import features_of
from kbrules.envs.observation import check_viewer, observe
from kbrules.envs.rewards import Reward
from kbrules.envs.views import views_of
from kbrules.kernel.states import NOBODY


class IllegalAction(ValueError):
    """A number that is no action, or is one that is not legal now."""


class GameSession:
    """A game of a seed that is played by numbers of actions, each player's turn as it comes.

    engine: `python` or `native`, as `Game.playthrough` takes it.
    """

    def __init__(self, game: Game, seed: int, engine: str = PYTHON) -> None:
        self.game, self.seed = game, seed
        self.actions: Actions = actions_of(game)
        self.features = features_of(game)
        self.play = game.playthrough(seed, engine)

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self.play.player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.play.is_over

    def is_legal(self, action: int) -> bool:
        """Whether a number is that of an action which is legal now."""
        action = whole_number(action, "an action is a number of the catalogue")
        return 0 <= action < len(self.actions) and self.actions.move(action) in self.play.moves

    def act(self, action: int) -> None:
        """Carry out an action; IllegalAction, and nothing changed, if it is not legal."""
        if not self.is_legal(action):
            raise IllegalAction(self._why_not(action))
        self.play.apply(self.actions.move(action))

    def _why_not(self, action: int) -> str:
        if self.is_over:
            return "the game is over: nothing is legal"
        if not 0 <= action < len(self.actions):
            return f"there is no action {action}: they are numbered 0 to {len(self.actions) - 1}"
        return f"action {action} (`{self.actions.name(action)}`) is not legal now"

    def mask(self, viewer: int) -> Any:
        """Which actions the viewer may take: 1 or 0 for each; all 0 if others decide."""
        viewer = check_viewer(self.game, viewer)
        return self.actions.mask(self.play.moves if viewer == self.player else NOBODY)

    def observe(self, viewer: int) -> dict[str, Any]:
        """What a player sees: `planes`, `numbers` and `mask`, natively if that is the engine."""
        viewer = check_viewer(self.game, viewer)
        if self.play.engine == NATIVE:
            return self._observe_natively(viewer)
        observation = observe(self.game, self.play.state, viewer, self.play.moves)
        return {**observation, "mask": self.mask(viewer)}

    def _observe_natively(self, viewer: int) -> dict[str, Any]:
        import numpy

        row = numpy.frombuffer(self.play.save().row, numpy.int64)
        pooled = acquire_memory(self.game, NATIVE)
        observation = views_of(self.game).observe(pooled.memory, row, (viewer,))
        pooled.release()
        return {name: array[0] for name, array in observation.items()}

    def rewards(self, reward: Reward) -> list[float]:
        """What the game was worth to each player; ValueError if it is not over."""
        outcome = self.play.outcome()
        return reward(outcome.winners, outcome.totals)
