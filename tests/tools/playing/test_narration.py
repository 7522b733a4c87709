"""The story of a game: a line for each turn, and one for what follows the last round."""

from __future__ import annotations

import re

import pytest

from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.text import Source
from kbrules.tools.bots import random_bot
from kbrules.tools.narration import Narrator

PHASES = """\
memory chosen: hexes of table "What was chosen."

rule wishes "Wishes":
    "Everybody chooses a hex at the end."
    finish: mark 1 on edge - chosen as chosen
"""
HASTE = """\
rule haste "Haste":
    "The game is over as soon as somebody builds at the rim."
    when build if any(here & edge): end game
"""


def story(text: str, players: int, seed: int) -> list[str]:
    ruleset = load("base", texts=[Source("more.kb", text)])
    game = game_at(ruleset, choose_table(ruleset, players, seed))
    told = Narrator(game)
    lines = [told.add(played) for played in Match(game, seed, [random_bot] * players)]
    return [line for line in lines if line is not None]


def test_what_follows_the_last_round_is_told_with_who_did_it() -> None:
    lines = story(PHASES, 3, 5)
    hex = "[a-t][0-9]+"
    wish = f"wishes mark {hex}"
    assert re.fullmatch(f"finish  a: {wish}; b {wish}; c {wish}", lines[-1])
    assert all(line.startswith("round ") for line in lines[:-1])


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_in_which_the_game_ends_is_told(seed: int) -> None:
    lines = story(HASTE, 2, seed)
    assert re.search(r"build( [a-t][0-9]+)+$", lines[-1])
    assert all(re.match(r"round +\d+  [ab](  [\w ]+)?: ", line) for line in lines)


def test_a_game_that_ends_after_its_last_round_ends_with_a_turn() -> None:
    lines = story("", 2, 4)
    assert lines[-1].startswith("round ") and "a turn without a choice" not in lines[-1]
