"""States, games changed in place and native games side by side, moved to and fro by a machine.

The machine plays, goes back, goes on with copies and tries what is refused; after each of its steps
all three offer the same, are in the same state and pay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from pickle import dumps, loads
from typing import Any, NamedTuple

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from kbrules.engine.configuration import REFERENCE, IllegalMove
from kbrules.engine.simulation.kernels import ENGINES
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import CHANCE, InvalidMove, Move, MoveSet, read_move
from kbrules.game.random import Random
from kbrules.game.state import State
from tests.equal.games import LONGEST, SLOTS
from tests.equal.settings import HOUSE_BOXES, MIXES, OF_A_MIX, Mix, Setting, setting_of

Tables = st.SearchStrategy[Setting]
SEEDS = st.integers(0, 2**32)
VERBS = ("build", "lift", "move", "end", "stop", "use", "draw", "choose", "fly", "")
NO_MOVES = ("", "build z99", "draw nothing", "build a1 a1 a1", "a1: build", "build -1")
"""Texts of which none is a move of any table here."""
NO_TYPES: tuple[Any, ...] = ("build a1", None, 7, ["build", "", 0])


class Position(NamedTuple):
    """Where a game was: its state and hash, its luck, and what each engine kept of it."""

    state: State
    hash: str
    chance: Random
    saved: dict[str, Any]


class Games(RuleBasedStateMachine):
    """One game; `path` has every position that led to the one it is in."""

    settings_from: Tables

    @initialize(data=st.data())
    def sit_down(self, data: Any) -> None:
        self.setting: Setting = data.draw(self.settings_from)
        seed = self.setting.seed
        self.game = self.setting.game(REFERENCE)
        self.stepped = [self.setting.game(engine) for engine in ENGINES]
        self.games = {engine: Playthrough(self.game, seed, engine) for engine in ENGINES}
        self.chance, self.state = Random(seed, "deck"), self.game.start()
        self.path: list[Position] = []
        self.arrive()

    def arrive(self) -> None:
        """Chance draws what is due, and the position is kept."""
        while (moves := self.moves) and moves.player == CHANCE:
            self.state = self.game.apply(self.state, moves.sample(self.chance))
        saved = {engine: play.save() for engine, play in self.games.items()}
        self.path.append(Position(self.state, self.state.hash(), copy(self.chance), saved))

    @property
    def moves(self) -> MoveSet:
        return self.game.legal_moves(self.state)

    def play(self, move: Move, seed: int) -> None:
        """A move by all: by its index where the seed says so."""
        index = self.moves.index_of(move)
        assert index is not None
        for number, play in enumerate(self.games.values()):
            if seed >> number & 1:
                play.choose(index)
            else:
                play.apply(move)
        self.state = self.game.apply(self.state, move)
        self.arrive()

    @invariant()
    def all_agree(self) -> None:
        totals = self.game.totals(self.state)
        for game in self.stepped:
            assert game.legal_moves(self.state) == self.moves
            assert game.totals(self.state) == totals
        for play in self.games.values():
            assert play.moves == self.moves and play.count == len(self.moves)
            assert play.is_over == self.state.is_over and play.player == self.moves.player
            mine = play.state
            for slot in SLOTS:
                assert getattr(mine, slot) == getattr(self.state, slot), slot
            assert mine.hash() == self.path[-1].hash and self.game.totals(mine) == totals

    @precondition(lambda self: not self.state.is_over)
    @rule(count=st.integers(1, 12), seed=SEEDS)
    def go_on(self, count: int, seed: int) -> None:
        random = Random(seed, "play")
        for number in range(count):
            if not self.state.is_over:
                groups = self.moves.groups
                kinds = random.choice(random.choice(groups).moves())
                self.play(kinds if seed & 1 else self.moves.sample(random), seed >> number)

    @precondition(lambda self: not self.state.is_over)
    @rule(seed=SEEDS)
    def step_by_kernels(self, seed: int) -> None:
        """The kernels that step states come to the state that the reference comes to."""
        move = self.moves.sample(Random(seed, "step"))
        after = self.game.apply(self.state, move)
        for game in self.stepped:
            assert game.apply(self.state, move).hash() == after.hash()

    @rule(verb=st.sampled_from(VERBS), name=SEEDS, hex=st.integers(-2, 500))
    def try_any(self, verb: str, name: int, hex: int) -> None:
        names = ["", "turn", "nobody", *(each.id for each in self.game.ruleset.rules)]
        self.attempt(Move(verb, names[name % len(names)], hex))

    @rule(seed=SEEDS)
    def try_out_of_turn(self, seed: int) -> None:
        """What could be done earlier, mostly by somebody else."""
        earlier = self.path[seed % len(self.path)].state
        if moves := self.game.legal_moves(earlier):
            self.attempt(moves.sample(Random(seed, "earlier")))

    def attempt(self, move: Move) -> None:
        """All refuse what is not offered, and for the same reasons."""
        if move in self.moves:
            return
        reasons = self.refused(lambda: self.game.apply(self.state, move))
        assert reasons
        for play in self.games.values():
            assert self.refused(lambda play=play: play.apply(move)) == reasons
        for game in self.stepped:
            assert self.refused(lambda game=game: game.apply(self.state, move)) == reasons

    def refused(self, do: Callable[[], object]) -> list[str]:
        """The reasons for which something is refused."""
        with pytest.raises(IllegalMove) as refused:
            do()
        return [reason.text for reason in refused.value.refusal.reasons]

    @rule(seed=SEEDS)
    def try_what_is_no_move(self, seed: int) -> None:
        with pytest.raises(InvalidMove):
            read_move(NO_MOVES[seed % len(NO_MOVES)], self.game.board, self.moves)
        wrong = NO_TYPES[seed % len(NO_TYPES)]
        for play in self.games.values():
            with pytest.raises(TypeError):
                play.apply(wrong)
            for index in (-1, play.count, play.count + seed):
                with pytest.raises(IndexError):
                    play.choose(index)
        with pytest.raises(TypeError):
            self.game.apply(self.state, wrong)

    @rule(back=SEEDS)
    def undo(self, back: int) -> None:
        del self.path[1 + back % len(self.path) :]
        self.state, _, chance, saved = self.path[-1]
        self.chance = copy(chance)
        for engine, play in self.games.items():
            play.restore(saved[engine])

    @precondition(lambda self: not self.state.is_over)
    @rule(deep=st.booleans(), swaps=st.booleans(), seed=SEEDS)
    def copy_all(self, deep: bool, swaps: bool, seed: int) -> None:
        """Of two that are alike one goes on by itself, and the other does not notice."""
        twins = {engine: (deepcopy if deep else copy)(play) for engine, play in self.games.items()}
        self.games, strays = (twins, self.games) if swaps else (self.games, twins)
        random = Random(seed, "stray")
        for _ in range(4):
            at = random.below(2**20)
            for play in strays.values():
                if play.count:
                    play.choose(at % play.count)
        assert len({play.state.hash() for play in strays.values()}) == 1

    @rule(seed=SEEDS)
    def restore_in_copies(self, seed: int) -> None:
        """What was saved is restored by a copy as well, and again by the one that goes on."""
        position = self.path[seed % len(self.path)]
        for engine, play in self.games.items():
            twin = copy(play)
            twin.restore(position.saved[engine])
            assert twin.state.hash() == position.hash == position.state.hash()

    @rule()
    def write_and_read(self) -> None:
        self.state = loads(dumps(self.state))

    def teardown(self) -> None:
        """Every game comes to its end, and to the same one."""
        if not hasattr(self, "game"):
            return
        random = Random(len(self.path), "to the end")
        for made in range(LONGEST):
            if self.state.is_over:
                break
            self.play(self.moves.sample(random), made)
        self.all_agree()
        mine, native = (play.outcome() for play in self.games.values())
        assert mine == native and mine.totals == self.game.totals(self.state)
        assert [*mine.winners] == [*self.game.score(self.state).winners]


def of(tables: Tables) -> type[Games]:
    """The same machine at other tables."""
    return type("Games", (Games,), {"settings_from": tables})


TABLES: dict[str, Tables] = {
    str(mix): st.sampled_from([setting_of(seed, mix) for seed in range(5)])
    for mix in (Mix(("base",)), HOUSE_BOXES["hex"])
}
"""Tables of two kernels: to make one takes seconds."""
QUICK = settings(max_examples=12, stateful_step_count=20, deadline=None)
LONG = settings(max_examples=300, stateful_step_count=40, deadline=None)


@pytest.mark.parametrize("tables", TABLES)
def test_all_three_agree(tables: str) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    run_state_machine_as_test(of(TABLES[tables]), settings=QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("tables", TABLES)
def test_all_three_agree_for_long(tables: str) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    run_state_machine_as_test(of(TABLES[tables]), settings=LONG)


@pytest.mark.slow
def test_all_three_agree_at_any_table() -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    seeds = st.integers(0, len(MIXES) * OF_A_MIX - 1)
    run_state_machine_as_test(of(seeds.map(setting_of)), settings=settings(LONG, max_examples=60))
