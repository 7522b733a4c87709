"""Actions that begin with a step that is not done, and reactions of the first kind of tile."""

from __future__ import annotations

import pytest

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.text import Source
from tests.equal.playthroughs import Both

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
