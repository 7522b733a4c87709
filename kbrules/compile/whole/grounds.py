"""Which terrain of the cards face up is used, on a table that is changed in place."""

from __future__ import annotations

from typing import Any

from kbrules.compile.whole.table import Play
from kbrules.game.shown import card_showing, terrains
from kbrules.game.state import NONE


def among(play: Play) -> tuple[int, ...]:
    """The terrains there are to choose from."""
    return terrains(_state(play), play.board)


def suppose(play: Play, terrain: int) -> None:
    """Let a terrain be chosen, to see what that would allow; `as_before` undoes it."""
    play.choice = play.played = terrain
    play.ground = play.board.kinds[terrain]
    play.split = False


def as_before(play: Play) -> None:
    """Let there be several terrains to choose from again."""
    play.choice = play.played = NONE
    play.ground, play.split = 0, True


def settle(play: Play, terrain: int) -> None:
    """Choose a terrain: the first card that shows it is used, and the others are set aside."""
    card = card_showing(_state(play), play.board, terrain)
    left = list(play.shown)
    left.remove(card)
    play.aside = (*play.aside, *left)
    play.show((card,), terrain)


def _state(play: Any) -> Any:
    """A table has the names of a state."""
    return play
