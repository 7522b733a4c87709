"""The bot that plays on by chance, with what a player cannot see dealt anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Bot
from kbrules.game.board import NONE
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import Seat, State, StateCache, draft_of
from kbrules.tools.playing.greedy import decide_within, value_of

# What a player cannot see, dealt anew: a state as likely to that player as the true one.


def redeal_hidden_cards(game: GameLike, state: State, moves: MoveSet, random: Random) -> State:
    """The state with the cards in the hands of others dealt anew, from these and from the deck.

    moves: what its player can decide, which is what can be decided then. Two states that differ
    only in what that player cannot see are dealt alike.
    """
    others = [player != moves.player for player in range(len(state.seats))]
    deck, *piles = state.piles
    pool = list(deck)
    for seat, is_other in zip(state.seats, others, strict=True):
        for card in _cards(seat) if is_other else ():
            pool[card] += 1
    draft = draft_of(state)
    draft.seats = tuple(
        _redealt_seat(seat, pool, random) if is_other and _cards(seat) else seat
        for seat, is_other in zip(state.seats, others, strict=True)
    )
    draft.piles = (tuple(pool), *piles)
    return draft.seal(StateCache(game, moves))


def _cards(seat: Seat) -> list[int]:
    """The cards of a hand; places without one are none."""
    return [card for card in seat.hand if card != NONE]


def _redealt_seat(seat: Seat, pool: list[int], random: Random) -> Seat:
    """The seat with as many cards of the pool in its hand."""
    hand = []
    for card in seat.hand:
        if card != NONE:
            card = random.weighted(pool)
            pool[card] -= 1
        hand.append(card)
    return seat._replace(hand=tuple(hand))


# The bot that plays on by chance: flat Monte Carlo, with a budget of games for each decision.


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
