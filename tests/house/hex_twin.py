"""Hex as anybody would write it down: cells, colours and a union-find. It knows no engine.

Red joins the first row and the last, blue the first column and the last. Who plays which colour
is a matter of seats, so that a swap moves no stone.
"""

from __future__ import annotations

from typing import NamedTuple

SIZE = 11
RED, BLUE = "red", "blue"


class Cell(NamedTuple):
    """A cell of the rhombus, counted from 0."""

    row: int
    column: int


CELLS = [Cell(row, column) for row in range(SIZE) for column in range(SIZE)]
STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
NEAR = {
    cell: [Cell(cell.row + r, cell.column + c) for r, c in STEPS if
           0 <= cell.row + r < SIZE and 0 <= cell.column + c < SIZE]
    for cell in CELLS
}  # fmt: skip
BEFORE, BEHIND = Cell(-1, -1), Cell(SIZE, SIZE)  # what lies beyond the two sides of a colour


class Twin:
    """A game of Hex: `put` a stone, or `swap`."""

    def __init__(self) -> None:
        self.colours = [RED, BLUE]  # by seat
        self.stones: dict[Cell, str] = {}
        self.turn = 0
        self.has_swapped = False
        self.winner: int | None = None
        self._above: dict[tuple[str, Cell], tuple[str, Cell]] = {}

    @property
    def seat(self) -> int:
        """Who is to move."""
        return self.turn % 2

    @property
    def may_swap(self) -> bool:
        """Whether the second player is to answer the first stone."""
        return self.turn == 1

    def swap(self) -> None:
        """Change colours; the stone stays where it is."""
        self.colours.reverse()
        self.has_swapped = True
        self.turn += 1

    def put(self, cell: Cell) -> None:
        """Put a stone of the colour to move."""
        assert self.winner is None and cell not in self.stones
        colour = self.colours[self.seat]
        self.stones[cell] = colour
        for near in NEAR[cell]:
            if self.stones.get(near) == colour:
                self._join(colour, cell, near)
        along = cell.row if colour == RED else cell.column
        if along == 0:
            self._join(colour, cell, BEFORE)
        if along == SIZE - 1:
            self._join(colour, cell, BEHIND)
        if self._root((colour, BEFORE)) == self._root((colour, BEHIND)):
            self.winner = self.seat
        self.turn += 1

    def of(self, seat: int) -> set[Cell]:
        """The cells with a stone of a seat's colour."""
        return {cell for cell, colour in self.stones.items() if colour == self.colours[seat]}

    def _root(self, node: tuple[str, Cell]) -> tuple[str, Cell]:
        while node in self._above:
            above = self._above[node]
            if above in self._above:
                self._above[node] = self._above[above]
            node = above
        return node

    def _join(self, colour: str, one: Cell, other: Cell) -> None:
        first, second = self._root((colour, one)), self._root((colour, other))
        if first != second:
            self._above[first] = second


def name_of(cell: Cell) -> str:
    """The name of a cell on a grid whose odd rows lie half a hex to the right."""
    return f"{'abcdefghijklmnop'[cell.column + cell.row // 2]}{cell.row + 1}"
