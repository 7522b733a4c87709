"""The bot that plays on by chance: flat Monte Carlo, with a budget of games for each decision."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.engine.match import Bot
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import worth_of

__all__ = ["monte_carlo"]


def monte_carlo(playouts: int) -> Bot:
    """A bot that has so many games played on to their end, by chance, before it decides.

    They are divided evenly over its legal moves, at least one for each; of more moves than that
    it looks at so many, drawn by lot. It takes the move after which it leads by most on average,
    in what decides who wins. It sees what lies hidden in the hands of others, but not what chance
    will draw: that is drawn anew in each game.
    """

    def bot(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
        if len(moves) == 1:
            return next(iter(moves))
        tried = random.sample(list(moves), min(len(moves), playouts))
        each = playouts // len(tried)
        leads = [_lead(game, game.apply(state, m), moves.player, each, random) for m in tried]
        return tried[leads.index(max(leads))]

    return bot


def _lead(game: Game, state: State, me: int, times: int, random: Random) -> int:
    """By how much one leads at the end of so many games, in all."""
    return sum(worth_of(game, _end(game, state, random), me)[1] for _ in range(times))


def _end(game: Game, state: State, random: Random) -> State:
    moves = game.legal_moves(state)
    while moves:
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    return state
