"""What may be typed next at a decision: commands, verbs, rules and the hexes that are legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .player_input import COMMANDS, HINT, WHY

if TYPE_CHECKING:
    from kbrules.game.board import Board
    from kbrules.game.moves import MoveGroup, MoveSet

__all__ = ["completions"]


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
    from kbrules.tools.playing.bots import NAMES

    return list(NAMES)
