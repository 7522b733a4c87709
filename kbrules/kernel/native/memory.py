"""The memory of a kernel in machine code, and calls of the kernel on it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, PYFUNCTYPE, byref, c_int64, c_void_p
from functools import partial
from typing import Any

from kbrules.hex.sets import Mask
from kbrules.kernel.layout import Int64Cells, Numbers
from kbrules.kernel.runtime.names import OUT_OF_ROOM
from kbrules.kernel.states import DoesNotFit, MemoryImage, MemoryShape, TableImage

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


ALL = 2**64 - 1
GROUPS_MORE = 1024
"""So much is left free behind fixed groups where a table needs more room for them."""


class NativeMemory:
    """64-bit numbers at a place where vectors can be read at once; a set takes `width` of them."""

    def __init__(self, image: MemoryImage, width: int, native: NativeKernel) -> None:
        import numpy

        self._numpy, self._native, self.cells = numpy, native, Int64Cells(width)
        numbers = numpy.array(image.blank(), dtype=numpy.int64)
        self._start, self._end, self._lay = image.start, len(numbers), image.lay
        self._shape: MemoryShape | None = None
        self._fill(numbers)

    def _fill(self, numbers: Any) -> None:
        room = self._numpy.zeros(len(numbers) + 8, dtype=self._numpy.int64)
        first = -(room.ctypes.data // 8) % 8
        self._numbers = room[first : first + len(numbers)]
        self._numbers[:] = numbers
        self._words = memoryview(self._numbers)  # type: ignore[arg-type]
        self._address = int(self._numbers.ctypes.data)

    def __copy__(self) -> NativeMemory:
        other = object.__new__(NativeMemory)
        other._numpy, other._native, other.cells = self._numpy, self._native, self.cells
        other._start, other._end, other._lay = self._start, self._end, self._lay
        other._shape = self._shape
        other._fill(self._numbers)
        return other

    def lay(self, table: TableImage) -> None:
        """Take another table."""
        self.take(table.shape)
        if self.call(self._lay, 0, table.row):
            raise DoesNotFit(OUT_OF_ROOM)

    def take(self, shape: MemoryShape) -> None:
        """Be for tables of a shape."""
        if shape is self._shape:
            return
        head, state, groups = self._shape = shape
        end = self._end + len(groups)
        if end > len(self._numbers):
            self._fill(self._numpy.pad(self._numbers, (0, end + GROUPS_MORE - len(self._numbers))))
        self._numbers[: len(head)] = head
        self._numbers[self._start : self._start + len(state)] = state
        self._numbers[self._end : end] = groups

    def call(self, what: int, number: int, given: Sequence[int] = (), out: Any = None) -> int:
        """Call the kernel: what to do, a number, more numbers, and where to write some."""
        numbers = self._numpy.array(given, dtype=self._numpy.int64) if len(given) else None
        address = None if numbers is None else numbers.ctypes.data
        to = None if out is None else out.ctypes.data
        return self._native(self._address, what, number, address, to)

    def bound(self, what: int) -> Callable[[int], int]:
        """The kernel bound to one thing to do with a number."""
        return self._native.of_number(self._address, what)

    def row_saver(self, what: int, most: int) -> Callable[[], Any]:
        """A call that saves a game and returns its row, None if that is too small."""
        room = (c_int64 * most)()
        numbers = memoryview(room).cast("B")
        keep = partial(self._native.of_room(self._address, what), byref(room))

        def saved() -> bytes | None:
            size = keep()
            return None if size < 0 else numbers[: 8 * size].tobytes()

        return saved

    def row_loader(self, what: int) -> Callable[[Any], int]:
        """A call that loads a game from its row; how many moves it offers."""
        return self._native.of_room(self._address, what)

    def call_with(self, what: int, number: int, given: Any, out: Any) -> int:
        """Call the kernel with two rooms of numbers that it may write to."""
        return self._native(self._address, what, number, given.ctypes.data, out.ctypes.data)

    def room(self, size: int) -> Any:
        """Room for so many numbers to be written, each of them 0."""
        return self._numpy.zeros(size, dtype=self._numpy.int64)

    def number(self, at: int) -> int:
        """What lies at a place."""
        return int(self._words[at])

    def numbers(self, at: int, size: int) -> list[int]:
        """What lies at so many places."""
        return self._words[at : at + size].tolist()

    def set_at(self, at: int) -> Mask:
        """The set that lies at a place."""
        return int.from_bytes(self._words[at : at + self.cells.width], "little")

    def part(self, at: int, size: int) -> Numbers:
        """A copy of so many cells."""
        return array("q", self._words[at : at + size].tobytes())

    def put(self, at: int, numbers: Sequence[int]) -> None:
        """Write some numbers."""
        self._numbers[at : at + len(numbers)] = numbers

    def stream(self, at: int) -> int:
        """Where a stream of chance stands, 0 to 2**64 - 1."""
        return int(self._words[at]) & ALL

    def go_to(self, at: int, position: int) -> None:
        """Let a stream of chance go on from there."""
        self._numbers.view(self._numpy.uint64)[at] = position
