"""The board as people count it: rows, odd ones half a hex to the right.

The island, which lies beside the table, has the rows from `ISLAND_TOP` on: far away, so that
nothing on it touches anything on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

Cell = tuple[int, int]
SIZE = 20

ISLAND_TOP = 100  # even, as the first row of the table is
ISLAND_ROWS = ((2, 5), (0, 5), (0, 6), (0, 5), (1, 5))
"""The first and the last column of each row of the island; its two sides have one outline."""
ISLAND = frozenset(
    (ISLAND_TOP + row, column)
    for row, (first, last) in enumerate(ISLAND_ROWS)
    for column in range(first, last + 1)
)

EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST = WAYS = range(6)


def step(cell: Cell, way: int) -> Cell:
    """The next hex that way, which may be off the board."""
    row, column = cell
    right = row % 2  # on odd rows both hexes below and above lie further to the right
    return {
        EAST: (row, column + 1),
        SOUTH_EAST: (row + 1, column + right),
        SOUTH_WEST: (row + 1, column - 1 + right),
        WEST: (row, column - 1),
        NORTH_WEST: (row - 1, column - 1 + right),
        NORTH_EAST: (row - 1, column + right),
    }[way]


def is_on_table(cell: Cell) -> bool:
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


def is_on_board(cell: Cell) -> bool:
    return is_on_table(cell) or cell in ISLAND


@lru_cache(maxsize=SIZE * SIZE + len(ISLAND))
def neighbours(cell: Cell) -> frozenset[Cell]:
    return frozenset(near for near in (step(cell, way) for way in WAYS) if is_on_board(near))


def touched(cells: Iterable[Cell]) -> set[Cell]:
    """The hexes next to any of these."""
    return {near for cell in cells for near in neighbours(cell)}


def is_rim(cell: Cell) -> bool:
    """Whether it is at the edge of the table; the island has no edge of the board."""
    return is_on_table(cell) and (cell[0] in (0, SIZE - 1) or cell[1] in (0, SIZE - 1))


def areas(cells: Iterable[Cell]) -> list[set[Cell]]:
    """The connected groups."""
    left, found = set(cells), []
    while left:
        area, waiting = set(), [left.pop()]
        while waiting:
            cell = waiting.pop()
            area.add(cell)
            fresh = neighbours(cell) & left
            left -= fresh
            waiting += fresh
        found.append(area)
    return found
