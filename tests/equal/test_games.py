"""Whole games move by move: generated code against the walk over the tree, on mixes of boxes."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from kbrules.compile.late import Late
from kbrules.engine.game import Game
from kbrules.plan.evaluators import generated, reference
from tests.equal.games import Tally, compared
from tests.equal.settings import OF_A_MIX, Mix, setting_of

MIXES = range(20)
"""So many mixes of `OF_A_MIX` games each are played at every build."""
LONG, SECONDS = 800, 900
"""In a long run so many, as far as the time suffices."""
PARTS = 8


@pytest.mark.parametrize("mix", MIXES)
def test_a_game_and_its_twin_never_differ(mix: int) -> None:
    tally = Tally()
    for seed in range(mix * OF_A_MIX, (mix + 1) * OF_A_MIX):
        compared(setting_of(seed), generated, reference, tally)
    assert tally.games == OF_A_MIX


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_games_never_differ(part: int) -> None:
    tally, until = Tally(), process_time() + SECONDS / PARTS
    for mix in range(len(MIXES) + part, LONG, PARTS):
        for seed in range(mix * OF_A_MIX, (mix + 1) * OF_A_MIX):
            compared(setting_of(seed), generated, reference, tally)
        if process_time() > until:
            break
    assert tally.games > 100


def test_the_twin_generates_nothing_and_the_game_does() -> None:
    setting = setting_of(1, Mix(("base",)))
    compared(setting, generated, reference)
    game, twin = setting.game(generated), setting.game(reference)
    late = [node for node in _permits(game) if isinstance(node, Late)]
    assert any(node.value is not node.tree.value for node in late)
    assert not any(isinstance(node, Late) for node in _permits(twin))


def _permits(game: Game) -> list[object]:
    norms = [norm for rule in game.ruleset.rules for norm in rule.norms]
    return [game.program.link(norm.on) for norm in norms if norm.on is not None]


def test_the_end_may_be_called_as_a_turn_ends() -> None:
    """By an option the supplies are looked at when a round is over, and not before."""
    setting = setting_of(1, Mix(("base", "nomads")))
    late = replace(setting, table=replace(setting.table, options={"end_stays": False}))
    compared(late, generated, reference)
