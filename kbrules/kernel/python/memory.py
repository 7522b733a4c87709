"""The memory of a kernel run by CPython, and calls of the kernel on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kbrules.hex.sets import Mask
from kbrules.kernel.memory.cells import IntCells, Numbers
from kbrules.kernel.memory.image import MemoryImage, MemoryShape, TableImage
from kbrules.kernel.memory.states import DoesNotFit
from kbrules.kernel.python.kernel import PythonKernel
from kbrules.kernel.runtime.names import OUT_OF_ROOM

ALL = 2**64 - 1


class PythonMemory:
    """A list of numbers; a set of hexes is one of them."""

    def __init__(self, image: MemoryImage, program: PythonKernel) -> None:
        self.cells = IntCells()
        self._program, self._start = program, image.start
        self._numbers = [*image.blank()]
        self._end = len(self._numbers)
        self._lay = image.lay
        self._shape: MemoryShape | None = None

    def __copy__(self) -> PythonMemory:
        other = object.__new__(PythonMemory)
        other.cells, other._program = self.cells, self._program
        other._numbers, other._start, other._end = self._numbers.copy(), self._start, self._end
        other._lay, other._shape = self._lay, self._shape
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
        self._numbers[: len(head)] = head
        self._numbers[self._start : self._start + len(state)] = state
        self._numbers[self._end :] = groups

    def call(self, what: int, number: int, given: Sequence[int] = (), out: Any = None) -> int:
        """Call the kernel: what to do, a number, more numbers, and where to write some."""
        found: int = self._program["kernel"](self._numbers, what, number, given, out)
        return found

    def bound(self, what: int) -> Callable[[int], int]:
        """The kernel bound to one thing to do with a number."""
        kernel, numbers = self._program["kernel"], self._numbers

        def called(number: int) -> int:
            found: int = kernel(numbers, what, number, None, None)
            return found

        return called

    def row_saver(self, what: int, most: int) -> Callable[[], Any]:
        """A call that saves a game and returns its row, None if that is too small."""
        keep = partial(self._program["kernel"], self._numbers, what, 0, None)

        def saved() -> tuple[int, ...] | None:
            row = [0] * most
            size = keep(row)
            return None if size < 0 else tuple(row[:size])

        return saved

    def row_loader(self, what: int) -> Callable[[Any], int]:
        """A call that loads a game from its row; how many moves it offers."""
        return partial(self._program["kernel"], self._numbers, what, 0, None)

    def call_with(self, what: int, number: int, given: Any, out: Any) -> int:
        """Call the kernel with two rooms of numbers that it may write to."""
        found: int = self._program["kernel"](self._numbers, what, number, given, out)
        return found

    def room(self, size: int) -> Any:
        """Room for so many numbers to be written, each of them 0."""
        return [0] * size

    def number(self, at: int) -> int:
        """What lies at a place."""
        return self._numbers[at]

    def numbers(self, at: int, size: int) -> list[int]:
        """What lies at so many places."""
        return self._numbers[at : at + size]

    def set_at(self, at: int) -> Mask:
        """The set that lies at a place."""
        return self._numbers[at]

    def part(self, at: int, size: int) -> Numbers:
        """A copy of so many cells."""
        return self._numbers[at : at + size]

    def put(self, at: int, numbers: Sequence[int]) -> None:
        """Write some numbers."""
        self._numbers[at : at + len(numbers)] = numbers

    def stream(self, at: int) -> int:
        """Where a stream of chance stands, 0 to 2**64 - 1."""
        return self._numbers[at] & ALL

    def go_to(self, at: int, position: int) -> None:
        """Let a stream of chance go on from there."""
        self._numbers[at] = position
