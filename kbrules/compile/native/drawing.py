"""One of the moves that are offered, drawn in native code: what `MoveSet.sample` does."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kbrules.compile.native.asking import (
    COUNT,
    FIRST,
    HEXES,
    MEMORY,
    MOVE,
    NONE,
    OFFERED,
    SIZE,
    WIDTH,
    said_at,
)
from kbrules.compile.native.things import (
    NUMBER,
    THING,
    address_of,
    built_in,
    called,
    drop,
    failed,
    item_of_list,
    kept,
    lowest,
    number_at,
    part,
    put,
    replace,
    size_of,
    size_of_list,
    small,
    thing_at,
    value,
)

__all__ = ["drawer"]


@part
def size(memory: int, at: int, width: int) -> int:
    """How many moves a group has."""
    found = 0
    for i in range(at + HEXES, at + HEXES + width):
        found += size_of(number_at(memory, i))
    return max(1, found)


@part
def hex_of(memory: int, at: int, width: int, index: int) -> int:
    """The hex of a number in a group; -1 if it has none."""
    for i in range(width):
        left = number_at(memory, at + HEXES + i)
        here = size_of(left)
        if index < here:
            for _ in range(index):
                left &= left - 1
            return int(64 * i + lowest(left))
        index -= here
    return -1


@part
def move_of(desk: int, memory: int, index: int) -> int:
    """The move of a number that is below how many there are; 0 if there is no room."""
    width, at = number_at(desk, WIDTH), number_at(desk, FIRST)
    here = size(memory, at, width)
    while index >= here:
        index -= here
        at += number_at(desk, SIZE)
        here = size(memory, at, width)
    hex = small(hex_of(memory, at, width, index))
    move = said_at(desk, memory, at, MOVE, 3) if hex else 0
    if not move:
        drop(hex)
        return 0
    put(move, 2, hex)
    return int(move)


@part
def below(draws: int, total: int) -> int:
    """A number that a function draws; -1 if that fails. Anything may happen meanwhile."""
    most = small(total)
    drawn = called(draws, most) if most else 0
    drop(most)
    if not drawn:
        return -1
    found = value(drawn, 0)
    drop(drawn)
    return int(found)


@part
def drawn(ahead: int, draws: int, total: int) -> int:
    """The same number, taken from what a stream keeps ahead where that is enough to know it."""
    last = size_of_list(ahead) - 1
    if last < 0:
        return below(draws, total)
    product = value(item_of_list(ahead, last), 0) * total
    if product & 0xFFFF > total:
        replace(ahead, last, last + 1, 0)
        return int(product >> 16)
    return below(draws, total)


def draw(desk: int, moves: Any, ahead: Any, draws: Any) -> Any:
    """One of the moves of a set, each as likely.

    desk: that of the set. ahead, draws: of a stream, what it keeps and its function `draw`. None
    if the set is not what is offered now, or no more when it is drawn; IndexError if the number is
    not one of those that were asked for.
    """
    if address_of(moves) != number_at(desk, OFFERED):
        return thing_at(kept(number_at(desk, NONE)))
    memory, width, each = number_at(desk, MEMORY), number_at(desk, WIDTH), number_at(desk, SIZE)
    count, at, total = number_at(memory, number_at(desk, COUNT)), number_at(desk, FIRST), 0
    for i in range(count):
        total += size(memory, at + i * each, width)
    index = drawn(address_of(ahead), address_of(draws), total)
    if failed():
        return thing_at(0)
    if not 0 <= index < total:
        raise IndexError("a number was drawn that is not below how many moves there are")
    if address_of(moves) != number_at(desk, OFFERED):
        return thing_at(kept(number_at(desk, NONE)))
    return thing_at(move_of(desk, memory, index))


@lru_cache(maxsize=1)
def drawer() -> Any:
    """`draw` as a built-in function."""
    return built_in(draw, NUMBER, THING, THING, THING)
