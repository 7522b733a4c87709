"""Whole games played by the kernel are, in every number, those that are played step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.matches import outcome
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import random_bot

HOUSE_RULES = Path("tests/house")


@pytest.fixture(scope="module", params=["base", "hex", "dale"])
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    boxes = [] if request.param == "hex" else ["base"]
    return load(*boxes, folders=[] if request.param == "base" else [HOUSE_RULES / request.param])


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_are_those_of_the_steps(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.parts.players[seed % 2]
    game = game_at(ruleset, choose_table(ruleset, players, seed))
    for each in range(3):
        assert game.playout(each) == outcome(game, each, [random_bot] * players)
