"""Where the hexes of a board stand in a picture: pointy-top, further grids to the right.

Lengths are in the units of the picture, `RADIUS` of which lie between a middle and a corner.
"""

from __future__ import annotations

from math import cos, pi, sin

from kbrules.game.board import Board
from kbrules.hex.masks import bits

__all__ = ["MARGIN", "RADIUS", "WIDTH", "Point", "centre", "corners", "extent"]

RADIUS = 20.0
"""From the middle of a hex to a corner."""
WIDTH = RADIUS * 3**0.5
"""From the middle of a hex to that of its neighbour."""
MARGIN = 30.0
_BETWEEN = 1.5  # hexes that are left free between two grids

Point = tuple[float, float]


def centre(board: Board, hex: int) -> Point:
    """The middle of a hex; further grids stand to the right of the ones before."""
    part, row, column = board.grid.address(hex)
    left = MARGIN + WIDTH / 2
    for each in board.grid.parts:
        if each.name == part:
            break
        left += (each.width + _BETWEEN) * WIDTH
    return left + (column + row % 2 / 2) * WIDTH, MARGIN + RADIUS + row * RADIUS * 1.5


def extent(board: Board) -> Point:
    """Width and height of a picture that has room for all hexes and a margin around them."""
    middles = [centre(board, hex) for hex in bits(board.grid.full)]
    width = max(x for x, _ in middles) + WIDTH / 2 + MARGIN
    return width, max(y for _, y in middles) + RADIUS + MARGIN


def corners(at: Point, scale: float = 1.0) -> str:
    """The corners of a hex around a middle, as the points of a polygon."""
    turns = (pi / 6 + pi / 3 * corner for corner in range(6))
    reach = RADIUS * scale
    return " ".join(f"{at[0] + reach * cos(t):.1f},{at[1] + reach * sin(t):.1f}" for t in turns)
