"""Seats: for how many players the boxes are, and with which boxes more may play."""

from __future__ import annotations

from collections.abc import Sequence

from kbrules.diagnostics import quoted
from kbrules.library.boards.tables import BoardParts
from kbrules.library.boxes.box import read_box, shipped_box, shipped_boxes


def why_not_seated(parts: BoardParts, players: int) -> str:
    """Why so many cannot play, with the boxes that would let them; empty if they can."""
    least, most = parts.players
    if least <= players <= most:
        return ""
    seats = f"{least} to {most}" if least < most else str(least)
    box = parts.seated_by[players > most]
    who = f", as {quoted(box)} says" if box else ""
    more = boxes_with_seats(parts, players)
    remedy = f"; {players} play with the box {_either(more)}" if more else ""
    return f"the game is for {seats} players, not {players}{who}{remedy}"


def boxes_with_seats(parts: BoardParts, players: int) -> list[str]:
    """The shipped boxes with which so many may play, if these are too many without them.

    There are none where no shipped box is in play: that is another game.
    """
    shipped = shipped_boxes()
    if players <= parts.players[1] or not {*parts.boxes} & {*shipped}:
        return []
    return [id for id in shipped if _most(id) >= players]


def _most(id: str) -> int:
    box, _ = read_box(shipped_box(id))
    return box.model.players.most if box is not None else 0


def _either(ids: Sequence[str]) -> str:
    *others, last = map(quoted, ids)
    return f"{', '.join(others)} or {last}" if others else last
