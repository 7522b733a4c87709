"""The careful bot: it looks one move ahead, and at what the others could make of it.

It differs from the greedy one in two things, both ruled by its margin, in units of what decides
who wins (gold as a rule).

It ends its turn unless something gains more than the margin.

Moves that are worth less than the best one by no more than the margin count as equal; of the
best few of them it takes the one after which it leads by most once somebody has replied: of
what chance may bring next it takes the mean, of the replies to that the one that is worst for
it. While it is still its own turn, nobody replies.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbrules.engine.game import Game
from kbrules.engine.match import Bot
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import ENDING, LOOKS, Worth, after, tried, worth_of

__all__ = ["careful"]

AGAIN = 4  # moves that are looked at again
DRAWS = 3  # draws of chance tried after each of them
REPLIES = 8  # and replies tried after each of those

_Tried = tuple[Move, Worth]


def careful(margin: int) -> Bot:
    """A bot with this margin of safety."""

    def bot(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
        ending = [move for move in moves if move.verb in ENDING]
        choices = [move for group in moves.groups for move in tried(game, state, group, random)]
        if len(choices) + len(ending) == 1:
            return (choices + ending)[0]
        me = moves.player
        choices = random.sample(choices, min(len(choices), LOOKS))
        found = [(move, after(game, state, move, me, random, 1)) for move in choices]
        found.sort(key=lambda each: each[1], reverse=True)
        if not found or (ending and _gain(game, state, found[0], me) <= margin):
            return ending[0]
        level = [each for each in found if each[1][0] >= found[0][1][0] - margin]
        return _safest(game, state, level[:AGAIN], me, random)

    return bot


def _gain(game: Game, state: State, best: _Tried, me: int) -> int:
    return best[1][0] - worth_of(game, state, me)[0]


def _safest(game: Game, state: State, level: Sequence[_Tried], me: int, random: Random) -> Move:
    if len(level) == 1:
        return level[0][0]
    leads = [_lead(game, game.apply(state, move), worth, me, random) for move, worth in level]
    return level[leads.index(max(leads))][0]


def _lead(game: Game, state: State, worth: Worth, me: int, random: Random) -> float:
    """By how much one leads after the reply; chance brings the mean of a few draws."""
    moves = game.legal_moves(state)
    if moves.player == me or not moves:
        return worth[1]
    if moves.player != CHANCE:
        return _replied(game, state, moves, me, random)
    drawn = [game.apply(state, moves.sample(random)) for _ in range(DRAWS)]
    return sum(_settled(game, each, me, random) for each in drawn) / DRAWS


def _settled(game: Game, state: State, me: int, random: Random) -> float:
    """The same once chance has had its say."""
    moves = game.legal_moves(state)
    while moves and moves.player == CHANCE:
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    if not moves or moves.player == me:
        return worth_of(game, state, me)[1]
    return _replied(game, state, moves, me, random)


def _replied(game: Game, state: State, moves: MoveSet, me: int, random: Random) -> float:
    """The lead after the worst of a few replies."""
    replies = random.sample(list(moves), min(len(moves), REPLIES))
    return min(worth_of(game, game.apply(state, reply), me)[1] for reply in replies)
