"""The memory of a kernel in machine code, and calls of the kernel on it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, PYFUNCTYPE, byref, c_int64, c_void_p
from functools import partial
from typing import Any

import numpy

from kbrules.kernel.layout import KernelMemory, Numbers

# Calls of a native kernel: what it is to do is written down as an order, which it reads.
# A call of two addresses takes a third of the time of one of five numbers.


ORDER = c_int64 * 4
"""The address of the memory, what to do, a number, the address of more numbers or 0."""
LONG, SHORT = CFUNCTYPE(c_int64), PYFUNCTYPE(c_int64)
"""A call, and one that is over sooner than one could let go of the interpreter.

No types are declared: so it converts nothing. It takes an address as ctypes has it, bytes or None.
"""


class NativeKernel:
    """The native function `kernel` of a text, by its address."""

    def __init__(self, address: int) -> None:
        self._long, self.short = LONG(address), SHORT(address)

    def __call__(
        self, memory: int, what: int, number: int, given: int | None, out: int | None
    ) -> int:
        """Call it: addresses and numbers."""
        order = ORDER(memory, what, number, given or 0)
        return int(self._long(byref(order), c_void_p(out)))


GROUPS_MORE = 1024
"""So much is left free behind fixed groups where a table needs more room for them."""


class NativeMemory(KernelMemory):
    """64-bit numbers at a place where vectors can be read at once; a set takes `width` of them."""

    def _hold(self, numbers: Any) -> None:
        room = numpy.zeros(len(numbers) + 8, dtype=numpy.int64)
        first = -(room.ctypes.data // 8) % 8
        self._numbers: Any = room[first : first + len(numbers)]
        self._numbers[:] = numbers
        self._words: Any = memoryview(self._numbers)  # type: ignore[arg-type]
        self._address = int(self._numbers.ctypes.data)

    def _reserve(self, size: int) -> None:
        if size > len(self._numbers):
            more = size + GROUPS_MORE - len(self._numbers)
            self._hold(numpy.pad(self._numbers, (0, more)))

    def call(self, what: int, number: int, given: Any = None, out: Any = None) -> int:
        """Call the kernel: what to do, a number, more numbers, and where to write some."""
        if given is not None:
            given = numpy.ascontiguousarray(given, numpy.int64)
        addresses = (None if each is None else each.ctypes.data for each in (given, out))
        found: int = self._kernel(self._address, what, number, *addresses)
        return found

    def bound(self, what: int) -> Callable[[int], int]:
        """The kernel bound to one thing to do with a number."""
        order, call = ORDER(self._address, what, 0, 0), self._kernel.short
        address = byref(order)

        def called(number: int) -> int:
            order[2] = number
            found: int = call(address, None)
            return found

        return called

    def row_saver(self, what: int, most: int) -> Callable[[], Any]:
        """A call that saves a game and returns its row, None if that is too small."""
        room = (c_int64 * most)()
        numbers = memoryview(room).cast("B")
        keep = partial(self.row_loader(what), byref(room))

        def saved() -> bytes | None:
            size = keep()
            return None if size < 0 else numbers[: 8 * size].tobytes()

        return saved

    def row_loader(self, what: int) -> Callable[[Any], int]:
        """A call that loads a game from its row; how many moves it offers."""
        return partial(self._kernel.short, byref(ORDER(self._address, what, 0, 0)))

    def room(self, size: int) -> Any:
        """Room for so many numbers to be written, each of them 0."""
        return numpy.zeros(size, dtype=numpy.int64)

    def part(self, at: int, size: int) -> Numbers:
        """A copy of so many cells."""
        return array("q", self._words[at : at + size].tobytes())
