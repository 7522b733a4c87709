"""Bots: what they choose is legal, the greedy one knows what pays, and chance decides the rest."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.engine.match import Match, play_out
from kbrules.game.moves import CHANCE, Group, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.bots import BOTS, greedy
from tests.engine.games import any_move, logged, table_of


@pytest.mark.parametrize("name", BOTS)
def test_a_seed_decides_what_a_bot_does(name: str) -> None:
    _, game = table_of(4, 3)
    one, other = (Match(game, 4, [BOTS[name]] * 3) for _ in range(2))
    assert [played.move for played in one] == [played.move for played in other]
    assert one.state.is_over


def test_greed_pays() -> None:
    wins = 0
    for seed in range(12):
        _, game = table_of(seed)
        bots = [any_move, greedy] if seed % 2 else [greedy, any_move]
        totals = game.score(play_out(game, seed, bots)).totals
        wins += totals[seed % 2] > totals[1 - seed % 2]
    assert wins >= 10


def after(game: Game, state: State, me: int) -> tuple[int, int]:
    totals = game.score(state).totals
    return totals[me], totals[me] - max(t for player, t in enumerate(totals) if player != me)


@given(st.integers(0, 15), st.data())
@settings(max_examples=40)
def test_of_builds_on_few_hexes_the_best_is_chosen(seed: int, data: st.DataObject) -> None:
    """Compared with trying all of them, wherever each move is whole by itself."""
    log = logged(seed, 3)
    game = log.game
    few = [
        played.before
        for played in log.played
        if played.player != CHANCE
        and all(group.verb == "build" for group in game.legal_moves(played.before).groups)
        and 1 < len(game.legal_moves(played.before)) <= 60
    ]
    state = data.draw(st.sampled_from(few))
    moves = game.legal_moves(state)
    chosen = greedy(game, state, moves, Random(data.draw(st.integers(0, 9)), "greedy"))
    worths = {move: after(game, game.apply(state, move), moves.player) for move in moves}
    assert worths[chosen] == max(worths.values())


@dataclass(frozen=True)
class Toy:
    """A game of one decision: each move leads to a state of its name with this much gold."""

    gold: dict[str, int]
    offered: MoveSet

    def legal_moves(self, state: SimpleNamespace) -> MoveSet:
        return self.offered if state.name == "now" else MoveSet(CHANCE, ())

    def apply(self, state: SimpleNamespace, move: Move) -> SimpleNamespace:
        return SimpleNamespace(name=move.rule, seats=(SimpleNamespace(pieces=(move.rule,)),))

    def totals(self, state: SimpleNamespace) -> tuple[int, ...]:
        return self.gold[state.name], 9

    @property
    def scoring(self) -> SimpleNamespace:
        return SimpleNamespace(worths=lambda state, totals: ())


NOW = SimpleNamespace(name="now", seats=(SimpleNamespace(pieces=("now",)),))


@pytest.mark.parametrize(
    ("worse", "better", "ending", "chosen"),
    [
        (3, 7, True, "better"),
        (3, 5, True, "better"),  # it costs nothing, so it is done
        (3, 4, True, "turn"),
        (3, 4, False, "better"),  # something must be done
    ],
)
def test_a_turn_ends_only_when_all_else_costs_gold(
    worse: int, better: int, ending: bool, chosen: str
) -> None:
    groups = [Group("build", "worse"), Group("build", "better")]
    moves = MoveSet(0, (*groups, Group("end", "turn")) if ending else tuple(groups))
    toy: Any = Toy({"now": 5, "worse": worse, "better": better, "turn": 5}, moves)
    now: Any = NOW
    for seed in range(5):
        assert greedy(toy, now, moves, Random(seed, "greedy")).rule == chosen


def test_of_half_a_move_the_best_way_to_go_on_counts() -> None:
    """Whoever lifts a piece looks where it may go; what must be done may cost gold."""
    lifted = 0
    for seed in range(8):
        _, game = table_of(seed, 2)
        for played in Match(game, seed, [greedy] * 2):
            offered = {group.verb for group in game.legal_moves(played.before).groups}
            if played.move.verb == "lift" and "end" in offered:
                lifted += 1
                me = played.player
                now = game.score(played.before).totals[me]
                ways = game.legal_moves(played.transition.state)
                ends = [game.apply(played.transition.state, way) for way in ways]
                assert max(game.score(end).totals[me] for end in ends) >= now
    assert lifted > 5
