"""A board as an SVG picture: terrain by colour, pattern and letter, players by colour and shape.

Everything that is told by a colour is told by a shape or a letter as well, and every hex has a
label that a screen reader speaks. Text from outside is escaped; nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from kbrules.game.board import Board
from kbrules.hex.masks import Mask, bits
from kbrules.hex.notation import column_letters
from kbrules.tools.publishing.pictures.labels import hex_label, letter_of, piece_label
from kbrules.tools.publishing.pictures.layout import (
    RADIUS,
    WIDTH,
    Point,
    centre,
    corners,
    extent,
)
from kbrules.tools.publishing.pictures.styles import (
    NO_COLOUR,
    OPEN,
    patterns,
    piece_svg,
    text_colour,
    text_svg,
)

__all__ = ["Picture", "board_svg", "hexes_svg"]

Pieces = Mapping[tuple[int, int], Mask]
Owner = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be seen: a board, pieces by (player, piece), and signs on some hexes.

    `open` are hexes of any terrain, whatever the board says.
    """

    board: Board
    pieces: Pieces = field(default_factory=dict)
    marks: Mapping[str, Mask] = field(default_factory=dict)
    title: str = "Board"
    open: Mask = 0


def board_svg(picture: Picture) -> str:
    """The picture as one SVG element, the same for the same picture."""
    board = picture.board
    width, height = extent(board)
    label = "; ".join(filter(None, (picture.title, board.note)))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'role="group" aria-label={quoteattr(label)} font-family="sans-serif">',
        f"<title>{escape(label)}</title>",
        hexes_svg(picture)[0],
        *_coordinates(board),
        *([text_svg((width / 2, height - 4), board.note, 9)] if board.note else []),
        "</svg>",
    ]
    return "\n".join(lines)


def hexes_svg(picture: Picture) -> tuple[str, tuple[float, float, float, float]]:
    """The hexes alone, to be put into another picture; and left, top, width and height of them."""
    board, hexes = picture.board, list(bits(picture.board.grid.full))
    owners = {hex: who for who, mask in picture.pieces.items() for hex in bits(mask)}
    parts = [f"<defs>{''.join(patterns(board))}</defs>"]
    parts += [_hex(picture, hex, owners.get(hex)) for hex in hexes]
    xs, ys = zip(*(centre(board, hex) for hex in hexes), strict=True)
    left, top = min(xs) - WIDTH / 2, min(ys) - RADIUS
    return "\n".join(parts), (left, top, max(xs) + WIDTH / 2 - left, max(ys) + RADIUS - top)


def _hex(picture: Picture, hex: int, owner: Owner | None) -> str:
    board, at = picture.board, centre(picture.board, hex)
    is_open = bool(picture.open >> hex & 1)
    colour = OPEN if is_open else board.catalog.hexes[board.kind_at(hex)].colour
    ink = text_colour(colour)
    parts = [*_ground(board, hex, colour, is_open)]
    if owner is not None:
        piece = piece_svg(board, *owner)
        parts.append(f'<g transform="translate({at[0]:.1f} {at[1]:.1f})">{piece}</g>')
    signs = [sign for sign, mask in picture.marks.items() if mask >> hex & 1]
    above = owner is not None
    parts += [part for sign in signs for part in _mark(sign, at, ink, above)]
    label = escape(", ".join(_label(picture, hex, owner, signs)))
    name = quoteattr(board.grid.name(hex))
    return f'<g role="img" data-hex={name}><title>{label}</title>{"".join(parts)}</g>'


def _ground(board: Board, hex: int, colour: str, is_open: bool) -> Iterator[str]:
    """The hex itself: its colour, the lines of its kind upon it, and the letter of that.

    The colour is not part of the pattern, which a printer would show as tiles with seams.
    """
    at = centre(board, hex)
    yield f'<polygon points="{corners(at)}" fill={quoteattr(colour or NO_COLOUR)} stroke="#555"/>'
    if not is_open:
        yield f'<polygon points="{corners(at)}" fill="url(#p{board.kind_at(hex)})"/>'
        low = at[0], at[1] + RADIUS * 0.84
        yield text_svg(low, letter_of(board, hex), RADIUS * 0.36, text_colour(colour))


def _mark(sign: str, at: Point, ink: str, above: bool) -> Iterator[str]:
    """A hex within the hex, and the sign in its middle, or above what stands there."""
    yield f'<polygon points="{corners(at, 0.86)}" fill="none" stroke="{ink}"/>'
    y, size = (-0.56, 0.36) if above else (0.2, 0.6)
    yield text_svg((at[0], at[1] + RADIUS * y), sign, RADIUS * size, ink)


def _label(picture: Picture, hex: int, owner: Owner | None, signs: list[str]) -> Iterator[str]:
    board, is_open = picture.board, picture.open >> hex & 1
    yield f"{board.grid.name(hex)}: any terrain" if is_open else hex_label(board, hex)
    if owner is not None:
        yield piece_label(board, *owner)
    yield from (f"marked {sign}" for sign in signs)


def _coordinates(board: Board) -> Iterator[str]:
    """The letters of columns above, the numbers of rows to the left, the names of grids."""
    for part in board.grid.parts:
        spots = {(r, c): centre(board, board.grid.index_at(r, c, part.name)) for r, c in part.hexes}
        left = min(x - (column + row % 2 / 2) * WIDTH for (row, column), (x, _) in spots.items())
        top = min(y for _, y in spots.values()) - RADIUS
        for row in sorted({row for row, _ in spots}):
            y = next(y for (r, _), (_, y) in spots.items() if r == row)
            yield text_svg((left - WIDTH / 2 - 12, y + 4), str(row + 1), 10)
        for column in sorted({column for _, column in spots}):
            yield text_svg((left + column * WIDTH, top - 6), column_letters(column), 10)
        if part.name:
            yield text_svg((left + 30, top - 18), part.name, 11)
