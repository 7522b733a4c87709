"""Whole games played at a stretch are, in every number, those that are played step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.match import play_out
from kbrules.engine.outcome import outcome
from kbrules.engine.playouts import FEW, Playouts, Record
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import chance

HOUSE = Path("tests/house")


@pytest.fixture(scope="module", params=["base", "hex", "dale"])
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    boxes = [] if request.param == "hex" else ["base"]
    return load(*boxes, folders=[] if request.param == "base" else [HOUSE / request.param])


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_are_those_of_the_steps(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.parts.players[seed % 2]
    game = game_at(ruleset, choose_table(ruleset, players, seed))
    for each in range(3):
        assert game.playout(each) == outcome(game, each, [chance] * players)


@pytest.mark.parametrize("seed", range(6))
def test_the_last_table_is_that_of_the_steps(seed: int) -> None:
    ruleset = load("base")
    game = game_at(ruleset, choose_table(ruleset, 2 + seed % 3, seed))
    played = Playouts(game)
    for each in range(3):
        end = played.final(each)
        assert end is not None
        assert end.facts() == play_out(game, each, [chance] * game.players).facts()
    assert played.record.rare == 0


def test_where_most_games_need_steps_no_more_are_tried() -> None:
    record = Record()
    assert record.pays
    record.tried, record.rare = FEW, FEW
    assert not record.pays
    record.rare = FEW // 2
    assert record.pays
