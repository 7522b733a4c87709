"""Rules of mirrored, closed and winding settlements: judged by examples, played by kernels."""

from __future__ import annotations

from pathlib import Path

import kbrules
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import PYTHON
from kbrules.scenario.running.collect import collect
from tests.equal.playthroughs import Both

SHAPES = Path(__file__).with_name("shapes")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([SHAPES])
    assert len(items) >= 9
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[SHAPES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()
