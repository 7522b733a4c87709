"""The terrain cards laid face up: what they leave to choose, and what was chosen.

Of several terrains, on several cards or on one, a player uses one in a turn. The first
action that needs a terrain fixes which; until then nothing is `played`. A terrain of a split
card that is not on this board is no choice.
"""

from __future__ import annotations

from kbrules.game.board import Board
from kbrules.game.catalog import NONE
from kbrules.game.state import Draft, State, draft_of


def terrains(state: State, board: Board) -> tuple[int, ...]:
    """The terrains there are to choose from: each once, in the order of the cards."""
    if state.choice != NONE:
        return (state.choice,)
    shown = state.shown
    if len(shown) == 1:
        return board.terrains_of_card[shown[0]]
    return tuple(dict.fromkeys(t for card in shown for t in board.terrains_of_card[card]))


def is_open(state: State, board: Board) -> bool:
    """Whether there is more than one terrain to choose from."""
    if state.choice != NONE or not state.shown:
        return False
    if len(state.shown) == 1:
        return board.only_terrain[state.shown[0]] == NONE
    return len(terrains(state, board)) > 1


def terrain_played(state: State, board: Board) -> int:
    """The terrain in use, `NONE` while there is none or more than one to choose from."""
    shown = state.shown
    if state.choice != NONE:
        return state.choice
    if len(shown) == 1:
        return board.only_terrain[shown[0]]
    found = terrains(state, board)
    return found[0] if len(found) == 1 else NONE


def card_showing(state: State, board: Board, terrain: int) -> int:
    """The first card laid face up that shows a terrain."""
    return next(card for card in state.shown if terrain in board.terrains_of_card[card])


def with_choice(state: State, terrain: int) -> Draft:
    """The same position with a terrain chosen, to see what that would allow."""
    draft = draft_of(state)
    draft.choice = terrain
    return draft
