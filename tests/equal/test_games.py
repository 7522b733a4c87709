"""Whole games by states, move by move: the kernel against the reference, on mixes of boxes."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.matches import Match
from kbrules.engine.setup import game_at
from kbrules.engine.simulation.playouts import Playouts
from kbrules.tools.bots import random_bot
from tests.equal.games import Tally, compared
from tests.equal.settings import (
    HOUSE_BOXES,
    MIXES,
    OF_A_CONFIGURATION,
    OF_A_MIX,
    Mix,
    of_each_mix,
    rules_of,
    setting_of,
)

LONG, SECONDS = 800, 900
"""In a long run so many, as far as the time suffices."""
PARTS = 8
CONFIGURATIONS = OF_A_MIX // OF_A_CONFIGURATION
QUICK = 2
"""Of so many configurations of a mix one game is played at every build, the others in long runs."""
NATIVELY = [Mix(("base",)), HOUSE_BOXES["hex"]]

READINGS = {
    "reshuffle_when_due": (Mix(("base", "casual")), 3),
    "repeat_places": (Mix(("base", "crossroads", "harvest")), 2),
    "redraw_afterwards": (Mix(("base", "nomads")), 86),
    "each_dead_card": (Mix(("base", "nomads", "casual")), 4),
    "first_half_counts": (Mix(("base", "marshlands")), 61),
    "silo_by_silo": (Mix(("base", "harvest")), 4),
}
"""Options that say what few moves come to, and boxes and a seed of a game in which they do."""


@of_each_mix
def test_a_game_and_its_twin_never_differ(mix: int) -> None:
    assert played(mix, range(QUICK), range(1)) == QUICK


@pytest.mark.slow
@of_each_mix
def test_the_other_games_of_a_mix_never_differ(mix: int) -> None:
    played(mix, range(QUICK), range(1, OF_A_CONFIGURATION))
    played(mix, range(QUICK, CONFIGURATIONS), range(OF_A_CONFIGURATION))


def played(mix: int, configurations: range, games: range) -> int:
    """Compare some games of some configurations of a mix; how many."""
    tally = Tally()
    for configuration in configurations:
        first = mix * OF_A_MIX + configuration * OF_A_CONFIGURATION
        for number in games:
            compared(setting_of(first + number), PYTHON, REFERENCE, tally)
    return tally.games


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_games_never_differ(part: int) -> None:
    tally, until = Tally(), process_time() + SECONDS / PARTS
    for mix in range(len(MIXES) + part, LONG, PARTS):
        for seed in range(mix * OF_A_MIX, (mix + 1) * OF_A_MIX):
            compared(setting_of(seed), PYTHON, REFERENCE, tally)
        if process_time() > until:
            break
    assert tally.games > 100


@pytest.mark.parametrize("mix", NATIVELY, ids=str)
def test_a_native_game_and_its_twin_never_differ(mix: Mix) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    for seed in range(4):
        compared(setting_of(OF_A_CONFIGURATION * 7 + seed, mix), NATIVE, REFERENCE)


def test_the_end_may_be_called_as_a_turn_ends() -> None:
    """By an option the supplies are looked at when a round is over, and not before."""
    setting = setting_of(1, Mix(("base", "nomads")))
    late = replace(setting, table=replace(setting.table, options={"end_stays": False}))
    compared(late, PYTHON, REFERENCE)


@pytest.mark.parametrize("option", READINGS)
def test_a_reading_that_seldom_matters_is_the_same(option: str) -> None:
    mix, seed = READINGS[option]
    table, usual = setting_of(seed, mix).table, rules_of(mix).options[option]
    other = replace(table, options={option: not usual})
    compared(replace(setting_of(seed, mix), table=other), PYTHON, REFERENCE)
    game = game_at(rules_of(mix), replace(table, options={}))
    changed = game_at(rules_of(mix), other)
    moves = Playouts(changed, PYTHON).traced(seed)[1]
    match = Match(changed, seed, [random_bot] * table.players)
    assert moves == [(each.player, *each.move) for each in match]
    assert moves != Playouts(game, PYTHON).traced(seed)[1], "the option says nothing here"
