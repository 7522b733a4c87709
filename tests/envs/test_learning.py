"""The example that learns runs, and follows the gradient of what it says it improves."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

from kbrules.envs.vector import GameVectorEnv
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
    for name, value in {"GAMES": 6, "STEPS": 8, "ROLLOUTS": 2, "PARTS": 2}.items():
        monkeypatch.setattr(module, name, value)
    return module


def test_it_trains_keeps_its_policy_and_plays_a_match(example: Any, tmp_path: Path) -> None:
    *_, (_, steps, policy) = example.learn(example.Asked(minutes=0.001))
    assert steps >= 6 * 8 * 2 and all(weight.any() for weight in policy.weights)
    policy.save(tmp_path / "policy.npz")
    again = example.Policy.read(tmp_path / "policy.npz")
    env = GameVectorEnv(4, setup="first-game")
    seen, _ = env.reset(seed=1)
    given = example.Encoder(env.games[0])(seen)
    assert (again.best(given) == policy.best(given)).all()
    assert (seen["action_mask"][numpy.arange(4), policy.best(given)] == 1).all()
    wins, half, _ = example.match(policy, "random", "first-game", 2)
    assert 0 <= wins <= 100 and half >= 0


def test_it_descends_the_slope_of_its_loss(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against differences of the loss: gains times the odds of what was taken, and the entropy."""
    env = GameVectorEnv(6, setup="first-game", reward="growth")
    seen, _ = env.reset(seed=1)
    encode = example.Encoder(env.games[0])
    policy = example.Policy(encode.size, len(encode.scale), 1 + len(encode.context), 1)
    random = numpy.random.default_rng(1)
    policy.weights = [
        (weight + random.normal(0, 0.1, weight.shape)).astype(numpy.float64)
        for weight in policy.weights
    ]
    learner = example.Learner(policy, encode, 1)
    rollout, _ = learner.play(env, seen)
    gains = [random.normal(size=6) for _ in rollout.paid]
    steps = numpy.array([2, 5])

    def loss() -> float:
        found = 0.0
        for at in steps:
            given, row = rollout.inputs[at], rollout.taken[at]
            odds = policy.odds(given)
            found -= float((odds[row] / rollout.odds[at] * gains[at]).sum())
            found += example.ENTROPY * float((odds * numpy.log(odds + 1e-12)).sum())
        return found / (len(steps) * 6)

    for weight, slope in zip(policy.weights, learner._slopes(rollout, gains, steps), strict=True):
        for at in random.choice(weight.size, 4):
            kept, nearby = weight.flat[at], []
            for step in (1e-5, -1e-5):
                weight.flat[at] = kept + step
                nearby.append(loss())
            weight.flat[at] = kept
            assert slope.flat[at] == pytest.approx(
                (nearby[0] - nearby[1]) / 2e-5, rel=2e-2, abs=2e-5
            )
