"""The environment for PettingZoo, held by PettingZoo's own tests."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy
import pytest

from kbrules.envs.pettingzoo import env, raw_env
from kbrules.envs.session import IllegalAction
from tests.envs.peers import (
    BOXES,
    MIXES,
    api_test,
    excused,
    render_test,
    seatings,
    seed_test,
)


def played(game: Any, seed: int) -> Any:
    """The environment after a random game."""
    game.reset(seed=seed)
    for agent in game.agent_iter():
        observation, _, terminated, truncated, _ = game.last()
        space = game.action_space(agent)
        if not (terminated or truncated):
            space.seed(int(observation["action_mask"].sum()))
        game.step(None if terminated or truncated else space.sample(observation["action_mask"]))
    return game


def passes(boxes: tuple[str, ...], players: int, cycles: int) -> None:
    with excused():
        api_test(env(boxes=boxes, players=players), num_cycles=cycles)
        seed_test(partial(env, boxes=boxes, players=players), num_cycles=cycles)


@pytest.mark.parametrize("players", [2, 4])
def test_the_base_game_passes(players: int) -> None:
    passes(("base",), players, 30)


@pytest.mark.parametrize("boxes", BOXES, ids="+".join)
def test_every_box_passes(boxes: tuple[str, ...]) -> None:
    for players in seatings(boxes):
        passes(boxes, players, 150)


@pytest.mark.parametrize("boxes", MIXES, ids="+".join)
def test_mixes_pass(boxes: tuple[str, ...]) -> None:
    for players in seatings(boxes):
        passes(boxes, players, 150)


def test_it_renders(capsys: pytest.CaptureFixture[str]) -> None:
    with excused():
        render_test(env)
    assert " 1 " in capsys.readouterr().out


@pytest.mark.parametrize(("reward", "whole"), [("win", 0.0), ("share", 1.0), ("margin", 0.0)])
def test_rewards_are_paid_once_at_the_end(reward: str, whole: float) -> None:
    game = raw_env(reward=reward)
    game.reset(seed=3)
    rewards: dict[str, float] = dict.fromkeys(game.agents, 0.0)
    for agent in game.agent_iter():
        observation, latest, terminated, _, _ = game.last()
        rewards[agent] += latest
        assert latest == 0 or terminated
        game.step(None if terminated else int(observation["action_mask"].nonzero()[0][0]))
    assert sum(rewards.values()) == pytest.approx(whole)
    totals = game.session.play.outcome().totals  # type: ignore[union-attr]
    best = max(rewards, key=lambda agent: rewards[agent])
    assert totals[int(best[-1])] == max(totals)


def test_the_mask_is_in_observation_and_info() -> None:
    game = raw_env()
    game.reset(seed=1)
    agent, other = game.agent_selection, "player_1"
    observation, _, _, _, info = game.last()
    assert (observation["action_mask"] == info["action_mask"]).all()
    assert observation["action_mask"].sum() == game.session.play.count  # type: ignore[union-attr]
    assert agent != other and not game.observe(other)["action_mask"].any()


def test_reset_without_a_seed_goes_on_to_the_next_game() -> None:
    game = raw_env()
    boards = []
    for _ in range(3):
        game.reset()
        boards.append(game.observe("player_0")["observation"])
    game.reset(seed=1)
    assert numpy.array_equal(game.observe("player_0")["observation"], boards[1])
    assert not numpy.array_equal(boards[0], boards[1])


def test_an_illegal_action_ends_the_game_with_a_penalty() -> None:
    game = env()
    game.reset(seed=1)
    game.step(game.action_space("player_0").n - 1)
    assert all(game.terminations.values())
    assert game.rewards == {"player_0": -1, "player_1": 0}


def test_wrong_numbers_are_refused_and_change_nothing() -> None:
    game = raw_env()
    game.reset(seed=1)
    before = game.observe("player_0")
    for action, message in (
        (-1, "there is no action -1"),
        (game.action_space("player_0").n, "there is no action"),
        (game.action_space("player_0").n - 1, "is not legal now"),
        (None, "not None"),
    ):
        with pytest.raises(IllegalAction, match=message):
            game.step(action)
    with pytest.raises((TypeError, ValueError)):
        game.step("first")  # type: ignore[arg-type]
    after = game.observe("player_0")
    assert all((before[name] == after[name]).all() for name in before)


def test_the_order_of_calls_is_enforced_as_pettingzoo_does() -> None:
    with pytest.raises(Exception, match="reset"):
        env().step(0)
    with pytest.raises(RuntimeError, match="reset the environment"):
        raw_env().observe("player_0")
    over = played(raw_env(), 2)
    assert over.agents == []


def test_a_setup_that_cannot_be_had_is_said_at_once() -> None:
    with pytest.raises(ValueError, match="no reward is called"):
        raw_env(reward="gold")
    with pytest.raises(ValueError, match="players"):
        raw_env(players=9)
    with pytest.raises(ValueError, match="there is no set-up"):
        raw_env(setup="nowhere")


@pytest.mark.parametrize("action", [None, 0.0, "0", [0]], ids=str)
def test_only_whole_numbers_are_actions(action: Any) -> None:
    game = raw_env()
    game.reset(seed=1)
    with pytest.raises(IllegalAction, match="must take the number of an action"):
        game.step(action)
