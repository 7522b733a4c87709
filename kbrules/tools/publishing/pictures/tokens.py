"""Pieces: the shape and colour of their player, with a shadow, and a letter or an icon upon it."""

from __future__ import annotations

from math import cos, pi, sin

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board
from kbrules.library.boards.positions import NOBODY
from kbrules.tools.publishing.pictures.icons import icon_svg
from kbrules.tools.publishing.pictures.layout import RADIUS
from kbrules.tools.publishing.pictures.styles import (
    PlayerStyle,
    style_of,
    text_colour,
    text_svg,
)

_TRIANGLE = 3
_ICON = 0.62
_HALO = 'fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="3"'
_SHADOW = 'fill="#000" fill-opacity=".4" transform="translate(.9 1.7)"'


def piece_svg(board: Board, player: int, piece: int) -> str:
    """A piece around the point 0, 0: the player's shape and letter, or what its kind shows.

    Kinds after the first have an icon, or else their letter, and a second outline.
    """
    style = style_of(player)
    body, ink = outline(style), text_colour(style.colour)
    rim = "#fff" if ink == "#fff" else "#000"
    return (
        f'<path d="{body}" {_SHADOW}/><path d="{body}" {_HALO}/>'
        f'<path d="{body}" fill="{style.colour}" stroke="#000" stroke-width="1.2"/>'
        f'<path d="{outline(style, 0.86)}" fill="none" stroke="{rim}" stroke-opacity=".3"/>'
        f"{_sign(board, player, piece, ink)}"
    )


def _sign(board: Board, player: int, piece: int, ink: str) -> str:
    """What a piece shows upon its shape."""
    kind, is_triangle = board.catalog.pieces[piece], style_of(player).corners == _TRIANGLE
    if kind.icon:
        at, scale = ((0, 2.6), _ICON * 0.8) if is_triangle else ((0, 0), _ICON)
        return icon_svg(kind.icon, scale, f'fill="{ink}"', at)
    low = RADIUS * (0.29 if is_triangle else 0.19)
    if player == NOBODY:
        letter = "#" if piece == _first_neutral(board) else f"#{kind.letter}"
        return text_svg((0, low), letter, RADIUS * 0.5, ink)
    letter, inner = player_name(player), ""
    if piece:
        letter = kind.letter
        path = outline(style_of(player), 0.76)
        inner = f'<path d="{path}" fill="none" stroke="{ink}" stroke-width=".8"/>'
    return inner + text_svg((0, low), letter, RADIUS * 0.54, ink)


def _first_neutral(board: Board) -> int:
    pieces = enumerate(board.catalog.pieces)
    return next((index for index, piece in pieces if piece.neutral), -1)


def outline(style: PlayerStyle, scale: float = 1.0) -> str:
    """The outline of a piece around the point 0, 0."""
    if not style.corners:
        size = RADIUS * 0.54 * scale
        arc = f"a{size:.1f} {size:.1f} 0 1 0"
        return f"M{-size:.1f} 0{arc} {2 * size:.1f} 0{arc} {-2 * size:.1f} 0z"
    size = RADIUS * (0.74 if style.corners == _TRIANGLE else 0.62) * scale
    step = 2 * pi / style.corners
    turns = (style.rotation - pi / 2 + step * corner for corner in range(style.corners))
    points = (f"{size * cos(t):.1f} {size * sin(t):.1f}" for t in turns)
    return f"M{' L'.join(points)}z"
