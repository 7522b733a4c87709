"""Whole games in a row, through the public interface and by the fused program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.playthrough import Playthrough
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State

Step = Callable[[State, Move], State]


@dataclass(frozen=True, slots=True)
class Count:
    """What was played."""

    games: int
    decisions: int


def in_place(games: Sequence[Game], each: int = 1) -> Count:
    """Random games through a `Playthrough`: `moves`, `sample` and `apply`, and what came of it."""
    return _all([game.playthrough for game in games], each)


def in_place_natively(games: Sequence[Game], each: int = 1) -> Count:
    """The same where a native program runs the rules."""
    return _all([game.native_playthrough for game in games], each)


def _all(begins: Sequence[Callable[[int], Playthrough]], each: int) -> Count:
    decisions = sum(_through(begin(seed), seed) for begin in begins for seed in range(each))
    return Count(len(begins) * each, decisions)


def _through(play: Playthrough, seed: int) -> int:
    random, decisions = Random(seed, "bench"), 0
    moves = play.moves
    while moves:
        decisions += 1
        play.apply(moves.sample(random))
        moves = play.moves
    play.outcome()
    return decisions


def by_steps(games: Sequence[Game], each: int = 1) -> Count:
    """Random games by states: `legal_moves`, `sample`, `apply`; draws are nobody's decisions."""
    return _played([(game, game.apply) for game in games], each)


def by_steps_told(games: Sequence[Game], each: int = 1) -> Count:
    """The same through `play`, which tells every event."""
    return _played([(game, _telling(game)) for game in games], each)


def _telling(game: Game) -> Step:
    def step(state: State, move: Move) -> State:
        return game.play(state, move).state

    return step


def _played(tables: Sequence[tuple[Game, Step]], each: int) -> Count:
    decisions = 0
    for game, step in tables:
        for seed in range(each):
            decisions += _game(game, step, seed)
    return Count(len(tables) * each, decisions)


def _game(game: Game, step: Step, seed: int) -> int:
    random, decisions, state = Random(seed, "bench"), 0, game.start()
    moves = game.legal_moves(state)
    while moves:
        decisions += not moves.weights
        state = step(state, moves.sample(random))
        moves = game.legal_moves(state)
    game.totals(state)
    return decisions


def fused(games: Sequence[Game], each: int = 1) -> Count:
    """Random games by `playout`."""
    decisions = 0
    for game in games:
        for seed in range(each):
            decisions += sum(game.playout(seed).decisions)
    return Count(len(games) * each, decisions)


def native(games: Sequence[Game], each: int) -> Count:
    """Random games in bulk, by a native program."""
    outcomes = [outcome for game in games for outcome in game.playouts(range(each))]
    return Count(len(outcomes), sum(sum(outcome.decisions) for outcome in outcomes))


def last_state(game: Game, seed: int = 0) -> State:
    """The end of a random game."""
    random, state = Random(seed, "bench"), game.start()
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state
