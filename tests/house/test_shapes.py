"""Rules of mirrored, closed and winding settlements: judged by examples, played by kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.diagnostics import RulesError
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import PYTHON
from kbrules.scenario.running.collect import collect
from kbrules.text import Source
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


def test_all_engines_tell_the_same_games_of_the_longest_way() -> None:
    game = kbrules.new_game(kbrules.load(folders=[SHAPES]), 3, 1, "shapes")
    assert "wanderers" in game.cards
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


def test_too_large_a_group_is_told_where_the_rule_asks_for_it() -> None:
    wide = 'rule wide "Wide":\n    "All of it."\n    gold longest_way(board)\n'
    ruleset = kbrules.load(folders=[SHAPES], texts=[Source("wide.kb", wide)])
    game = kbrules.new_game(ruleset, 2, 1, "shapes")
    with pytest.raises(RulesError, match=r"wide.kb:3:10: error\[KB513\]: .* group of \d+ hexes"):
        game.playout(1, "reference")
    with pytest.raises(RuntimeError, match="too many sets worked out on the way"):
        game.playout(1, PYTHON)
