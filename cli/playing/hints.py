"""`hint`: what a bot would do in the place of a person, and what it gains by that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..terminal.colours import Painter

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State

__all__ = ["show_hint"]

USUAL = "greedy"


def show_hint(game: Game, state: State, words: Sequence[str], painter: Painter) -> None:
    """Tell what a bot would do; words: its name, or nothing."""
    from kbrules.text import visible
    from kbrules.tools.playing.bots import UnknownBot
    from kbrules.tools.playing.hint import hint_text

    try:
        painter.say(hint_text(game, state, words[0] if words else USUAL))
    except UnknownBot as error:
        painter.say(visible(f"{error}; {error.help}"))
