"""A board as an SVG picture: terrain by colour, texture and letter, players by colour and shape.

Everything that is told by a colour is told by a shape or a letter as well, and every hex has a
label that a screen reader speaks. Text from outside is escaped; nothing is loaded from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from kbrules.game.board import Board
from kbrules.hex.grid import column_letters
from kbrules.tools.publishing.pictures.hexes import Hexes, Symbols
from kbrules.tools.publishing.pictures.layout import (
    MARGIN,
    WIDTH,
    Box,
    Point,
    box_of,
    centre,
    extent,
)
from kbrules.tools.publishing.pictures.panels import PANEL_WIDTH, Panel, panels_svg
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.styles import FRAME, INK, LINE, text_svg

_FONT = "system-ui, sans-serif"
_BOTH_SIDES_FROM = 8  # so many rows or columns are counted on both sides
_NOTE_HEIGHT = 16
_ID = re.compile(r'(id="|href="#)')


def board_svg(picture: Picture, panels: Sequence[Panel] = ()) -> str:
    """The picture as one SVG element, the same for the same picture; panels stand beside it."""
    board = picture.board
    board_width, height = _size(board)
    panels_parts, panels_end = panels_svg(panels, board_width, MARGIN)
    width = board_width + (PANEL_WIDTH if panels else 0)
    height = max(height, panels_end if panels else 0)
    label = "; ".join(filter(None, (picture.title, board.note)))
    note = [text_svg((board_width / 2, height - 8), board.note, 9)] if board.note else []
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'role="group" aria-label={quoteattr(label)} font-family="{_FONT}">',
        f"<title>{escape(label)}</title>",
        f'<rect x="2" y="2" width="{width - 4:.1f}" height="{height - 4:.1f}" rx="9" '
        f'fill="{FRAME}" stroke="{LINE}" stroke-opacity=".5"/>',
        hexes_svg(picture)[0],
        *_coordinates(board),
        *note,
        *panels_parts,
        "</svg>",
    ]
    return "\n".join(lines)


def _size(board: Board) -> Point:
    """Width and height, with room for the note."""
    width, height = extent(board)
    return width, height + (_NOTE_HEIGHT if board.note else 0)


def hexes_svg(picture: Picture) -> tuple[str, Box]:
    """The hexes alone, to be put into another picture; and the box around them."""
    symbols = Symbols()
    elements = list(Hexes(picture, symbols).elements())
    box = box_of(picture.board, picture.board.grid.full)
    return "\n".join([symbols.definitions, *elements]), box


def with_id_prefix(svg: str, prefix: str) -> str:
    """The same with a prefix to its ids, so that several may stand in one page."""
    return _ID.sub(rf"\g<1>{prefix}-", svg)


def _coordinates(board: Board) -> Iterator[str]:
    """The letters of columns above, the numbers of rows to the left, the names of grids.

    A wide board has the numbers on the right as well, a high one the letters below.
    """
    titles = {grid.id: grid.title for grid in board.catalog.grids}
    for part in board.grid.parts:
        index_at = partial(board.grid.index_at, part=part.name)
        centres = {(r, c): centre(board, index_at(r, c)) for r, c in part.hexes}
        left, top, width, height = box_of(board, board.grid.part(part.name))
        for row in sorted({row for row, _ in centres}):
            y = next(y for (r, _), (_, y) in centres.items() if r == row) + 4
            yield text_svg((left - 12, y), str(row + 1), 10)
            if part.width >= _BOTH_SIDES_FROM:
                yield text_svg((left + width + 12, y), str(row + 1), 10)
        first = min(x - (column + row % 2 / 2) * WIDTH for (row, column), (x, _) in centres.items())
        for column in sorted({column for _, column in centres}):
            letters, lowest = column_letters(column), max(row for row, _ in centres) % 2 / 2
            yield text_svg((first + column * WIDTH, top - 6), letters, 10)
            if part.height >= _BOTH_SIDES_FROM:
                low = top + height + 13
                yield text_svg((first + (column + lowest) * WIDTH, low), letters, 10)
        if part.name:
            name = titles.get(part.name, part.name)
            attributes = f'x="{MARGIN:.1f}" y="{top - 27:.1f}" font-size="11" fill="{INK}"'
            yield f'<text {attributes} font-weight="bold" aria-hidden="true">{escape(name)}</text>'
