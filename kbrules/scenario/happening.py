"""What an example lets happen before it is looked at: hexes chosen, a card drawn."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State
from kbrules.hex.masks import Mask, lowest

__all__ = ["after_choosing", "after_drawing", "turned_up"]


def after_choosing(game: Game, state: State, rule: str, hexes: Mask) -> State | int:
    """The state after a rule's action was done on all of the hexes, each as soon as it is offered.

    The first hex that never is, if there is one.
    """
    while hexes:
        groups = [g for g in game.legal_moves(state).groups if g.rule == rule and g.hexes & hexes]
        if not groups:
            return lowest(hexes)
        hex = lowest(groups[0].hexes & hexes)
        state = game.apply(state, Move(groups[0].verb, rule, hex))
        hexes &= ~(1 << hex)
    return state


def after_drawing(game: Game, state: State, rule: str, cards: tuple[int, ...]) -> State:
    """The state after a rule's action was begun by a draw that turned up these cards."""
    if not cards:
        return state
    groups = game.legal_moves(state).groups
    begun = next((g for g in groups if g.rule == rule and not g.hexes), None)
    if begun is None:
        return state
    return turned_up(game, game.apply(state, Move(begun.verb, rule)), cards)


def turned_up(game: Game, state: State, cards: tuple[int, ...]) -> State:
    """The state after chance gave these cards, each if one is due."""
    for card in cards:
        moves = game.legal_moves(state)
        if moves.player == CHANCE and Move("draw", "", card) in moves:
            state = game.apply(state, Move("draw", "", card))
    return state
