"""The careful bot: it looks one decision of its own further than the greedy one.

Moves that are worth less than the best one by no more than its margin, in units of what decides
who wins (gold as a rule), count as equal. Of a few of them it takes the one after which it stands
best at its own next decision: until then the others choose by chance, then it takes what is worth
most to it. All are tried with the same luck, so that luck does not choose between them.

It looks at what it could do and hardly at what others may do to it: in a game in which nobody can
take anything from others, their best replies decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Bot
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import (
    ENDING,
    MAX_MOVES,
    Value,
    decide_within,
    moves_to_try,
    value_after,
    value_of,
)

EXAMINED_MOVES = 8  # moves that are looked at again
TRIALS = 3  # and how often each is played on to the next decision
NEXT_MOVES = 20  # moves that are tried there
MAX_WORK = 3_000_000  # steps of expressions for its first decision; it takes some ten thousand
MAX_DECISIONS = 100  # decisions of others, at most, until then
_SEEDS = 2**32


def careful(margin: int) -> Bot:
    """A bot with this margin."""

    def bot(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
        def chosen() -> Move:
            return decide(game, state, moves, random)

        return decide_within(MAX_WORK, state, moves, random, chosen)

    def decide(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
        ending = [move for move in moves if move.verb in ENDING]
        choices = [
            move for group in moves.groups for move in moves_to_try(game, state, group, random)
        ]
        if len(choices) + len(ending) == 1:
            return (choices + ending)[0]
        me = moves.player
        choices = random.sample(choices, min(len(choices), MAX_MOVES))
        valued = [(move, value_after(game, state, move, me, random, 1)) for move in choices]
        valued.sort(key=lambda each: each[1], reverse=True)
        if not valued or (ending and valued[0][1][0] < value_of(game, state, me)[0]):
            return ending[0]
        level = [move for move, value in valued if value[0] >= valued[0][1][0] - margin]
        return _safest(game, state, level[:EXAMINED_MOVES], me, random)

    return bot


def _safest(game: GameLike, state: State, level: Sequence[Move], me: int, random: Random) -> Move:
    if len(level) == 1:
        return level[0]
    seeds = [random.below(_SEEDS) for _ in range(TRIALS)]
    states = (game.apply(state, move) for move in level)
    leads = [sum(_next_lead(game, each, me, Random(seed, "later")) for seed in seeds)
             for each in states]  # fmt: skip
    return level[leads.index(max(leads))]


def _next_lead(game: GameLike, state: State, me: int, random: Random) -> int:
    """By how much one leads after the best of a few moves at one's next decision."""
    moves = game.legal_moves(state)
    for _ in range(MAX_DECISIONS):
        if not moves or moves.player == me:
            break
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    if not moves or moves.player != me:
        return value_of(game, state, me)[1]
    return _best_value(game, state, moves, me, random)[1]


def _best_value(game: GameLike, state: State, moves: MoveSet, me: int, random: Random) -> Value:
    moves_ = [move for group in moves.groups for move in moves_to_try(game, state, group, random)]
    sample = random.sample(moves_, min(len(moves_), NEXT_MOVES))
    current = value_of(game, state, me)
    return max((value_after(game, state, move, me, random, 2) for move in sample), default=current)
