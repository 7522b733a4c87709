"""Whole games by states, move by move: on mixes of boxes, and with a fault planted in rules."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

import kbrules
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.matches import Match, random_bot
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.playouts import Playouts
from kbrules.text import Source
from tests.equal.faulty import RULES, compared as compared_with_fault, trial_of
from tests.equal.games import Tally, compared
from tests.equal.playthroughs import Both
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
from tests.kernel.traces import traced

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
    moves = traced(Playouts(changed, PYTHON), seed)[1]
    match = Match(changed, seed, [random_bot] * table.players)
    assert moves == [(each.player, *each.move) for each in match]
    assert moves != traced(Playouts(game, PYTHON), seed)[1], "the option says nothing here"


FEW = RULES[-1:]
"""The house rules with odd actions, and of the base game."""
LONG_WITH_FAULTS, FAULTY_PARTS, SECONDS_WITH_FAULTS = 4_000, 8, 400


def test_faults_are_planted() -> None:
    trials = [trial_of(seed, FEW) for seed in range(40)]
    assert len({trial.fault.kind for trial in trials}) > 4
    assert sum(trial.ruleset is not None for trial in trials) > 20


@pytest.mark.parametrize("part", range(2))
def test_rules_with_a_fault_are_played_alike(part: int) -> None:
    assert sum(compared_with_fault(seed, FEW) for seed in range(part, 8, 2)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(FAULTY_PARTS))
def test_many_more_faults_are_played_alike(part: int) -> None:
    played, until = 0, process_time() + SECONDS_WITH_FAULTS / FAULTY_PARTS
    for seed in range(10_000 + part, 10_000 + LONG_WITH_FAULTS, FAULTY_PARTS):
        if process_time() > until:
            break
        played += compared_with_fault(seed)
    assert played > 20


NEVER_FIRST = """\
option extra = 0 "How many more."

rule rims "Rims":
    "Build at the rim, as many as are agreed on, and one wherever you like."
    action:
        build extra on edge & buildable freely
        build 1 on buildable freely
"""
ENVY = """\
location {tile} "Envy" replaces {tile}:
    "When another player builds at the rim, you may build beside it."
    action when build by others if any(here & edge): build 1 on buildable freely
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_step_that_is_done_no_time_is_passed_over(seed: int) -> None:
    ruleset = kbrules.load("base", texts=[Source("rims.kb", NEVER_FIRST)])
    game = game_at(ruleset, choose_table(ruleset, 2, seed))
    Both(game.playthrough(seed, PYTHON), game).play()


@pytest.mark.parametrize("seed", range(3))
def test_a_reaction_of_the_first_tile_uses_it(seed: int) -> None:
    first = kbrules.load("base").catalog.tiles[0].id
    text = ENVY.format(tile=first)
    ruleset = kbrules.load("base", texts=[Source("envy.kb", text)])
    tables = (choose_table(ruleset, 2, number) for number in range(100 * seed, 100 * seed + 100))
    game = game_at(ruleset, next(table for table in tables if first in repr(table.layout)))
    Both(game.playthrough(seed, PYTHON), game).play()
