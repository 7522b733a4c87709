"""Values in words: hexes by name, groups, numbers, terrains, players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.lang.typed import ELEMENT, Call, Sort
from kbrules.tools.explaining.why.evaluation import EvaluatedClause

MAX_NAMES = 8
UNBOUNDED = 1_000_000


def short_list(board: Board, hexes: Mask, most: int = MAX_NAMES) -> str:
    """The names of hexes; of many the first and how many more, of none a dash."""
    names = [board.grid.name(hex) for hex in bits(hexes)]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return " ".join(names[:most]) + rest if names else "-"


def value_text(clause: EvaluatedClause) -> str:
    """What a clause comes to."""
    board, value = clause.view.board, clause.value
    match clause.expr.sort:
        case Sort.HEXES:
            return _count_text(value.bit_count(), "hex", "hexes") + _hex_list(board, value)
        case Sort.GROUPS:
            sizes = f", the largest of {max(g.bit_count() for g in value)}" if value else ""
            return _count_text(len(value), "group", "groups") + sizes
        case Sort.TRUTH:
            return "yes" if value else "no"
        case Sort.RANGE:
            return _range(*value)
        case sort:
            return _value_name(board, sort, value)


def _count_text(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}" if count else f"no {singular}"


def _hex_list(board: Board, hexes: Mask) -> str:
    return f": {short_list(board, hexes)}" if 0 < hexes.bit_count() <= MAX_NAMES else ""


def _range(low: int, high: int) -> str:
    if low == high:
        return f"exactly {low}"
    return f"at most {high}" if high < UNBOUNDED else f"at least {low}"


def _value_name(board: Board, sort: Sort, value: Any) -> str:
    catalog = board.catalog
    if sort in ELEMENT:
        element = ELEMENT[sort]
        return ", ".join(_value_name(board, element, each) for each in value) or "none"
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
    text = item_text(board, sort, item)
    return text if text.startswith(f"{name} ") else f"{name} {text}"


def item_text(board: Board, sort: Sort, item: Any) -> str:
    """One item of a loop: a group by where it lies, anything else by its name."""
    if sort is not Sort.HEXES:
        return _value_name(board, sort, item)
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
    if item.bit_count() <= MAX_NAMES:
        return short_list(board, item)
    first, last = lowest(item), item.bit_length() - 1
    return f"{board.grid.name(first)}..{board.grid.name(last)} ({item.bit_count()})"


# What of its argument a word sees from one hex.

_ADJACENCY_WORDS = ("adjacent(hexes)", "touching(hexes,range)")
_WITHIN = "within(hexes,number)"


def nearest_text(clause: EvaluatedClause, hex: int) -> str:
    """For a word of nearness what of its argument lies near a hex; else an empty text."""
    expr = clause.expr
    if hex < 0 or not isinstance(expr, Call) or expr.word not in (*_ADJACENCY_WORDS, _WITHIN):
        return ""
    argument = next((part for part in clause.parts if part.expr.sort is Sort.HEXES), None)
    if argument is None:
        return ""
    board = clause.view.board
    adjacent: Mask = board.grid.neighbours(1 << hex) & argument.value
    if expr.word == _WITHIN:
        return _nearest(board, argument.value, hex)
    if adjacent:
        return (
            f"{adjacent.bit_count()} beside {board.grid.name(hex)}: {short_list(board, adjacent)}"
        )
    return f"none beside {board.grid.name(hex)}" + _appended(_nearest(board, argument.value, hex))


def _appended(text: str) -> str:
    return f", {text}" if text else ""


def _nearest(board: Board, argument: Mask, hex: int) -> str:
    distances = [(d, h) for h in bits(argument) if (d := board.grid.distance(hex, h)) is not None]
    if not distances:
        return ""
    distance, at = min(distances)
    steps = "1 step" if distance == 1 else f"{distance} steps"
    return f"the nearest is {board.grid.name(at)}, {steps} away"
