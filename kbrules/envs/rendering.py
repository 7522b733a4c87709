"""A game under way as text and as pixels."""

from __future__ import annotations

from typing import Any

from kbrules.envs.session import GameSession
from kbrules.game.state import State
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.raster import pixels_of
from kbrules.tools.pictures.scenes import picture_of_state
from kbrules.tools.playing.state_text import players_text, state_board_text

HUMAN = "human"
"""The mode for people: each step is printed, without a call of `render`."""
RENDER_MODES = [HUMAN, "ansi", "rgb_array"]
WIDTH = 640


def rendered(session: GameSession, mode: str) -> Any:
    """A game as `mode` says: text for `ansi`, height x width x 3 bytes for `rgb_array`.

    `human` prints the text. MissingExtra without the extra `pictures` for pixels.
    """
    state = session.play.state
    if mode == "rgb_array":
        return _pixels(session, state)
    text = _text(session, state)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None


def _text(session: GameSession, state: State) -> str:
    legal = 0
    for group in session.play.moves.groups:
        legal |= group.hexes
    board = state_board_text(session.game, state, legal)
    return f"{board}\n{players_text(session.game, state)}\n"


def _pixels(session: GameSession, state: State) -> Any:
    picture = picture_of_state(session.game, state, "Board")
    return pixels_of(board_svg(picture), WIDTH)
