"""The table as people count it: rows, odd ones half a hex to the right."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

Cell = tuple[int, int]
SIZE = 20

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


def is_on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


@lru_cache(maxsize=SIZE * SIZE)
def neighbours(cell: Cell) -> frozenset[Cell]:
    return frozenset(near for near in (step(cell, way) for way in WAYS) if is_on_board(near))


def touched(cells: Iterable[Cell]) -> set[Cell]:
    """The hexes next to any of these."""
    return {near for cell in cells for near in neighbours(cell)}


def is_rim(cell: Cell) -> bool:
    return cell[0] in (0, SIZE - 1) or cell[1] in (0, SIZE - 1)


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
