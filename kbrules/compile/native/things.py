"""Objects of Python in native code: what is needed to be called with some, and to answer some.

`built_in` makes a function of Python that handles numbers and objects a built-in one, which is
called in a fifth of the time that `ctypes` takes. In such a function an object is its address;
`address_of` and `thing_at` lead there and back. Functions of Python itself, by their names in its
C API, say what is done with it; whoever makes an object must put it somewhere or answer it, and
look first whether it is 0: then there is no room, and Python has been told.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import njit, types
from numba.extending import NativeValue, box, intrinsic, models, register_model, unbox

from kbrules.compile.native.jit import made_once

NUMBER = types.intp
I1, I64, BYTE = ir.IntType(1), ir.IntType(64), ir.IntType(8)
NUMBERS = I64.as_pointer()
Code = TypeVar("Code", bound=Callable[..., Any])


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


def built_in(function: Callable[..., Any], *given: Any) -> Any:
    """A function as a built-in one; it is compiled once, and kept for the next time.

    given: the types of what it takes. It answers a `THING`.
    """
    modules = (sys.modules[__name__], inspect.getmodule(function))
    text = "\0".join(inspect.getsource(module) for module in modules if module)
    known = f"{numba.__version__}\0{sys.version}\0{function.__name__}\0{text}"
    digest = blake2b(known.encode(), digest_size=16).hexdigest()
    made = made_once(function, digest, text, partial(njit, THING(*given)))
    return made.overloads[made.signatures[0]].entry_point


def part(code: Code) -> Code:
    """A function that a built-in one calls."""
    made: Code = njit(code)
    return made


def word(code: Callable[..., Any]) -> Any:
    """Instructions of LLVM that are written where they are called."""
    return intrinsic(code)


@word
def thing_at(typing: Any, address: Any) -> Any:
    """The object at an address; none at 0, where something went wrong that Python will tell."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], BYTE.as_pointer())

    return THING(NUMBER), code


@word
def address_of(typing: Any, thing: Any) -> Any:
    """Where an object is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], I64)

    return NUMBER(THING), code


@word
def number_at(typing: Any, address: Any, index: Any) -> Any:
    """A number of an array."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = builder.inttoptr(arguments[0], NUMBERS)
        return builder.load(builder.gep(array, [arguments[1]]))

    return NUMBER(NUMBER, NUMBER), code


@word
def put_at(typing: Any, address: Any, index: Any, number: Any) -> Any:
    """Write a number of an array."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = builder.inttoptr(arguments[0], NUMBERS)
        builder.store(arguments[2], builder.gep(array, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(NUMBER, NUMBER, NUMBER), code


@word
def size_of(typing: Any, number: Any) -> Any:
    """How many bits of a number are set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return NUMBER(NUMBER), code


@word
def lowest(typing: Any, number: Any) -> Any:
    """The first bit of a number that is set; there must be one."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(I1, 1))

    return NUMBER(NUMBER), code


@word
def told(typing: Any, call: Any, memory: Any, what: Any, number: Any) -> Any:
    """What a kernel answers, by its address and that of its memory."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        call, memory, what, number = arguments
        kind = ir.FunctionType(I64, [NUMBERS, I64, I64, NUMBERS, NUMBERS])
        place, kernel = builder.inttoptr(memory, NUMBERS), builder.inttoptr(call, kind.as_pointer())
        return builder.call(kernel, [place, what, number, place, place])

    return NUMBER(NUMBER, NUMBER, NUMBER, NUMBER), code


def _of_python(name: str, *given: Any, answers: Any = NUMBER) -> Any:
    return types.ExternalFunction(name, answers(*given))


_TRUTH, _FLAG = types.int32, types.int32
new = _of_python("PyType_GenericAlloc", NUMBER, NUMBER)
new_tuple = _of_python("PyTuple_New", NUMBER)
put = _of_python("PyTuple_SetItem", NUMBER, NUMBER, NUMBER, answers=_TRUTH)
item = _of_python("PyTuple_GetItem", NUMBER, NUMBER)
length = _of_python("PyTuple_Size", NUMBER)
size_of_list = _of_python("PyList_Size", NUMBER)
item_of_list = _of_python("PyList_GetItem", NUMBER, NUMBER)
append = _of_python("PyList_Append", NUMBER, NUMBER, answers=_TRUTH)
replace = _of_python("PyList_SetSlice", NUMBER, NUMBER, NUMBER, NUMBER, answers=_TRUTH)
failed = _of_python("PyErr_Occurred")
class_of = _of_python("PyObject_Type", NUMBER)
called = _of_python("PyObject_CallOneArg", NUMBER, NUMBER)
whole = _of_python("_PyLong_FromByteArray", NUMBER, NUMBER, _FLAG, _FLAG)
small = _of_python("PyLong_FromSsize_t", NUMBER)
value = _of_python("PyNumber_AsSsize_t", NUMBER, NUMBER)
keep = _of_python("Py_IncRef", NUMBER, answers=types.void)
drop = _of_python("Py_DecRef", NUMBER, answers=types.void)


@part
def is_a(thing: int, kind: int) -> bool:
    """Whether an object is of a class itself: to ask for more may call what is not ours."""
    found = class_of(thing)
    drop(found)
    return bool(found == kind)


@part
def kept(thing: int) -> int:
    """An object that stays elsewhere, too."""
    keep(thing)
    return thing


@part
def put_kept(owner: int, place: int, thing: int) -> None:
    """Put an object that stays elsewhere, too, into a tuple."""
    put(owner, place, kept(thing))
