"""The example that learns runs, and follows the gradient of what it says it improves."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import numpy
import pytest

from kbrules.envs.gymnasium import GameVectorEnv
from tests.source_tree import ROOT

EXAMPLE = ROOT / "docs" / "examples" / "learn.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example, with few games and short rollouts."""
    spec = importlib.util.spec_from_file_location("learn", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "learn", module)
    spec.loader.exec_module(module)
    for name, value in {"GAMES": 6, "STEPS": 8, "ROLLOUTS": 2, "PARTS": 2, "ENTROPY": 1.0}.items():
        monkeypatch.setattr(module, name, value)
    return module


def policy_of(example: Any, env: GameVectorEnv) -> Any:
    """A policy whose weights are all other than 0."""
    policy = example.Policy(example.Encoder(env.games[0]), 1)
    random = numpy.random.default_rng(1)
    policy.weights = [each + random.normal(0, 0.1, each.shape) for each in policy.weights]
    return policy


def test_it_trains_and_plays_a_match(example: Any) -> None:
    *_, (_, decisions, policy) = example.learn(0.001, "first-game", 1)
    assert decisions >= 6 * 8 * 2 and all(weight.any() for weight in policy.weights)
    wins, half, _ = example.match(policy, "random", "first-game", 2)
    assert 0 <= wins <= 100 and half >= 0


def test_its_inputs_are_the_legal_actions_with_odds_that_sum_to_1(example: Any) -> None:
    env = GameVectorEnv(4, setup="first-game")
    observation, _ = env.reset(seed=1)
    policy = policy_of(example, env)
    given = policy.encode(observation)
    assert given.rows.shape == (observation["action_mask"].sum(), policy.encode.size)
    assert (observation["action_mask"][given.games, given.actions] == 1).all()
    odds, _ = policy.odds(given)
    assert numpy.add.reduceat(odds, given.firsts) == pytest.approx([1] * 4)


def test_it_descends_the_slope_of_its_loss(example: Any) -> None:
    """Against differences of the loss: gains times the odds of what was taken, and the entropy."""
    env = GameVectorEnv(6, setup="first-game", reward="growth")
    observation, _ = env.reset(seed=1)
    policy = policy_of(example, env)
    steps, _ = policy.play(env, observation)
    random = numpy.random.default_rng(2)
    gains, step = random.normal(size=6), steps[2]

    def loss() -> float:
        odds, _ = policy.odds(step.given)
        wanted = float((odds[step.taken] / step.odds * gains).sum())
        return (example.ENTROPY * float((odds * numpy.log(odds + 1e-12)).sum()) - wanted) / 6

    for weight, slope in zip(policy.weights, policy.slopes(step, gains), strict=True):
        for at in random.choice(weight.size, 6):
            before, nearby = weight.flat[at], []
            for by in (1e-2, -1e-2):
                weight.flat[at] = before + by
                nearby.append(loss())
            weight.flat[at] = before
            assert slope.flat[at] == pytest.approx(
                (nearby[0] - nearby[1]) / 2e-2, rel=2e-2, abs=5e-5
            )
