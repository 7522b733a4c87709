"""A build strays if only a waived preference let it; what is done `freely` never does."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State
from kbrules.hex.sets import lowest
from kbrules.library.load import load
from kbrules.text import Source

TEXT = """\
memory strays: number of player "How often this player strayed."

rule wanderlust "Wanderlust":
    "Nobody need build next to their own; it is counted who does not."
    waive build
    when build if strayed: count 1 into strays

rule rim "The rim":
    "Once a turn anybody may build at the rim."
    action: build 1 on edge & buildable freely
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return new_game(load("base", texts=[Source("wanderlust.kb", TEXT)]), 2, 5)


def begun(game: Game) -> State:
    """The first turn after one build of the mandatory action by the first player, and an end."""
    state = game.start()
    while game.legal_moves(state).player == CHANCE:
        state = game.apply(state, next(iter(game.legal_moves(state))))
    return game.apply(state, next(m for m in game.legal_moves(state) if m.rule == "mandatory"))


def strays(game: Game, state: State) -> int:
    return state.seats[0].memory[game.ruleset.memories["strays"][1]]


def test_a_build_far_away_strays_and_one_beside_does_not(game: Game) -> None:
    state = begun(game)
    (group,) = game.legal_moves(state).groups
    near = game.board.grid.neighbours(state.seats[0].all)
    assert strays(game, state) == 0
    assert group.hexes & near and group.hexes & ~near
    beside = game.apply(state, Move("build", "mandatory", lowest(group.hexes & near)))
    away = game.apply(state, Move("build", "mandatory", lowest(group.hexes & ~near)))
    assert (strays(game, beside), strays(game, away)) == (0, 1)


def test_what_is_done_freely_does_not_stray(game: Game) -> None:
    state = begun(game)
    while {group.rule for group in game.legal_moves(state).groups} == {"mandatory"}:
        near = game.board.grid.neighbours(state.seats[0].all)
        (group,) = game.legal_moves(state).groups
        state = game.apply(
            state, Move("build", "mandatory", lowest(group.hexes & near or group.hexes))
        )
    before = strays(game, state)
    (group,) = (g for g in game.legal_moves(state).groups if g.rule == "rim")
    near = game.board.grid.neighbours(state.seats[0].all)
    assert group.hexes & near and group.hexes & ~near
    after = game.apply(state, Move("build", "rim", lowest(group.hexes & ~near)))
    assert strays(game, after) == before
