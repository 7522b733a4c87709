"""The spaces of actions and observations, in the words of Gymnasium."""

from __future__ import annotations

from typing import Any

from kbrules.engine.configuration import GameLike
from kbrules.envs.actions import actions_of
from kbrules.envs.features import features_of
from kbrules.envs.session import GameSession
from kbrules.tools.processes import MissingExtra

try:
    import numpy
    from gymnasium import spaces
except ImportError as error:
    raise MissingExtra("envs", f"there is no `{error.name}`") from None

MOST_ON_A_PLACE = 127
MOST_GOLD = 2**62
"""Gold can be larger than 32 bits hold. A space samples one more than its bound, in 64 bits."""


def action_space(game: GameLike) -> Any:
    """A discrete space of the actions of a table."""
    return spaces.Discrete(len(actions_of(game)))


def observation_space(game: GameLike) -> Any:
    """A dict: `observation` (planes, int8), `numbers` (int64) and `action_mask` (int8, 0 or 1)."""
    features = features_of(game)
    numbers = len(features.numbers)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MOST_ON_A_PLACE, features.shape, numpy.int8),
            "numbers": spaces.Box(-MOST_GOLD, MOST_GOLD, (numbers,), numpy.int64),
            "action_mask": spaces.Box(0, 1, (len(actions_of(game)),), numpy.int8),
        }
    )


def observation_of(session: GameSession, viewer: int) -> dict[str, Any]:
    """What a player observes: an element of `observation_space`."""
    arrays = session.observe(viewer)
    return {
        "observation": arrays["planes"],
        "numbers": arrays["numbers"],
        "action_mask": arrays["mask"],
    }
