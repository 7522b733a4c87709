"""Where the hexes of a board stand in a picture: pointy-top, further grids below the first.

Lengths are in the units of the picture, `RADIUS` of which lie between a middle and a corner.
"""

from __future__ import annotations

from math import cos, pi, sin

from kbrules.game.board import Board
from kbrules.hex.sets import Mask, bits

RADIUS = 20.0
"""From the middle of a hex to a corner."""
WIDTH = RADIUS * 3**0.5
"""From the middle of a hex to that of its neighbour."""
MARGIN = 30.0
_BETWEEN = 54.0  # between two grids: the words around each need room

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width and height."""


def centre(board: Board, hex: int) -> Point:
    """The middle of a hex; a further grid stands below the one before, in the same size."""
    part, row, column = board.grid.address(hex)
    top = MARGIN
    for each in board.grid.parts:
        if each.name == part:
            break
        top += RADIUS * (1.5 * each.height + 0.5) + _BETWEEN
    return MARGIN + WIDTH / 2 + (column + row % 2 / 2) * WIDTH, top + RADIUS + row * RADIUS * 1.5


def box_of(board: Board, hexes: Mask) -> Box:
    """The box around some hexes, of which there is one at least."""
    xs, ys = zip(*(centre(board, hex) for hex in bits(hexes)), strict=True)
    left, top = min(xs) - WIDTH / 2, min(ys) - RADIUS
    return left, top, max(xs) + WIDTH / 2 - left, max(ys) + RADIUS - top


def extent(board: Board) -> Point:
    """Width and height of a picture that has room for all hexes and a margin around them."""
    left, top, width, height = box_of(board, board.grid.full)
    return left + width + MARGIN, top + height + MARGIN


def corners(at: Point, scale: float = 1.0) -> str:
    """The corners of a hex around a middle, as the points of a polygon."""
    turns = (pi / 6 + pi / 3 * corner for corner in range(6))
    reach = RADIUS * scale
    return " ".join(f"{at[0] + reach * cos(t):.1f},{at[1] + reach * sin(t):.1f}" for t in turns)
