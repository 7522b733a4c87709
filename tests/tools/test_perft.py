"""Perft: sequences counted otherwise come to the same, by every engine."""

from __future__ import annotations

from functools import cache
from math import perm

import pytest

import kbrules
from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.library.box import usual_boxes
from kbrules.tools.perft import divide, perft
from tests.source_tree import ROOT

HEXES = 121


@cache
def hex_game() -> kbrules.Game:
    ruleset = kbrules.load(folders=[ROOT / "tests" / "house" / "hex"])
    return kbrules.new_game(ruleset, players=2, seed=1)


def state_after(game: kbrules.Game, seed: int, moves: int) -> kbrules.State:
    state, random = game.start(), kbrules.Random(seed, "moves")
    for _ in range(moves):
        if state.is_over:
            break
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state


def sequences(game: kbrules.Game, state: kbrules.State, depth: int) -> list[tuple[str, ...]]:
    """All of them, written out: only those that go on are taken along."""
    found = [((), state)]
    for _ in range(depth):
        found = [
            ((*words, kbrules.write_move(move, game.board)), game.play(at, move).state)
            for words, at in found
            for move in game.legal_moves(at)
        ]
    return [words for words, _ in found]


@pytest.mark.parametrize("depth", range(4))
def test_stones_on_an_empty_board_are_permutations(depth: int) -> None:
    game = hex_game().with_engine(PYTHON)
    assert perft(game, game.start(), depth) == perm(HEXES, depth)


@pytest.mark.parametrize("moves", [0, 3, 40, 97])
def test_every_sequence_counts_once(moves: int) -> None:
    game = kbrules.new_game(kbrules.load("base"), players=2, seed=5)
    state = state_after(game, 5, moves)
    for depth in range(4):
        written = sequences(game, state, depth)
        assert len(set(written)) == len(written) == perft(game, state, depth)


def test_what_ends_sooner_does_not_count() -> None:
    game = kbrules.new_game(kbrules.load("base"), players=2, seed=5)
    state, before = game.start(), []
    random = kbrules.Random(5, "moves")
    while not state.is_over:
        before.append(state)
        state = game.apply(state, game.legal_moves(state).sample(random))
    assert [perft(game, state, depth) for depth in range(3)] == [1, 0, 0]
    last = before[-1]
    ends = sum(game.apply(last, move).is_over for move in game.legal_moves(last))
    assert 0 < ends <= perft(game, last, 1)
    assert perft(game, last, 2) == len(sequences(game, last, 2))


def test_the_parts_are_the_whole_and_all_of_it_is_told() -> None:
    game = kbrules.new_game(kbrules.load("base"), players=3, seed=8).with_engine(PYTHON)
    state, told = state_after(game, 8, 12), []
    parts = divide(game, state, 3, told.append)
    assert [move for move, _ in parts] == list(game.legal_moves(state))
    assert sum(told) == sum(count for _, count in parts) == perft(game, state, 3)


@pytest.mark.parametrize("engine", [PYTHON, NATIVE])
def test_a_kernel_counts_as_the_reference(engine: str) -> None:
    names = ["base"] if engine == NATIVE else usual_boxes()
    game = kbrules.new_game(kbrules.load(*names), players=2, seed=4)
    state = state_after(game, 4, 30)
    assert divide(game.with_engine(engine), state, 3) == divide(game, state, 3)
