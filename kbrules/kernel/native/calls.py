"""Calls of a native kernel: what it is to do is written down as an order, which it reads.

A call of two addresses takes a third of the time of one of five numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, PYFUNCTYPE, byref, c_int64, c_void_p
from functools import partial
from typing import Any

ORDER = c_int64 * 4
"""The address of the memory, what to do, a number, the address of more numbers or 0."""
LONG, SHORT = CFUNCTYPE(c_int64), PYFUNCTYPE(c_int64)
"""A call, and one that is over sooner than one could let go of the interpreter.

No types are declared: so it converts nothing. It takes an address as ctypes has it, bytes or None.
"""


class NativeKernel:
    """The native function `kernel` of a text, by its address."""

    def __init__(self, address: int) -> None:
        self._long, self._short = LONG(address), SHORT(address)

    def __call__(
        self, memory: int, what: int, number: int, given: int | None, out: int | None
    ) -> int:
        """Call it: addresses and numbers."""
        order = ORDER(memory, what, number, given or 0)
        return int(self._long(byref(order), c_void_p(out)))

    def of_number(self, memory: int, what: int) -> Callable[[int], int]:
        """It bound to one thing to do with a number."""
        order, call = ORDER(memory, what, 0, 0), self._short
        address = byref(order)

        def called(number: int) -> int:
            order[2] = number
            found: int = call(address, None)
            return found

        return called

    def of_room(self, memory: int, what: int) -> Callable[[Any], int]:
        """It bound to one thing to do with a room of numbers: bytes, or where it lies."""
        return partial(self._short, byref(ORDER(memory, what, 0, 0)))
