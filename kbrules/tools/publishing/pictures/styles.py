"""How players, pieces and kinds of hexes look: nothing is told by a colour alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from xml.sax.saxutils import escape

from kbrules.engine.logs.writer import player_name
from kbrules.game.board import Board
from kbrules.library.boards.positions import NOBODY
from kbrules.tools.publishing.pictures.layout import RADIUS

__all__ = [
    "NO_COLOUR",
    "OPEN",
    "PlayerStyle",
    "patterns",
    "piece_svg",
    "style_of",
    "text_colour",
    "text_svg",
]


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
    PlayerStyle("#d0342c", "red", 0, 0.0),
    PlayerStyle("#2462c8", "blue", 4, pi / 4),
    PlayerStyle("#f0f0f0", "white", 3, 0.0),
    PlayerStyle("#202020", "black", 4, 0.0),
    PlayerStyle("#f28e1c", "orange", 5, 0.0),
    PlayerStyle("#8e44ad", "purple", 6, 0.0),
)
_STONE = PlayerStyle("#777777", "grey", 8, pi / 8)
NO_COLOUR = "#dddddd"
OPEN = "#f4f1e8"
"""What a hex of any terrain looks like."""
_PATTERNS = (
    "M0 4h8", "M4 0v8", "M0 8L8 0", "M0 0L8 8", "M0 4h8M4 0v8", "M0 8L8 0M0 0L8 8",
    "M2 2h1M6 6h1", "M0 2q2 -2 4 0t4 0", "M0 6l4 -4l4 4", "M1 1h2v2h-2z", "M4 1v2M1 6h2",
    "M0 7h8M0 3h3", "M1 4h2M5 4h2M3 1h2", "M2 0v4M6 4v4", "M0 2h8M0 6h8", "M4 2l2 2l-2 2l-2 -2z",
    "M0 0L4 8L8 0",
)  # fmt: skip


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


def patterns(board: Board) -> Iterator[str]:
    """The lines on each kind of hex there is on a board, `p` and its index, without a ground."""
    for index, kind in enumerate(board.catalog.hexes):
        if board.kinds[index]:
            colour, path = kind.colour or NO_COLOUR, _PATTERNS[index % len(_PATTERNS)]
            yield (
                f'<pattern id="p{index}" width="8" height="8" patternUnits="userSpaceOnUse">'
                f'<path d="{path}" stroke="{text_colour(colour)}" stroke-opacity="0.2" '
                'fill="none"/>'
                "</pattern>"
            )


def piece_svg(board: Board, player: int, piece: int) -> str:
    """A piece around the point 0, 0: the player's shape and letter, or the letter of its kind.

    Kinds after the first have a second outline.
    """
    style, ink = style_of(player), text_colour(style_of(player).colour)
    letter = board.catalog.pieces[piece].letter if piece else player_name(player)
    if player == NOBODY:
        letter = "#" if piece == _first_neutral(board) else f"#{letter}"
    lines = [
        f'<path d="{_outline(style)}" fill="{style.colour}" stroke="#000" stroke-width="1.2"/>'
    ]
    if piece and player != NOBODY:
        inner = _outline(style, 0.78)
        lines.append(f'<path d="{inner}" fill="none" stroke="{ink}" stroke-width="0.8"/>')
    low = RADIUS * (0.27 if style.corners == 3 else 0.18)
    return "".join(lines) + text_svg((0, low), letter, RADIUS * 0.5, ink)


def _first_neutral(board: Board) -> int:
    pieces = enumerate(board.catalog.pieces)
    return next((index for index, piece in pieces if piece.neutral), -1)


def _outline(style: PlayerStyle, scale: float = 1.0) -> str:
    """The outline of a piece around the point 0, 0."""
    if not style.corners:
        size = RADIUS * 0.52 * scale
        arc = f"a{size:.1f} {size:.1f} 0 1 0"
        return f"M{-size:.1f} 0{arc} {2 * size:.1f} 0{arc} {-2 * size:.1f} 0z"
    size = RADIUS * (0.72 if style.corners == 3 else 0.6) * scale
    step = 2 * pi / style.corners
    turns = (style.rotation - pi / 2 + step * corner for corner in range(style.corners))
    points = (f"{size * cos(t):.1f} {size * sin(t):.1f}" for t in turns)
    return f"M{' L'.join(points)}z"


def text_svg(at: tuple[float, float], text: str, size: float, fill: str = "") -> str:
    """A word whose middle stands at a point; without a colour that of the words around it."""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'fill="{fill or "currentColor"}" aria-hidden="true">{escape(text)}</text>'
    )
