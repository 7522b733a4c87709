"""A table on the terminal: the board, what players hold, the score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .colours import Painter

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State

__all__ = ["show_result", "show_sheet", "show_table"]


def show_table(painter: Painter, game: Game, state: State) -> None:
    """The board, the hexes it does not draw but the boxes mark, and what players hold."""
    from kbrules.tools.playing.state_text import marks_text, players_text, state_board_text

    painter.board(state_board_text(game, state))
    if marks := marks_text(game, state):
        painter.say(marks)
    if held := players_text(game, state):
        painter.say(held)


def show_sheet(painter: Painter, game: Game, state: State) -> None:
    """The score sheet alone."""
    from kbrules.tools.playing.state_text import sheet_text

    painter.strong(sheet_text(game, game.score(state)))


def show_result(painter: Painter, game: Game, state: State) -> None:
    """The score sheet, and which hexes earned what."""
    from kbrules.tools.playing.state_text import evidence_text

    show_sheet(painter, game, state)
    if earned := evidence_text(game, game.score(state)):
        painter.say()
        painter.say(earned)
