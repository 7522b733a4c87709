"""Phases of set-up and play that happen only on a condition."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.game.state import State
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source

TEXT = """\
option early = no "Everybody begins with gold."
option late = no "Everybody ends with gold."
option choosy = no "The first player chooses a hex."

memory chosen: hexes of table "What was chosen."

rule gifts "Gifts":
    "Gold for nothing."
    setup if early: gain 5
    finish if late: gain 7
    before setup if choosy: mark 1 on edge as chosen
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load("base", texts=[Source("gifts.kb", TEXT)])


def started(rules: Ruleset, **options: bool) -> tuple[Game, State]:
    game = new_game(rules, 2, 1, options=options)
    return game, game.start()


def test_a_phase_whose_condition_fails_is_passed_over(rules: Ruleset) -> None:
    game, state = started(rules)
    assert {move.verb for move in game.legal_moves(state)} == {"draw"}
    assert [seat.gold for seat in state.seats] == [0, 0]


def test_a_phase_whose_condition_holds_is_done_by_everybody(rules: Ruleset) -> None:
    game, state = started(rules, early=True)
    while state.stage[0] == "setup":
        state = game.apply(state, next(iter(game.legal_moves(state))))
    assert [seat.gold for seat in state.seats] == [5, 5]


def test_hexes_are_marked_once_before_set_up_by_the_first_player(rules: Ruleset) -> None:
    game, state = started(rules, choosy=True)
    moves = game.legal_moves(state)
    assert moves.player == 0
    (group,) = moves.groups
    assert (group.verb, group.rule, group.hexes) == ("mark", "gifts", game.board.grid.edge())
    after = game.apply(state, list(moves)[3])
    assert after.memory[rules.memories["chosen"][1]] == 1 << list(moves)[3].hex
    assert {move.verb for move in game.legal_moves(after)} == {"draw"}
