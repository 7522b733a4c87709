"""The bot that plays on by chance: flat Monte Carlo, with a budget of games for each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Bot
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import decide_within, value_of

MAX_WORK = 500_000  # steps of expressions for each game; one takes a tenth of it

Leads = Callable[[GameLike, State, int, Sequence[Move], int, Random], list[int]]
"""By how much a player leads at the end of so many games, in all, after each of some moves."""


def leads_by_states(
    game: GameLike, state: State, me: int, moves: Sequence[Move], times: int, random: Random
) -> list[int]:
    """The games are played by the plain engine."""
    return [_lead(game, game.apply(state, move), me, times, random) for move in moves]


def leads_by_kernel(
    game: GameLike, state: State, me: int, moves: Sequence[Move], times: int, random: Random
) -> list[int]:
    """The same games by the native kernel, unless it has no room for the table.

    It needs the extra `fast`.
    """
    from kbrules.engine.simulation.kernels import OutOfRoom
    from kbrules.engine.simulation.playthrough import rollouts_of

    def lead_by_states(move: Move, random: Random) -> int:
        return _lead(game, game.apply(state, move), me, 1, random)

    try:
        rollouts = rollouts_of(game)
    except OutOfRoom:
        return leads_by_states(game, state, me, moves, times, random)
    return rollouts.leads(state, me, moves, times, random, lead_by_states)


def monte_carlo(playouts: int, leads: Leads = leads_by_states) -> Bot:
    """A bot that has so many games played on to their end, by chance, before it decides.

    They are divided evenly over its legal moves, at least one for each; of more moves than that
    it looks at so many, drawn by lot. It takes the move after which it leads by most on average,
    in what decides who wins. It sees what lies hidden in the hands of others, but not what chance
    will draw: that is drawn anew in each game. leads: plays these games.
    """

    def bot(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
        def decide() -> Move:
            candidates = random.sample(list(moves), min(len(moves), playouts))
            times = playouts // len(candidates)
            total_leads = leads(game, state, moves.player, candidates, times, random)
            return candidates[total_leads.index(max(total_leads))]

        if len(moves) == 1:
            return next(iter(moves))
        return decide_within(playouts * MAX_WORK, state, moves, random, decide)

    return bot


native_monte_carlo = partial(monte_carlo, leads=leads_by_kernel)
"""The same bot, some ten times as fast; see `leads_by_kernel`."""


def _lead(game: GameLike, state: State, me: int, times: int, random: Random) -> int:
    """By how much one leads at the end of so many games, in all."""
    return sum(value_of(game, _end(game, state, random), me)[1] for _ in range(times))


def _end(game: GameLike, state: State, random: Random) -> State:
    moves = game.legal_moves(state)
    while moves:
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    return state
