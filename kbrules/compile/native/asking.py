"""A kernel asked from Python, decision by decision, at the cost of calling a built-in function.

What it offers becomes objects of Python in native code as well: to read the numbers of a memory
one by one would take longer than all the rules. The function is the same for all kernels; what it
must know of one is told by a desk, which is an array of addresses and numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kbrules.compile.native.things import (
    NUMBER,
    THING,
    address_of,
    append,
    built_in,
    drop,
    is_a,
    item,
    kept,
    length,
    new,
    new_tuple,
    number_at,
    part,
    put,
    put_at,
    put_kept,
    replace,
    size_of_list,
    small,
    thing_at,
    told,
    value,
    whole,
)

__all__ = ["DESK", "HEXES", "asker", "said_at"]

DESK = (
    "CALL", "MEMORY", "DECIDE", "COUNT", "WHO", "FIRST", "SIZE", "WIDTH", "VERBS", "RULES", "PATHS",
    "MOVE", "GROUP", "SET", "INT", "NOW", "NOTHING", "NONE", "SELF", "LOG", "GAME", "OFFERED",
    "MOVES_AT", "PLAYER_AT", "GROUPS_AT", "WEIGHTS_AT", "DESK_AT",
)  # fmt: skip
"""What lies on a desk, in this order.

The addresses of the kernel and of its memory; what is said to go on; where in the memory the number
of groups lies, who decides, and the first group; how many numbers there are to each group, and to a
set of hexes. Then addresses of objects: tuples of texts by number, classes, what is asked to be
told what is offered now, the empty tuple, `None`, the desk itself, a list of the moves that were
made, the game, and the set of moves that it shows. At the end where a game and a set keep what.
"""
(
    CALL, MEMORY, DECIDE, COUNT, WHO, FIRST, SIZE, WIDTH, VERBS, RULES, PATHS,
    MOVE, GROUP, SET, INT, NOW, NOTHING, NONE, SELF, LOG, GAME, OFFERED,
    MOVES_AT, PLAYER_AT, GROUPS_AT, WEIGHTS_AT, DESK_AT,
) = range(len(DESK))  # fmt: skip
HEXES = 8  # where they lie in a group


@part
def fits(memory: int, at: int, width: int, hex: int) -> bool:
    """Whether a group has a hex; any group has none of it if it has no hexes."""
    if hex >= 0:
        if hex >> 6 >= width:
            return False
        return bool(number_at(memory, at + HEXES + (hex >> 6)) >> (hex & 63) & 1)
    left = 0
    for i in range(width):
        left |= number_at(memory, at + HEXES + i)
    return left == 0


@part
def chosen(desk: int, memory: int, move: int) -> int:
    """What is said to a kernel that goes on with a move; -1 if its texts are not those offered."""
    if not is_a(move, number_at(desk, MOVE)) or length(move) != 3:
        return -1
    if not is_a(item(move, 2), number_at(desk, INT)):
        return -1
    hex = value(item(move, 2), 0)
    if hex < -1:
        return -1
    verbs, rules, width = number_at(desk, VERBS), number_at(desk, RULES), number_at(desk, WIDTH)
    at = number_at(desk, FIRST)
    for group in range(number_at(memory, number_at(desk, COUNT))):
        verb, rule = number_at(memory, at), number_at(memory, at + 1)
        is_said = item(verbs, verb) == item(move, 0) and item(rules, rule) == item(move, 1)
        if is_said and fits(memory, at, width, hex):
            return int(group << 16 | hex + 1)
        at += number_at(desk, SIZE)
    return -1


@part
def said_at(desk: int, memory: int, at: int, kind: int, size: int) -> int:
    """A tuple of a class and a size that begins with the verb and the rule of a group.

    0, as of all that is made here, if there is no room.
    """
    found = new(number_at(desk, kind), size)
    if not found:
        return 0
    put_kept(found, 0, item(number_at(desk, VERBS), number_at(memory, at)))
    put_kept(found, 1, item(number_at(desk, RULES), number_at(memory, at + 1)))
    return int(found)


@part
def group_at(desk: int, memory: int, at: int) -> int:
    """One group of moves."""
    hexes = whole(memory + 8 * (at + HEXES), 8 * number_at(desk, WIDTH), 1, 0)
    found = said_at(desk, memory, at, GROUP, 4) if hexes else 0
    if not found:
        drop(hexes)
        return 0
    put(found, 2, hexes)
    put_kept(found, 3, item(number_at(desk, PATHS), number_at(memory, at + 2)))
    return int(found)


@part
def groups_at(desk: int, memory: int) -> int:
    """All groups of moves."""
    count, at = number_at(memory, number_at(desk, COUNT)), number_at(desk, FIRST)
    groups = new_tuple(count)
    for i in range(count if groups else 0):
        group = group_at(desk, memory, at)
        if not group:
            drop(groups)
            return 0
        put(groups, i, group)
        at += number_at(desk, SIZE)
    return int(groups)


@part
def offered(desk: int, memory: int) -> int:
    """All moves."""
    groups = groups_at(desk, memory)
    moves = new(number_at(desk, SET), 0) if groups else 0
    if not moves:
        drop(groups)
        return 0
    put_at(moves, number_at(desk, PLAYER_AT), small(number_at(memory, number_at(desk, WHO))))
    put_at(moves, number_at(desk, GROUPS_AT), groups)
    put_at(moves, number_at(desk, WEIGHTS_AT), kept(number_at(desk, NOTHING)))
    put_at(moves, number_at(desk, DESK_AT), kept(number_at(desk, SELF)))
    put_at(desk, OFFERED, moves)
    return int(moves)


@part
def show(desk: int, moves: int) -> None:
    """Let the game offer other moves than before."""
    game, at = number_at(desk, GAME), number_at(desk, MOVES_AT)
    before = number_at(game, at)
    put_at(game, at, moves)
    drop(before)


@part
def take_back(log: int) -> None:
    """Leave out the last of a list, if there is one."""
    last = size_of_list(log) - 1
    if last >= 0:
        replace(log, last, last + 1, 0)


def ask(desk: int, given: Any) -> Any:
    """Go on with a move, and let the game offer what there is then; without one, what there is now.

    All of it is done before anybody can press Ctrl-C, or none. Where there is no room to say what
    is offered the game stands where it stood, and the memory does not. desk: an address.
    LookupError, and nothing is done, if the move is not one that is offered, or has texts of its
    own, or if the game shows something else; StopIteration if nothing more is offered.
    """
    memory, move = number_at(desk, MEMORY), address_of(given)
    if move != number_at(desk, NOW):
        shown = number_at(number_at(desk, GAME), number_at(desk, MOVES_AT))
        number = chosen(desk, memory, move) if shown == number_at(desk, OFFERED) else -1
        if number < 0:
            raise LookupError
        if append(number_at(desk, LOG), move) < 0:
            return thing_at(0)
        put_at(desk, OFFERED, 0)
        if told(number_at(desk, CALL), memory, number_at(desk, DECIDE), number) != 1:
            raise StopIteration
    moves = offered(desk, memory)
    if not moves:
        take_back(number_at(desk, LOG))
        return thing_at(0)
    show(desk, moves)
    return thing_at(kept(number_at(desk, NONE)))


@lru_cache(maxsize=1)
def asker() -> Any:
    """`ask` as a built-in function."""
    return built_in(ask, NUMBER, THING)
