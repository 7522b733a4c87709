"""Games played on natively: what does not fit is played plainly, and nothing differs for that."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from kbrules.engine.game import Game
from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.playthrough import Rollouts, rollouts_of
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel.layout import MAX_COUNTS
from kbrules.library.load import load
from kbrules.tools.bots import bot_named, leads_by_kernel, leads_by_states, native_bot_named

pytest.importorskip("numba")

SEED = 5
TRIED = 3


@pytest.fixture
def game() -> Game:
    ruleset = load("base")
    return game_at(ruleset, choose_table(ruleset, 2, SEED))


def _some_state(game: Game, most: int = 20) -> State:
    """One in the middle of a game."""
    state, random = game.start(), Random(SEED, "moves")
    for _ in range(most):
        state = game.apply(state, game.legal_moves(state).sample(random))
    while game.legal_moves(state).player == CHANCE or len(game.legal_moves(state)) < TRIED:
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state


def _same(game: Game, state: State, times: int) -> None:
    moves, random = game.legal_moves(state), Random(SEED, "bot")
    tried, twin = list(moves)[:TRIED], copy(random)
    mine = leads_by_kernel(game, state, moves.player, tried, times, random)
    assert mine == leads_by_states(game, state, moves.player, tried, times, twin)
    assert random.next64() == twin.next64()


@pytest.mark.parametrize("name", ["mc:1", "mc:8"])
def test_a_bot_makes_the_same_moves_as_without_it(game: Game, name: str) -> None:
    one, other = (
        Match(game, SEED, [make(name)] * game.players) for make in (bot_named, native_bot_named)
    )
    assert [played.move for played in one] == [played.move for played in other]
    assert one.state.is_over
    assert rollouts_of(game).faults == 0


@pytest.mark.parametrize("times", [1, 4, 40])
def test_chance_stands_where_it_would_stand_without_it(game: Game, times: int) -> None:
    state = _some_state(game)
    _same(game, state, times)
    assert rollouts_of(game).faults == 0


def _with_faults(memory: Any) -> Callable[..., int]:
    """Plays at most one game at a time, and then says that the next one does not fit."""
    played = memory.call

    def call(what: int, until: int, wanted: list[int], out: Any) -> int:
        return int(played(what, min(until, wanted[2] + 1), wanted, out))

    return call


def test_what_needs_more_room_is_played_plainly(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = rollouts_of(game)._memory
    monkeypatch.setattr(memory, "call", _with_faults(memory))
    _same(game, _some_state(game), 5)
    assert rollouts_of(game).faults == 7


@pytest.mark.slow
def test_a_game_that_outgrows_its_room_is_begun_again_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MAX_COUNTS, "TILES", 3)
    ruleset = load(folders=["tests/house/dale"])
    game = game_at(ruleset, choose_table(ruleset, ruleset.parts.players[0], SEED))
    _same(game, _some_state(game), 30)
    assert 0 < rollouts_of(game).faults < 90


def test_a_state_without_room_is_played_plainly(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollouts_of(game)
    monkeypatch.setitem(MAX_COUNTS, "FRAME", 0)
    _same(game, _some_state(game), 2)
    assert rollouts_of(game).faults == 2 * TRIED


def test_a_move_that_the_kernel_does_not_offer_is_left_to_the_engine(game: Game) -> None:
    state, random = _some_state(game), Random(SEED, "bot")
    move = game.legal_moves(state).sample(random)._replace(hex=4000)
    asked: list[int] = []

    def plainly(_move: object, _random: object) -> int:
        asked.append(1)
        return 7

    player = game.legal_moves(state).player
    assert Rollouts(game).leads(state, player, [move], 2, random, plainly) == [14]
    assert len(asked) == 2
