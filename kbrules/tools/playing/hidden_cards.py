"""What a player cannot see, dealt anew: a state as likely to that player as the true one."""

from __future__ import annotations

from kbrules.engine.configuration import GameLike
from kbrules.game.board import NONE
from kbrules.game.moves import MoveSet
from kbrules.game.random import Random
from kbrules.game.state import Seat, State, StateCache, draft_of


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
