"""How a memory holds numbers and sets: `Int64Cells` for native code, `IntCells` for Python."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from typing import Any, Protocol

from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.library.ruleset import Ruleset

# What the memory of a kernel must know of the game that it is for.


class ConfiguredGame(Protocol):
    """A configuration at a table: rules, board, players and the ids of the cards in play."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def board(self) -> Board: ...

    @property
    def players(self) -> int: ...

    @property
    def cards(self) -> tuple[str, ...]: ...

    def empty(self) -> State:
        """The state before anything has happened."""
        ...


Numbers = MutableSequence[int]


class Int64Cells:
    """Signed 64-bit numbers; a set lies in `width` of them, lowest bits first."""

    def __init__(self, width: int) -> None:
        self.width = width

    def zeros(self, number: int) -> Numbers:
        """So many cells that hold 0."""
        return array("q", bytes(8 * number))

    def numbers(self, values: Iterable[int]) -> Numbers:
        """Cells that hold some numbers."""
        return array("q", values)

    def of_set(self, mask: Mask) -> Numbers:
        """The cells that hold a set."""
        return array("q", mask.to_bytes(8 * self.width, "little"))

    def set_in(self, numbers: Numbers, at: int) -> Mask:
        """The set that some of the cells hold."""
        return int.from_bytes(array("q", numbers[at : at + self.width]).tobytes(), "little")

    def of_sets(self, masks: Iterable[Mask]) -> Numbers:
        """The cells that hold some sets, one after another."""
        size = 8 * self.width
        return array("q", b"".join([mask.to_bytes(size, "little") for mask in masks]))


class IntCells:
    """Numbers of Python without bounds; a set is one of them."""

    width = 1

    def zeros(self, number: int) -> Numbers:
        """So many cells that hold 0."""
        return [0] * number

    def numbers(self, values: Iterable[int]) -> Numbers:
        """Cells that hold some numbers."""
        return list(values)

    def of_set(self, mask: Mask) -> Numbers:
        """The one cell that holds a set."""
        return [mask]

    def set_in(self, numbers: Numbers, at: int) -> Mask:
        """The set that one of the cells holds."""
        return numbers[at]

    def of_sets(self, masks: Iterable[Mask]) -> Numbers:
        """The cells that hold some sets, one after another."""
        return list(masks)


Cells = Int64Cells | IntCells
"""The cells of a memory; `width` of them hold a set."""


class KernelMemory(Protocol):
    """The memory of one game, and the kernel that works on it."""

    @property
    def cells(self) -> Cells: ...

    def __copy__(self) -> KernelMemory: ...

    def lay(self, table: Any) -> None:
        """Load another table, as the kernel's image has it; DoesNotFit if it needs too much."""
        ...

    def take(self, shape: Any) -> None:
        """Be for tables of a shape, of which each call brings the row."""
        ...

    def call(self, what: int, number: int, given: Sequence[int] = (), out: Any = None) -> int:
        """Call the kernel: what to do, a number, more numbers, and where to write some."""
        ...

    def bound(self, what: int) -> Callable[[int], int]:
        """The kernel bound to one thing to do with a number."""
        ...

    def row_saver(self, what: int, most: int) -> Callable[[], Any]:
        """A call that saves a game and returns its row, None if that is too small."""
        ...

    def row_loader(self, what: int) -> Callable[[Any], int]:
        """A call that loads a game from its row; how many moves it offers."""
        ...

    def call_with(self, what: int, number: int, given: Any, out: Any) -> int:
        """Call the kernel with two rooms of numbers that it may write to."""
        ...

    def room(self, size: int) -> Any:
        """Room for so many numbers to be written, each of them 0."""
        ...

    def number(self, at: int) -> int:
        """What lies at a place."""
        ...

    def numbers(self, at: int, size: int) -> list[int]:
        """What lies at so many places."""
        ...

    def set_at(self, at: int) -> Mask:
        """The set that lies at a place."""
        ...

    def part(self, at: int, size: int) -> Numbers:
        """A copy of so many cells."""
        ...

    def put(self, at: int, numbers: Sequence[int]) -> None:
        """Write some numbers."""
        ...

    def stream(self, at: int) -> int:
        """Where a stream of chance stands, 0 to 2**64 - 1."""
        ...

    def go_to(self, at: int, position: int) -> None:
        """Let a stream of chance go on from there."""
        ...
