"""Plays games of a folder by an engine and by states: `python -m tests.adding.plays ENGINE FOLDER`.

After every move the same must be offered, and in the end the same have come of it.
"""

from __future__ import annotations

import sys
from collections import Counter

import kbrules
from kbrules.engine.game import Game
from kbrules.engine.matches import outcome, random_bot
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

GAMES = 8


def main(engine: str, folder: str) -> None:
    """Play some games; say which verbs were offered, how often."""
    ruleset = kbrules.load(folders=[folder])
    verbs: Counter[str] = Counter()
    for seed in range(GAMES):
        table = choose_table(ruleset, 2 + seed % 2, seed)
        game = game_at(ruleset, table)
        verbs += _played(game, game.playthrough(seed, engine))
        bots = [random_bot] * game.players
        assert game.playout(seed, engine) == outcome(game, seed, bots), f"outcome of {seed}"
    print(kbrules.__file__, *(f"{verb}={number}" for verb, number in sorted(verbs.items())))


def _played(game: Game, play: Playthrough) -> Counter[str]:
    """Play one game in both ways; the verbs that were chosen."""
    state, random, verbs = game.start(), Random(play.seed, "moves"), Counter[str]()
    while not play.is_over:
        moves = game.legal_moves(state)
        _agree(play.moves, moves, play)
        move = moves.sample(random)
        verbs[move.verb] += 1
        play.apply(move)
        state = game.apply(state, move)
    _agree(MoveSet(-1, ()), game.legal_moves(state), play)
    _agree_on_gold(game, state, play)
    return verbs


def _agree(mine: MoveSet, theirs: MoveSet, play: Playthrough) -> None:
    assert mine == theirs, f"{play}: {mine} is not {theirs}"


def _agree_on_gold(game: Game, state: State, play: Playthrough) -> None:
    mine, theirs = play.outcome().totals, game.totals(state)
    assert mine == theirs, f"{play}: {mine} is not {theirs}"


if __name__ == "__main__":
    main(*sys.argv[1:])
