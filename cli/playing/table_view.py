"""A table on the terminal: the board, what players hold, the score sheet, what a bot would do."""

from __future__ import annotations

from collections.abc import Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from ..terminal.colours import Painter

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.hex.sets import Mask


def show_table(painter: Painter, game: Game, state: State, legal: Mask = 0) -> None:
    """The board, the hexes it does not draw but the boxes mark, and what players hold.

    legal: hexes that may be chosen, which are marked.
    """
    from kbrules.tools.narration import LEGAL, marks_text, players_text, state_board_text

    painter.board(state_board_text(game, state, legal, get_terminal_size().columns))
    if legal:
        painter.say(f"{LEGAL} legal now")
    if marks := marks_text(game, state):
        painter.say(marks)
    if held := players_text(game, state):
        painter.say(held)


def show_wordings(painter: Painter, game: Game) -> None:
    """What the cards and tiles on the table say, if there are any."""
    from kbrules.tools.narration import wordings_text

    painter.say(wordings_text(game) or "nothing on the table has rules of its own")


def show_sheet(painter: Painter, game: Game, state: State) -> None:
    """The score sheet alone."""
    from kbrules.tools.narration import sheet_text

    painter.strong(sheet_text(game, game.score(state)))


def show_result(painter: Painter, game: Game, state: State) -> None:
    """The score sheet, and which hexes earned what."""
    from kbrules.tools.narration import evidence_text

    show_sheet(painter, game, state)
    if earned := evidence_text(game, game.score(state)):
        painter.say()
        painter.say(earned)


DEFAULT_BOT = "greedy"


def show_hint(game: Game, state: State, words: Sequence[str], painter: Painter) -> None:
    """Tell what a bot would do; words: its name, or nothing."""
    from kbrules.text import visible
    from kbrules.tools.bots import UnknownBot, hint_text

    try:
        painter.say(hint_text(game, state, words[0] if words else DEFAULT_BOT))
    except UnknownBot as error:
        painter.say(visible(f"{error}; {error.help}"))
