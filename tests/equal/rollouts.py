"""Games played on from a state by the native program against the same by states.

By hand: `python -m tests.equal.rollouts --tables 50 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from kbrules.engine.configuration import REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.simulation.playthrough import rollouts_of
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.bots import leads_by_kernel, leads_by_states
from tests.equal.games import agree
from tests.equal.settings import Setting
from tests.equal.unequal import where

SELDOM = 8
"""Of so many decisions one is where games are played on."""
MOVES, TIMES = 2, 2
"""So many of its moves are tried, each with so many games."""


def compared(setting: Setting, games: int = 1) -> int:
    """Play on from states of the games of a setting in both ways; answers from how many.

    Raises `Unequal` where the leads differ, or where the stream of chance stands then.
    """
    game, number = setting.game(REFERENCE), 0
    for seed in range(setting.seed, setting.seed + games):
        random = Random(seed, "moves")
        for state in _visited(game, seed, random):
            number += 1
            try:
                _agree(game, state, random)
            except Exception as error:
                error.add_note(where(setting, f"state {number}", "rollouts --tables"))
                raise
    if rollouts_of(game).faults:
        raise AssertionError(f"{rollouts_of(game).faults} games had to be played plainly")
    return number


def _visited(game: Game, seed: int, random: Random) -> Iterator[State]:
    """Some of the states of a game; half of the seeds like rare kinds of moves better."""
    state = game.start()
    while moves := game.legal_moves(state):
        if moves.player != CHANCE and len(moves) > 1 and random.below(SELDOM) == 0:
            yield state
        rarely = moves.player != CHANCE and seed % 2
        some = random.choice(moves.groups).moves() if rarely else None
        state = game.apply(state, moves.sample(random) if some is None else random.choice(some))


def _agree(game: Game, state: State, random: Random) -> None:
    moves = game.legal_moves(state)
    tried: list[Move] = [random.choice(random.choice(moves.groups).moves()) for _ in range(MOVES)]
    mine, theirs = copy(random), copy(random)
    found = leads_by_kernel(game, state, moves.player, tried, TIMES, mine)
    agree("leads", found, leads_by_states(game, state, moves.player, tried, TIMES, theirs))
    agree("place of the stream", mine.position, theirs.position)


if __name__ == "__main__":
    from tests.equal.by_hand import play_on

    play_on()
