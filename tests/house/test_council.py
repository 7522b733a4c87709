"""Scoring cards that come and go: judged by scenarios, played by kernels as by the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.scenario.collection import collect
from tests.equal.playthroughs import Both

COUNCIL = Path(__file__).with_name("council")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([COUNCIL])
    assert len(items) >= 5
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load("nomads", folders=[COUNCIL])
    for seed in range(4):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games() -> None:
    game = kbrules.new_game(kbrules.load(folders=[COUNCIL]), 3, 1, "council")
    told = {engine: list(game.playouts(range(3), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(3), "native")) == told[PYTHON]
