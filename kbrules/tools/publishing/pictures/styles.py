"""How players look, inks, and words in pictures: nothing is told by a colour alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import pi
from xml.sax.saxutils import escape

from kbrules.library.boards.positions import NOBODY


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """A player's colour, what it is called, and a shape: its corners and how far it is turned.

    A shape of no corners is a disc.
    """

    colour: str
    name: str
    corners: int
    rotation: float


_PLAYERS = (
    PlayerStyle("#c8281e", "red", 0, 0.0),
    PlayerStyle("#1450b8", "blue", 4, pi / 4),
    PlayerStyle("#f2f2ee", "white", 3, 0.0),
    PlayerStyle("#231f20", "black", 4, 0.0),
    PlayerStyle("#f2a02c", "orange", 5, 0.0),
    PlayerStyle("#b35bd6", "purple", 6, 0.0),
)
_STONE = PlayerStyle("#8a8a86", "grey", 8, pi / 8)
NO_COLOUR = "#dddddd"
OPEN = "#f4f1e8"
"""What a hex of any terrain looks like."""
FRAME, INK, LINE = "#efeadf", "#2f2b25", "#55524a"
"""Around the hexes; words upon it; between hexes. They are the same by day and by night."""


def style_of(player: int) -> PlayerStyle:
    """The style of a player's pieces, or of nobody's."""
    return _STONE if player == NOBODY else _PLAYERS[player % len(_PLAYERS)]


def text_colour(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour; on a named one black."""
    if not re.fullmatch("#[0-9a-f]{6}", colour):
        return "#000"
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "#000" if light > 0.179 else "#fff"  # where both have the same contrast


def text_svg(at: tuple[float, float], text: str, size: float, fill: str = INK) -> str:
    """A word whose middle stands at a point."""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'fill="{fill}" aria-hidden="true">{escape(text)}</text>'
    )
