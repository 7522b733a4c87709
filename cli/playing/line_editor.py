"""The line that a person types, by prompt_toolkit where it is installed, and what may come next."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .player_input import COMMANDS, HINT, WHY

if TYPE_CHECKING:
    from kbrules.game.board import Board
    from kbrules.game.moves import MoveGroup, MoveSet

Completions = Callable[[str], Sequence[str]]
"""What may stand in the place of the last word of a text."""


def line_reader(completions: Completions) -> Callable[[str], str]:
    """What asks for a line, behind a prompt: with history and completion on a terminal.

    It raises EOFError at the end of input, and KeyboardInterrupt.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not on_terminal or find_spec("prompt_toolkit") is None:
        return lambda prompt: input(prompt)
    return _editor(completions)


def _editor(completions: Completions) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import DynamicCompleter, WordCompleter

    def completer() -> WordCompleter:
        text = session.default_buffer.document.text_before_cursor
        return WordCompleter(list(completions(text)), WORD=True)

    session: PromptSession[str] = PromptSession(
        completer=DynamicCompleter(completer), complete_while_typing=False
    )
    return lambda prompt: str(session.prompt(prompt))


def completions(text: str, moves: MoveSet, board: Board) -> list[str]:
    """What the last word of a text, perhaps begun, may be."""
    before = text.lower().split() if not text or text[-1].isspace() else text.lower().split()[:-1]
    verbs = list(dict.fromkeys(group.verb for group in moves.groups))
    if not before:
        rules = list(dict.fromkeys(f"{group.rule}:" for group in moves.groups))
        long = [word for word in COMMANDS if len(word) > 1]
        return [*_hexes(moves.groups, board), *verbs, *rules, *long, WHY, HINT]
    if before[0] == HINT:
        return _bots() if len(before) == 1 else []
    if before[0] == WHY:
        return ["not", *verbs, *_hexes(moves.groups, board)]
    fitting = [
        group for number, group in enumerate(moves.groups, 1) if _fits(number, group, before)
    ]
    follow = [group.verb for group in fitting] if before[-1].endswith(":") else []
    return [*dict.fromkeys(follow), *_hexes(fitting, board)]


def _fits(number: int, group: MoveGroup, words: Sequence[str]) -> bool:
    names = {str(number), f"{number}:", f"{group.rule}:", group.rule, group.verb}
    return all(word in names for word in words)


def _hexes(groups: Sequence[MoveGroup], board: Board) -> list[str]:
    union = 0
    for group in groups:
        union |= group.hexes
    return list(board.names(union)) if union else []


def _bots() -> list[str]:
    from kbrules.tools.bots import NAMES

    return list(NAMES)
