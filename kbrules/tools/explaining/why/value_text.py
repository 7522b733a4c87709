"""Values in words: hexes by name, groups, numbers, terrains, players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbrules.engine.logs.writer import player_name
from kbrules.game.board import Board
from kbrules.hex.masks import Mask, bits, lowest
from kbrules.lang.typed.core import Call
from kbrules.lang.typed.sorts import ELEMENT, Sort
from kbrules.tools.explaining.why.evaluation import Clause

__all__ = ["bound_text", "item_text", "nearest_text", "short_list", "value_text"]

FEW = 8
MOST = 1_000_000


def short_list(board: Board, hexes: Mask, most: int = FEW) -> str:
    """The names of hexes; of many the first and how many more, of none a dash."""
    names = [board.grid.name(hex) for hex in bits(hexes)]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return " ".join(names[:most]) + rest if names else "-"


def value_text(clause: Clause) -> str:
    """What a clause comes to."""
    board, value = clause.view.board, clause.value
    match clause.expr.sort:
        case Sort.HEXES:
            return _counted(value.bit_count(), "hex", "hexes") + _listed(board, value)
        case Sort.GROUPS:
            sizes = f", the largest of {max(g.bit_count() for g in value)}" if value else ""
            return _counted(len(value), "group", "groups") + sizes
        case Sort.TRUTH:
            return "yes" if value else "no"
        case Sort.RANGE:
            return _range(*value)
        case sort:
            return _named(board, sort, value)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}" if count else f"no {one}"


def _listed(board: Board, hexes: Mask) -> str:
    return f": {short_list(board, hexes)}" if 0 < hexes.bit_count() <= FEW else ""


def _range(low: int, high: int) -> str:
    if low == high:
        return f"exactly {low}"
    return f"at most {high}" if high < MOST else f"at least {low}"


def _named(board: Board, sort: Sort, value: Any) -> str:
    catalog = board.catalog
    if sort in ELEMENT:
        one = ELEMENT[sort]
        return ", ".join(_named(board, one, each) for each in value) or "none"
    if sort is Sort.PLAYER:
        return player_name(value)
    tables: Mapping[Sort, Sequence[Any]] = {
        Sort.TERRAIN: catalog.hexes, Sort.PLACE: catalog.hexes,
        Sort.PIECE: catalog.pieces, Sort.TILE: catalog.tiles,
    }  # fmt: skip
    if sort in tables:
        return str(tables[sort][value].id) if value >= 0 else "none"
    return catalog.cards[value] if sort is Sort.CARD else str(value)


def bound_text(board: Board, name: str, sort: Sort, item: Any) -> str:
    """A name and what it is bound to in a round of a loop."""
    said = item_text(board, sort, item)
    return said if said.startswith(f"{name} ") else f"{name} {said}"


def item_text(board: Board, sort: Sort, item: Any) -> str:
    """One item of a loop: a group by where it lies, anything else by its name."""
    if sort is not Sort.HEXES:
        return _named(board, sort, item)
    if item and item == board.grid.full:
        return "the whole board"
    if item.bit_count() == 1:
        return board.grid.name(lowest(item))
    for number, row in enumerate(board.grid.rows(), 1):
        if item == row:
            return f"row {number}"
    for number, sector in enumerate(board.sectors, 1):
        if item == sector:
            return f"sector {number}"
    if item.bit_count() <= FEW:
        return short_list(board, item)
    first, last = lowest(item), item.bit_length() - 1
    return f"{board.grid.name(first)}..{board.grid.name(last)} ({item.bit_count()})"


# What of its argument a word sees from one hex.

_BESIDE = ("adjacent(hexes)", "touching(hexes,range)")
_WITHIN = "within(hexes,number)"


def nearest_text(clause: Clause, hex: int) -> str:
    """For a word of nearness what of its argument lies near a hex; else an empty text."""
    expr = clause.expr
    if hex < 0 or not isinstance(expr, Call) or expr.word not in (*_BESIDE, _WITHIN):
        return ""
    of = next((part for part in clause.parts if part.expr.sort is Sort.HEXES), None)
    if of is None:
        return ""
    board = clause.view.board
    beside: Mask = board.grid.neighbours(1 << hex) & of.value
    if expr.word == _WITHIN:
        return _nearest(board, of.value, hex)
    if beside:
        return f"{beside.bit_count()} beside {board.grid.name(hex)}: {short_list(board, beside)}"
    return f"none beside {board.grid.name(hex)}" + _and(_nearest(board, of.value, hex))


def _and(text: str) -> str:
    return f", {text}" if text else ""


def _nearest(board: Board, of: Mask, hex: int) -> str:
    found = [(d, h) for h in bits(of) if (d := board.grid.distance(hex, h)) is not None]
    if not found:
        return ""
    distance, at = min(found)
    steps = "1 step" if distance == 1 else f"{distance} steps"
    return f"the nearest is {board.grid.name(at)}, {steps} away"
