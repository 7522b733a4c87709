"""Norms about `cross`: judged by examples, played by kernels, told by `why`."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.scenario.collection import collect
from tests.equal.playthroughs import Both

WAYS = Path(__file__).with_name("ways")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([WAYS])
    assert len(items) >= 7
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load("nomads", "marshlands", folders=[WAYS])
    for seed in range(4):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games() -> None:
    game = kbrules.new_game(kbrules.load(folders=[WAYS]), 3, 1, "ways")
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]
