"""What is to be seen in a picture of a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kbrules.game.board import Board
from kbrules.hex.sets import Mask

CLOSED = "×"
"""The sign of a hex that is not offered; it is drawn as a cross over the whole hex."""

Pieces = Mapping[tuple[int, int], Mask]
"""Hexes by (player, piece), player -1 for nobody."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Hexes that rules speak of: what players call them, and an icon of `looks`, or none."""

    title: str
    icon: str
    hexes: Mask


@dataclass(frozen=True, slots=True)
class Picture:
    """A board, pieces by (player, piece), signs on some hexes, and badges of rules on some.

    `open` are hexes of any terrain, whatever the board says.
    """

    board: Board
    pieces: Pieces = field(default_factory=dict)
    marks: Mapping[str, Mask] = field(default_factory=dict)
    title: str = "Board"
    open: Mask = 0
    badges: tuple[Badge, ...] = ()
