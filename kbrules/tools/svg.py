"""A board as an SVG picture: terrain by colour, pattern and letter, players by colour and shape.

Everything that is told by a colour is told by a shape or a letter as well, and every hex has a
label that a screen reader speaks. Text from outside is escaped; nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from xml.sax.saxutils import escape, quoteattr

from kbrules.engine.log import player_name
from kbrules.game.board import Board
from kbrules.game.things import HexKind
from kbrules.hex.masks import Mask, bits
from kbrules.hex.names import column_letters
from kbrules.library.positions import NOBODY, legend_of

__all__ = ["RADIUS", "Picture", "board_svg", "centre"]

RADIUS = 20.0
"""From the middle of a hex to a corner, in the units of the picture."""
WIDTH = RADIUS * 3**0.5
MARGIN = 30.0
_PLAYERS = ("#d0342c", "#2462c8", "#f0f0f0", "#202020", "#f28e1c", "#8e44ad")
_SHAPES = ((0, 0.0), (4, pi / 4), (3, 0.0), (4, 0.0), (5, 0.0), (6, 0.0))
"""How many corners the pieces of each player have, 0 for a disc, and how far they are turned."""
_STONE = (8, pi / 8)
_PATTERNS = (
    "M0 4h8", "M4 0v8", "M0 8L8 0", "M0 0L8 8", "M0 4h8M4 0v8", "M0 8L8 0M0 0L8 8",
    "M2 2h1M6 6h1", "M0 2q2 -2 4 0t4 0", "M0 6l4 -4l4 4", "M1 1h2v2h-2z", "M4 1v2M1 6h2",
    "M0 7h8M0 3h3", "M1 4h2M5 4h2M3 1h2", "M2 0v4M6 4v4", "M0 2h8M0 6h8", "M4 2l2 2l-2 2l-2 -2z",
    "M0 0L4 8L8 0",
)  # fmt: skip

Pieces = Mapping[tuple[int, int], Mask]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be seen: a board, pieces by (player, piece), and signs on some hexes."""

    board: Board
    pieces: Pieces
    signs: Mapping[str, Mask]
    title: str = "Board"


def board_svg(picture: Picture) -> str:
    """The picture as one SVG element, the same for the same picture."""
    board = picture.board
    hexes = list(bits(board.grid.full))
    places = {hex: centre(board, hex) for hex in hexes}
    width = max(x for x, _ in places.values()) + WIDTH / 2 + MARGIN
    height = max(y for _, y in places.values()) + RADIUS + MARGIN
    label = "; ".join(filter(None, (picture.title, board.note)))
    owners = {hex: who for who, mask in picture.pieces.items() for hex in bits(mask)}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'role="img" aria-label={quoteattr(label)} font-family="sans-serif">',
        f"<title>{escape(label)}</title>",
        f"<defs>{''.join(_patterns(board))}</defs>",
        *(_hex(picture, hex, places[hex], owners.get(hex)) for hex in hexes),
        *_frame(board, places),
        *([_text(width / 2, height - 4, board.note, 9)] if board.note else []),
        "</svg>",
    ]
    return "\n".join(lines)


def centre(board: Board, hex: int) -> Point:
    """The middle of a hex; further grids stand to the right of the ones before."""
    part, row, column = board.grid.place(hex)
    left = MARGIN + WIDTH / 2
    for each in board.grid.parts:
        if each.name == part:
            break
        left += (each.width + 1.5) * WIDTH
    return left + (column + row % 2 / 2) * WIDTH, MARGIN + RADIUS + row * RADIUS * 1.5


def _patterns(board: Board) -> Iterator[str]:
    for index, kind in enumerate(board.catalog.hexes):
        if board.kinds[index]:
            path = _PATTERNS[index % len(_PATTERNS)]
            yield (
                f'<pattern id="p{index}" width="8" height="8" patternUnits="userSpaceOnUse">'
                f'<rect width="8" height="8" fill={quoteattr(kind.colour or "#dddddd")}/>'
                f'<path d="{path}" stroke="#000" stroke-opacity="0.18" fill="none"/></pattern>'
            )


def _hex(picture: Picture, hex: int, at: Point, owner: tuple[int, int] | None) -> str:
    board = picture.board
    index = board.kind_at(hex)
    kind = board.catalog.hexes[index]
    parts = [f'<polygon points="{_corners(at)}" fill="url(#p{index})" stroke="#555"/>']
    parts.append(_text(at[0], at[1] + RADIUS * 0.8, _letter(board, hex, kind), RADIUS * 0.36))
    if owner is not None:
        parts.append(_piece(board, owner, at))
    signs = [sign for sign, mask in picture.signs.items() if mask >> hex & 1]
    for sign in signs:
        parts.append(f'<polygon points="{_corners(at, 0.86)}" fill="none" stroke="#000"/>')
        parts.append(_text(at[0] + RADIUS * 0.5, at[1] - RADIUS * 0.3, sign, RADIUS * 0.5))
    label = escape(_label(board, hex, kind, owner, signs))
    name = quoteattr(board.grid.name(hex))
    return f"<g data-hex={name}><title>{label}</title>{''.join(parts)}</g>"


def _letter(board: Board, hex: int, kind: HexKind) -> str:
    """What stands on a hex: the letter of its kind, or the digit of its tile."""
    if hex in board.tiles:
        id = board.catalog.tiles[board.tiles[hex]].id
        return next((d for d, tile in legend_of(board).items() if tile == id), kind.letter)
    return kind.letter


def _label(
    board: Board, hex: int, kind: HexKind, owner: tuple[int, int] | None, signs: list[str]
) -> str:
    words = [f"{board.grid.name(hex)}: {kind.title}"]
    if hex in board.tiles:
        words.append(board.catalog.tiles[board.tiles[hex]].title)
    if owner is not None:
        player, piece = owner
        whose = "nobody" if player == NOBODY else f"player {player_name(player)}"
        words.append(f"{board.catalog.pieces[piece].title} of {whose}")
    return ", ".join([*words, *(f"marked {sign}" for sign in signs)])


def _corners(at: Point, scale: float = 1.0) -> str:
    """The corners of a hex that stands on a point."""
    turns = (pi / 6 + pi / 3 * corner for corner in range(6))
    reach = RADIUS * scale
    return " ".join(f"{at[0] + reach * cos(t):.1f},{at[1] + reach * sin(t):.1f}" for t in turns)


# Pieces: each player has a shape and a colour of their own


def _piece(board: Board, owner: tuple[int, int], at: Point) -> str:
    player, piece = owner
    fill = "#777777" if player == NOBODY else _PLAYERS[player % len(_PLAYERS)]
    ink = "#000" if fill in ("#f0f0f0", "#f28e1c") else "#fff"
    letter = board.catalog.pieces[piece].letter if piece else player_name(player)
    if player == NOBODY:
        letter = "#"
    shape = f'<path d="{_shape(player, at)}" fill="{fill}" stroke="#000" stroke-width="1.2"/>'
    return shape + _text(at[0], at[1] + RADIUS * 0.18, letter, RADIUS * 0.5, ink)


def _shape(player: int, at: Point) -> str:
    """The outline of a piece; nobody's are octagons."""
    corners, turned = _STONE if player == NOBODY else _SHAPES[player % len(_SHAPES)]
    x, y = at
    if not corners:
        size = RADIUS * 0.52
        arc = f"a{size:.1f} {size:.1f} 0 1 0"
        return f"M{x - size:.1f} {y:.1f}{arc} {2 * size:.1f} 0{arc} {-2 * size:.1f} 0z"
    size = RADIUS * (0.72 if corners == 3 else 0.6)
    turns = (turned - pi / 2 + 2 * pi * corner / corners for corner in range(corners))
    points = (f"{x + size * cos(t):.1f} {y + size * sin(t):.1f}" for t in turns)
    return f"M{' L'.join(points)}z"


def _text(x: float, y: float, text: str, size: float, fill: str = "#000") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'fill="{fill}" aria-hidden="true">{escape(text)}</text>'
    )


def _frame(board: Board, places: Mapping[int, Point]) -> Iterator[str]:
    """The letters of columns above, the numbers of rows to the left."""
    for part in board.grid.parts:
        named = {(r, c): places[board.grid.bit(r, c, part.name)] for r, c in part.hexes}
        left = min(x for x, _ in named.values()) - WIDTH / 2
        top = min(y for _, y in named.values()) - RADIUS
        for row in sorted({row for row, _ in named}):
            y = next(y for (r, _), (_, y) in named.items() if r == row)
            yield _text(left - 12, y + 4, str(row + 1), 10)
        for column in sorted({column for _, column in named}):
            x = left + WIDTH / 2 + column * WIDTH
            yield _text(x, top - 6, column_letters(column), 10)
        if part.name:
            yield _text(left + 30, top - 18, part.name, 11)
