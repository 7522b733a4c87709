"""Random games, played by a machine that also tries what is not offered, and looks back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import State
from tests.oracle.seen import rules
from tests.properties.laws import (
    check_events,
    check_near,
    check_state,
    check_step,
    check_turn,
)  # fmt: skip

LONGEST = 2_000
SEEDS = st.integers(0, 2**32)
RULES = ("mandatory", "turn", "", "oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor",
         "paddock", "nobody")  # fmt: skip
VERBS = ("build", "lift", "move", "end", "stop", "use", "fly")
OPTIONS: list[dict[str, Any]] = [
    {}, {"null_moves": True}, {"lift_first": False}, {"build_without_card": True},
]  # fmt: skip


class Games(RuleBasedStateMachine):
    """One game; `path` holds every state with its hash, `played` the moves between them."""

    game: Game

    @initialize(
        players=st.integers(2, 4), seed=SEEDS, setup=st.sampled_from(["random", "first-game"]),
        options=st.sampled_from(OPTIONS),
    )  # fmt: skip
    def sit_down(self, players: int, seed: int, setup: str, options: dict[str, Any]) -> None:
        table = choose_table(rules(), players, seed, setup, options)
        self.game = game_at(rules(), table)
        self.played: list[Move] = []
        self.path: list[tuple[State, str]] = []
        self.turns: list[int] = [0] * players
        self.turn: list[State] = []
        self.builds = 0
        self.come_to(self.game.start())

    def come_to(self, state: State) -> None:
        self.path.append((state, state.hash()))
        if state.stage[0] == "turn":
            self.turn.append(state)
        check_state(self.game, state)

    @property
    def state(self) -> State:
        return self.path[-1][0]

    def play(self, move: Move) -> None:
        before = self.state
        moves = self.game.legal_moves(before)
        if moves.player != CHANCE:
            check_near(self.game, before, moves)
        step = self.game.play(before, move)
        check_events(self.game, before, step.events, step.state)
        check_step(self.game, before, move, step.state)
        self.builds += (move.verb, move.rule) == ("build", "mandatory")
        if before.stage[0] == "turn" and before.stage != step.state.stage:
            check_turn(self.builds, self.turn, step.state)
            self.count_turns(before, step.state)
            self.builds, self.turn = 0, []
        self.played.append(move)
        self.come_to(step.state)

    def count_turns(self, before: State, after: State) -> None:
        """A turn with nothing to decide may pass unseen, so count by the number of the turn."""
        last = after.stage[1] if after.stage[0] == "turn" else before.stage[1] + 1
        for number in range(before.stage[1], last):
            self.turns[number % len(self.turns)] += 1
        assert (before.active, after.is_over or after.active) == (
            before.stage[1] % len(self.turns),
            after.is_over or last % len(self.turns),
        )

    @precondition(lambda self: not self.state.is_over)
    @rule(count=st.integers(1, 25), seed=SEEDS)
    def go_on(self, count: int, seed: int) -> None:
        random = Random(seed, "play")
        for _ in range(count):
            if not self.state.is_over:
                self.play(self.game.legal_moves(self.state).sample(random))

    @rule(verb=st.sampled_from(VERBS), name=st.sampled_from(RULES), seed=SEEDS)
    def try_any(self, verb: str, name: str, seed: int) -> None:
        """What is offered can be done, what is not offered is refused with a reason."""
        hexes = _hexes(self.game)
        self.attempt(Move(verb, name, hexes[seed % len(hexes)]))

    @rule(seed=SEEDS)
    def try_beside(self, seed: int) -> None:
        """The moves that are offered, put on other hexes."""
        hexes = _hexes(self.game)
        moves = self.game.legal_moves(self.state)
        for group in moves.groups if moves.player != CHANCE else ():
            self.attempt(Move(group.verb, group.rule, hexes[seed % len(hexes)]))

    def attempt(self, move: Move) -> None:
        state, digest = self.path[-1]
        if move in self.game.legal_moves(state):
            self.game.apply(state, move)
        else:
            with pytest.raises(IllegalMove) as refused:
                self.game.apply(state, move)
            assert refused.value.refusal.reasons
            assert all(reason.text for reason in refused.value.refusal.reasons)
        assert state.hash() == digest

    @rule()
    def do_everything(self) -> None:
        """Every single move that is offered can be done, and leaves this state as it was."""
        state, digest = self.path[-1]
        for move in self.game.legal_moves(state):
            after = self.game.apply(state, move)
            assert after != state
        assert state.hash() == digest

    @precondition(lambda self: self.played)
    @rule(back=SEEDS)
    def look_back(self, back: int) -> None:
        """A state of long ago is what it was, and the same move leads where it led."""
        index = back % len(self.played)
        state, digest = self.path[index]
        assert state.hash() == digest
        again = self.game.apply(state, self.played[index])
        assert again.hash() == self.path[index + 1][1]
        assert again == self.path[index + 1][0]

    def teardown(self) -> None:
        """Every game comes to its end, all having had as many turns; the same moves lead there."""
        if not hasattr(self, "game"):
            return
        random = Random(len(self.played), "to the end")
        while not self.state.is_over:
            self.play(self.game.legal_moves(self.state).sample(random))
            assert len(self.played) < LONGEST
        assert len(set(self.turns)) == 1
        assert any(seat.supply[0] == 0 for seat in self.state.seats)
        self.replay()
        sheet = self.game.score(self.state)
        assert sheet.winners
        for player, total in enumerate(sheet.totals):
            assert (player in sheet.winners) == (total == max(sheet.totals))

    def replay(self) -> None:
        state = self.game.start()
        for move, (_, digest) in zip(self.played, self.path, strict=False):
            assert state.hash() == digest
            state = self.game.apply(state, move)
        assert state.hash() == self.path[-1][1]


def _hexes(game: Game) -> list[int]:
    grid = game.board.grid
    return [-1, *(hex for hex in range(grid.full.bit_length()) if grid.full >> hex & 1)]


class ManyGames(Games):
    """The same for longer."""


Games.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
ManyGames.TestCase.settings = settings(max_examples=1500, stateful_step_count=40, deadline=None)
TestGames = Games.TestCase
TestManyGames = pytest.mark.slow(ManyGames.TestCase)
