"""Whole random games of all boxes, engine and twin side by side."""

from __future__ import annotations

import pytest

from kbrules.game.random import Random
from tests.boxes import bridge
from tests.boxes.drawing import told
from tests.boxes.follow import follow
from tests.boxes.strewn import opening
from tests.boxes.test_scores import agree

GAMES, SOAK, TURNS = 12, 600, 1000


def play(seed: int) -> None:
    laid = opening(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        state = bridge.state_of(game, scene)
        state = follow(game, state, scene, Random(seed, "game"), TURNS)
        assert state.is_over
        agree(game, state, scene)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_game(seed: int) -> None:
    play(seed)


@pytest.mark.slow
def test_many_random_games() -> None:
    for seed in range(GAMES, GAMES + SOAK):
        play(seed)
