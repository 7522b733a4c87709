"""A kernel asked from Python, decision by decision, at the cost of calling a built-in function.

What it offers becomes objects of Python in native code as well: to read the numbers of a memory
one by one would take longer than all the rules. The function is the same for all kernels; what it
must know of one is told by a desk, which is an array of addresses and numbers.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import njit, types
from numba.extending import NativeValue, box, intrinsic, models, register_model, unbox

from kbrules.compile.native.jit import made_once

__all__ = ["DESK", "asker"]

DESK = (
    "CALL", "MEMORY", "DECIDE", "COUNT", "WHO", "FIRST", "SIZE", "WIDTH", "VERBS", "RULES", "PATHS",
    "MOVE", "GROUP", "SET", "INT", "NOW", "PLAYER_NAME", "GROUPS_NAME", "WEIGHTS_NAME", "NOTHING",
)  # fmt: skip
"""What lies on a desk, in this order.

The addresses of the kernel and of its memory; what is said to go on; where in the memory the number
of groups lies, who decides, and the first group; how many numbers there are to each group, and to a
set of hexes. The rest are addresses of objects: tuples of texts by number, classes, the names of
what a set of moves holds, and the empty tuple.
"""
HEXES = 8  # where they lie in a group
(
    CALL, MEMORY, DECIDE, COUNT, WHO, FIRST, SIZE, WIDTH, VERBS, RULES, PATHS,
    MOVE, GROUP, SET, INT, NOW, PLAYER_NAME, GROUPS_NAME, WEIGHTS_NAME, NOTHING,
) = range(len(DESK))  # fmt: skip

NUMBER = types.intp
I64, BYTE = ir.IntType(64), ir.IntType(8)


Code = TypeVar("Code", bound=Callable[..., Any])


def _part(code: Code) -> Code:
    """A part of the native function."""
    made: Code = njit(code)
    return made


def _word(code: Callable[..., Any]) -> Any:
    """What such a part can say beside numbers: instructions of LLVM."""
    return intrinsic(code)


class Thing(types.Opaque):
    """Any object of Python, as what a native function is given and answers."""


THING = Thing("thing of kbrules")
register_model(Thing)(models.OpaqueModel)


@box(Thing)
def _boxed(kind: Any, value: Any, context: Any) -> Any:
    return value


@unbox(Thing)
def _unboxed(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(value)


@_word
def number_at(typing: Any, address: Any, index: Any) -> Any:
    """A number of an array."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = builder.inttoptr(arguments[0], I64.as_pointer())
        return builder.load(builder.gep(array, [arguments[1]]))

    return NUMBER(NUMBER, NUMBER), code


@_word
def told(typing: Any, call: Any, memory: Any, what: Any, number: Any) -> Any:
    """What a kernel answers."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        call, memory, what, number = arguments
        array = I64.as_pointer()
        kind = ir.FunctionType(I64, [array, I64, I64, array, array])
        place = builder.inttoptr(memory, array)
        kernel = builder.inttoptr(call, kind.as_pointer())
        return builder.call(kernel, [place, what, number, place, place])

    return NUMBER(NUMBER, NUMBER, NUMBER, NUMBER), code


@_word
def thing_at(typing: Any, address: Any) -> Any:
    """The object at an address."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], BYTE.as_pointer())

    return THING(NUMBER), code


@_word
def address_of(typing: Any, thing: Any) -> Any:
    """Where an object is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], I64)

    return NUMBER(THING), code


def _of_python(name: str, *numbers: Any, answers: Any = NUMBER) -> Any:
    """A function of Python itself; objects are given and answered as their addresses."""
    return types.ExternalFunction(name, answers(*numbers))


new = _of_python("PyType_GenericAlloc", NUMBER, NUMBER)
new_tuple = _of_python("PyTuple_New", NUMBER)
put = _of_python("PyTuple_SetItem", NUMBER, NUMBER, NUMBER, answers=types.int32)
item = _of_python("PyTuple_GetItem", NUMBER, NUMBER)
length = _of_python("PyTuple_Size", NUMBER)
is_a = _of_python("PyObject_IsInstance", NUMBER, NUMBER, answers=types.int32)
whole = _of_python("_PyLong_FromByteArray", NUMBER, NUMBER, types.int32, types.int32)
small = _of_python("PyLong_FromSsize_t", NUMBER)
value = _of_python("PyNumber_AsSsize_t", NUMBER, NUMBER)
set_name = _of_python("PyObject_GenericSetAttr", NUMBER, NUMBER, NUMBER, answers=types.int32)
keep = _of_python("Py_IncRef", NUMBER, answers=types.void)
drop = _of_python("Py_DecRef", NUMBER, answers=types.void)


@_part
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


@_part
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


@_part
def put_kept(owner: int, place: int, thing: int) -> None:
    """Put an object that stays elsewhere, too, into a tuple."""
    keep(thing)
    put(owner, place, thing)


@_part
def group_at(desk: int, memory: int, at: int) -> int:
    """One group of moves."""
    found = new(number_at(desk, GROUP), 4)
    put_kept(found, 0, item(number_at(desk, VERBS), number_at(memory, at)))
    put_kept(found, 1, item(number_at(desk, RULES), number_at(memory, at + 1)))
    put(found, 2, whole(memory + 8 * (at + HEXES), 8 * number_at(desk, WIDTH), 1, 0))
    put_kept(found, 3, item(number_at(desk, PATHS), number_at(memory, at + 2)))
    return int(found)


@_part
def offered(desk: int, memory: int) -> int:
    """All moves."""
    count, at = number_at(memory, number_at(desk, COUNT)), number_at(desk, FIRST)
    groups = new_tuple(count)
    for i in range(count):
        put(groups, i, group_at(desk, memory, at))
        at += number_at(desk, SIZE)
    found = new(number_at(desk, SET), 0)
    player = small(number_at(memory, number_at(desk, WHO)))
    set_name(found, number_at(desk, PLAYER_NAME), player)
    set_name(found, number_at(desk, GROUPS_NAME), groups)
    set_name(found, number_at(desk, WEIGHTS_NAME), number_at(desk, NOTHING))
    drop(player)
    drop(groups)
    return int(found)


def ask(desk: int, given: Any) -> Any:
    """Go on with a move, and answer what is offered then; without one, what is offered now.

    desk: an address. LookupError, and nothing is done, if the move is not one that is offered, or
    has texts of its own; StopIteration if nothing more is offered.
    """
    memory, move = number_at(desk, MEMORY), address_of(given)
    if move != number_at(desk, NOW):
        number = chosen(desk, memory, move)
        if number < 0:
            raise LookupError
        if told(number_at(desk, CALL), memory, number_at(desk, DECIDE), number) != 1:
            raise StopIteration
    return thing_at(offered(desk, memory))


@lru_cache(maxsize=1)
def asker() -> Any:
    """`ask` as a built-in function; it is compiled once, and kept for the next time."""
    text = inspect.getsource(sys.modules[__name__])
    digest = blake2b(f"{numba.__version__}\0{text}".encode(), digest_size=16).hexdigest()
    shape = THING(NUMBER, THING)
    made = made_once(ask, digest, text, partial(njit, shape))
    return made.overloads[made.signatures[0]].entry_point

