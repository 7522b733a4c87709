"""A board as an SVG picture: hexes, pieces, signs, what stands beside it, and the key to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from markupsafe import Markup

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board, HexKind
from kbrules.game.state import State
from kbrules.hex.grid import column_letters
from kbrules.hex.sets import Mask, bits, mask_of
from kbrules.library.boards.positions import NOBODY, drawn_tiles
from kbrules.tools.narration import ScoreHistory, holdings
from kbrules.tools.pictures.drawings import (
    FRAME,
    INK,
    LEADING,
    LINE,
    MARGIN,
    NO_COLOUR,
    OPEN,
    RADIUS,
    WIDTH,
    Box,
    Point,
    box_of,
    centre,
    corners,
    extent,
    fit_text,
    icon_svg,
    piece_svg,
    style_of,
    text_colour,
    text_svg,
    texture_names,
    texture_svg,
)
from kbrules.tools.reports.page import fill_template, html_page, source

# What stands on a hex and what is said of it aloud, in the words of the boxes.


_MAX_INITIALS = 3


def initials(board: Board) -> Mapping[int, str]:
    """Return for each kind of tile on a board the beginning of its title, as no other has it."""
    titles = {tile: board.catalog.tiles[tile].title for tile in sorted(set(board.tiles.values()))}
    return {tile: _initials_of(title, list(titles.values())) for tile, title in titles.items()}


def _initials_of(title: str, titles: list[str]) -> str:
    lengths = (n for n in range(1, _MAX_INITIALS) if sum(t[:n] == title[:n] for t in titles) == 1)
    return title[: next(lengths, _MAX_INITIALS)]


def hex_label(board: Board, hex: int) -> str:
    """A hex without what stands on it: its name, its kind, its tile."""
    words = f"{board.grid.name(hex)}: {board.catalog.hexes[board.kind_at(hex)].title}"
    if hex not in board.tiles:
        return words
    return f"{words}, {board.catalog.tiles[board.tiles[hex]].title}"


def piece_label(board: Board, player: int, piece: int) -> str:
    """A piece and whose it is, with its colour."""
    owner = "nobody" if player == NOBODY else f"player {player_name(player)}"
    return f"{style_of(player).name} {board.catalog.pieces[piece].title} of {owner}"


def player_label(player: int) -> str:
    """A player by letter and colour."""
    return f"player {player_name(player)}, {style_of(player).name}"


# What is to be seen in a picture of a board.


CLOSED = "×"
"""The sign of a hex that is not offered; it is drawn as a cross over the whole hex."""

Pieces = Mapping[tuple[int, int], Mask]
"""Hexes by (player, piece), player -1 for nobody."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Hexes that rules speak of: what players call them, and an `Icon`, or none."""

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


# The hexes of a picture, each with its ground, its letter, its piece, its signs and its label.


Owner = tuple[int, int]
_LETTER_HEIGHT, _LETTER_SIZE, _INITIALS_SIZE = 0.8, 0.34, 0.44
_BADGES = (-0.62, -0.36), (0.62, -0.36), (-0.62, 0.36), (0.62, 0.36)  # corners of a hex
_CROSS = "".join(
    f'<path d="M-9-9 9 9M-9 9 9-9" stroke="{colour}" stroke-width="{width}"/>'
    for colour, width in (("#fff", 6), ("#a3161a", 3))
)


class Hexes:
    """Draws the hexes of one picture; what occurs many times goes to its symbols."""

    def __init__(self, picture: Picture, symbols: Symbols) -> None:
        self._picture, self._symbols = picture, symbols
        self._board: Board = picture.board
        self._textures = texture_names(self._board.catalog.hexes)
        self._initials = initials(self._board)
        owned = picture.pieces.items()
        self._owners = {hex: owner for owner, mask in owned for hex in bits(mask)}

    def elements(self) -> Iterator[str]:
        """Each hex as a group, in board order, then the lines between them."""
        yield f'<g font-size="{RADIUS * _LETTER_SIZE:g}" text-anchor="middle">'
        for hex in bits(self._board.grid.full):
            yield self._hex(hex)
        yield "</g>"
        yield f'<path d="{self._lines()}" fill="none" stroke="{LINE}" pointer-events="none"/>'

    def _hex(self, hex: int) -> str:
        at, owner = centre(self._board, hex), self._owners.get(hex)
        parts = [*self._ground(hex, at, owner is not None)]
        if owner is not None:
            piece = piece_svg(self._board, *owner)
            parts.append(self._symbols.use(piece, at, ' class="piece"'))
        parts += [*self._badges(hex, at), *self._marks(hex, at, owner is not None)]
        label = escape(", ".join(self._label(hex, owner)))
        name = quoteattr(self._board.grid.name(hex))
        return f'<g role="img" data-hex={name}><title>{label}</title>{"".join(parts)}</g>'

    def _kind(self, hex: int) -> HexKind:
        return self._board.catalog.hexes[self._board.kind_at(hex)]

    def _is_open(self, hex: int) -> bool:
        return bool(self._picture.open >> hex & 1)

    def _colour(self, hex: int) -> str:
        return OPEN if self._is_open(hex) else self._kind(hex).colour or NO_COLOUR

    def _ground(self, hex: int, at: Point, is_covered: bool) -> Iterator[str]:
        """The hex itself: its colour, what is drawn upon that, and its letter."""
        colour = self._colour(hex)
        yield f'<polygon points="{corners(at)}" fill={quoteattr(colour)}/>'
        if self._is_open(hex):
            return
        ink, kind = text_colour(colour), self._kind(hex)
        texture = self._textures[self._board.kind_at(hex)]
        yield self._symbols.use(texture_svg(texture, ink), at)
        if kind.icon:
            yield self._symbols.use(icon_on_hex(kind.icon), at)
        yield self._letter(hex, at, ink, bool(kind.icon) and not is_covered)

    def _letter(self, hex: int, at: Point, ink: str, is_on_icon: bool) -> str:
        """The letter below, in the size of most; that of an icon in its middle, larger."""
        tile = self._board.tiles.get(hex)
        text = escape(self._kind(hex).letter if tile is None else self._initials[tile])
        low = 0.33 if is_on_icon else _LETTER_HEIGHT
        more = f' font-size="{RADIUS * _INITIALS_SIZE:g}" font-weight="bold"' if is_on_icon else ""
        fill = f' fill="{ink}"' if ink != "#000" else ""
        return f'<text x="{at[0]:.1f}" y="{at[1] + RADIUS * low:.1f}"{more}{fill}>{text}</text>'

    def _badges(self, hex: int, at: Point) -> Iterator[str]:
        """The icons of marks of the boxes, a corner for each."""
        with_icon = [badge for badge in self._picture.badges if badge.icon]
        for badge, (right, down) in zip(with_icon, _BADGES, strict=False):
            if badge.hexes >> hex & 1:
                corner = at[0] + right * RADIUS, at[1] + down * RADIUS
                yield self._symbols.use(badge_svg(badge.icon), corner)

    def _marks(self, hex: int, at: Point, is_covered: bool) -> Iterator[str]:
        """A hex within the hex, and the sign in its middle, or above what stands there."""
        ink = text_colour(self._colour(hex))
        y, size = (-0.56, 0.36) if is_covered else (0.2, 0.6)
        for sign in self._signs(hex):
            if sign == CLOSED:
                yield self._symbols.use(_CROSS, at)
                continue
            yield f'<polygon points="{corners(at, 0.86)}" fill="none" stroke="{ink}"/>'
            yield text_svg((at[0], at[1] + RADIUS * y), sign, RADIUS * size, ink)

    def _signs(self, hex: int) -> list[str]:
        return [sign for sign, mask in self._picture.marks.items() if mask >> hex & 1]

    def _label(self, hex: int, owner: Owner | None) -> Iterator[str]:
        name = self._board.grid.name(hex)
        yield f"{name}: any terrain" if self._is_open(hex) else hex_label(self._board, hex)
        if owner is not None:
            yield piece_label(self._board, *owner)
        yield from (b.title for b in self._picture.badges if b.hexes >> hex & 1)
        yield from (f"marked {sign}" for sign in self._signs(hex))

    def _lines(self) -> str:
        """The outlines of all hexes as one path."""
        half = f"{RADIUS * 0.75**0.5:.1f}"
        shape = f"l{half} 10v20l-{half} 10l-{half}-10v-20z"
        middles = (centre(self._board, hex) for hex in bits(self._board.grid.full))
        return "".join(f"M{x:.1f} {y - RADIUS:.1f}{shape}" for x, y in middles)


def icon_on_hex(icon: str) -> str:
    """An icon that leaves room for a letter."""
    return icon_svg(icon, 1, f'fill="#fff" fill-opacity=".75" stroke="{INK}" stroke-width="1.1"')


def badge_svg(icon: str) -> str:
    """An icon in a small disc around the point 0, 0."""
    disc = f'<circle r="5.6" fill="#fff" stroke="{INK}" stroke-width=".9"/>'
    return disc + icon_svg(icon, 0.34, f'fill="{INK}"')


class Symbols:
    """Drawings that occur many times in one picture: written once, and used by name.

    A name is made of what is drawn, so that several pictures may stand on one page.
    """

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}

    def use(self, drawing: str, at: tuple[float, float], more: str = "") -> str:
        """A drawing around the point 0, 0, put at a point; empty if it is."""
        if not drawing:
            return ""
        name = self._drawn.get(drawing)
        if name is None:
            name = "k" + blake2b(drawing.encode(), digest_size=4).hexdigest()
            self._drawn[drawing] = name
        return f'<use{more} href="#{name}" x="{at[0]:.1f}" y="{at[1]:.1f}"/>'

    @property
    def definitions(self) -> str:
        """All drawings with their names."""
        drawn = "".join(f'<g id="{name}">{drawing}</g>' for drawing, name in self._drawn.items())
        return f"<defs>{drawn}</defs>"


# The key to a picture: what its hexes, letters, icons and pieces mean, each with a drawing.


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A drawing around the point 0, 0, in the size of a hex, or none; words; and numbers, each
    under the one above."""

    words: str
    drawing: str = ""
    cells: tuple[str, ...] = ()


def legend_of_picture(picture: Picture) -> Iterator[PanelRow]:
    """The terrains and places, the tiles on these, the pieces that show an icon, the badges."""
    board = picture.board
    yield from _kinds(board)
    yield from _tiles(board)
    for piece in board.catalog.pieces:
        if piece.icon:
            yield PanelRow(piece.title, _scaled(badge_svg(piece.icon)))
    for badge in picture.badges:
        if badge.icon:
            yield PanelRow(badge.title, _scaled(badge_svg(badge.icon)))


def _scaled(drawing: str) -> str:
    return f'<g transform="scale(2.4)">{drawing}</g>'


def _kinds(board: Board) -> Iterator[PanelRow]:
    """The kinds of hexes there are, but for those of which each has a tile."""
    textures = texture_names(board.catalog.hexes)
    without_tiles = board.grid.full & ~mask_of(board.tiles)
    for kind, mask, texture in zip(board.catalog.hexes, board.kinds, textures, strict=True):
        if mask & without_tiles:
            yield PanelRow(kind.title, _swatch(kind, kind.letter, texture))


def _tiles(board: Board) -> Iterator[PanelRow]:
    """The tiles, and where those lie that chance put there."""
    drawn, textures = drawn_tiles(board), texture_names(board.catalog.hexes)
    for tile, sign in initials(board).items():
        places = [hex for hex in board.places if board.tiles[hex] == tile]
        where = ", ".join(board.grid.name(hex) for hex in places if hex in drawn)
        title = board.catalog.tiles[tile].title
        kind = board.catalog.hexes[board.kind_at(places[0])]
        words = f"{title} ({where})" if where else title
        yield PanelRow(words, _swatch(kind, sign, textures[board.kind_at(places[0])]))


def _swatch(kind: HexKind, sign: str, texture: str) -> str:
    """A hex of a kind around the point 0, 0."""
    colour = kind.colour or NO_COLOUR
    ink, low = text_colour(colour), 0.33 if kind.icon else 0.8
    size = RADIUS * (0.44 if kind.icon else 0.34)
    hex = f'<polygon points="{corners((0, 0))}" fill={quoteattr(colour)} stroke="{LINE}"/>'
    icon = icon_on_hex(kind.icon) if kind.icon else ""
    letter = text_svg((0, RADIUS * low), sign, size, ink)
    return hex + texture_svg(texture, ink) + icon + letter


# What can stand beside a board in a picture: the key, the players, the score.


PANEL_WIDTH = 270.0
_TEXT, _HEAD, _GAP = 10.5, 13.0, 5.0
_DRAWING, _CELL, _EDGE = 26.0, 26.0, 14.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A heading with rows below it, in columns that are read one after the other."""

    title: str
    rows: tuple[PanelRow, ...]
    columns: int = 1

    @property
    def width(self) -> float:
        """How wide a column is."""
        return (PANEL_WIDTH - _EDGE) / self.columns


def legend(picture: Picture) -> Panel:
    """The key to a picture."""
    return Panel("On the board", tuple(legend_of_picture(picture)), 2)


def players(game: Game, state: State) -> Panel:
    """The players with their colours, and what they hold that all may see."""
    held = ("; ".join(holdings(game, state, player)) for player in range(game.players))
    rows = (
        PanelRow(": ".join(filter(None, (player_label(p), words))), piece_svg(game.board, p, 0))
        for p, words in enumerate(held)
    )
    return Panel("Players", tuple(rows))


def score(game: Game, state: State) -> Panel:
    """The gold of each player by rule and card, as if the game ended there."""
    history = ScoreHistory([game.score(state)])
    (columns,) = history.columns()
    names = tuple(player_name(player) for player in range(game.players))
    lines = zip(history.titles, zip(*columns, strict=True), strict=True)
    rows = (PanelRow(title, cells=tuple(map(str, cells))) for title, cells in lines)
    title = "Score" if state.is_over else "If the game ended here"
    return Panel(title, (PanelRow("", cells=names), *rows))


def panels_svg(panels: Sequence[Panel], left: float, top: float) -> tuple[list[str], float]:
    """The panels one below the other from a point on, and how far down they reach."""
    parts: list[str] = []
    for panel in panels:
        parts.append(_text(left, top + _HEAD, panel.title, _HEAD, "start", ' font-weight="bold"'))
        rows_top = lowest = top + _HEAD + 2 * _GAP
        size = ceil(len(panel.rows) / panel.columns)
        for column in range(panel.columns):
            top = rows_top
            for row in panel.rows[column * size : (column + 1) * size]:
                parts += _row(row, left + column * panel.width, top, panel.width)
                top += _height(row, panel.width) + _GAP
            lowest = max(lowest, top)
        top = lowest + 2 * _GAP
    return parts, top


def _lines(row: PanelRow, width: float) -> tuple[str, ...]:
    """The words of a row as lines that leave room for the rest of it."""
    room = width - (_DRAWING if row.drawing else 0) - _CELL * len(row.cells)
    return fit_text(row.words, room, 1000, _TEXT).lines


def _height(row: PanelRow, width: float) -> float:
    return max(20.0 if row.drawing else 0.0, max(1, len(_lines(row, width))) * _TEXT * LEADING)


def _row(row: PanelRow, left: float, top: float, width: float) -> Iterator[str]:
    lines, high = _lines(row, width), _height(row, width)
    if row.drawing:
        middle = f"{left + 10:.1f} {top + high / 2:.1f}"
        yield f'<g transform="translate({middle}) scale(.5)">{row.drawing}</g>'
    start = left + (_DRAWING if row.drawing else 0)
    first = top + (high - len(lines) * _TEXT * LEADING) / 2 + _TEXT
    for number, line in enumerate(lines):
        yield _text(start, first + number * _TEXT * LEADING, line, _TEXT, "start")
    right = left + width
    for number, cell in enumerate(reversed(row.cells)):
        yield _text(right - number * _CELL, top + _TEXT, cell, _TEXT, "end")
    if row.cells:
        low = top + high + _GAP / 2
        yield f'<path d="M{left:.1f} {low:.1f}H{right:.1f}" stroke="{LINE}" stroke-opacity=".3"/>'


def _text(x: float, y: float, text: str, size: float, anchor: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{INK}"{more}>{escape(text)}</text>'
    )


# A board as an SVG picture: terrain by colour, texture and letter, players by colour and shape.
#
# Everything that is told by a colour is told by a shape or a letter as well, and every hex has a
# label that a screen reader speaks. Text from outside is escaped; nothing is loaded from anywhere.


_FONT = "system-ui, sans-serif"
_BOTH_SIDES_FROM = 8  # so many rows or columns are counted on both sides
_NOTE_HEIGHT = 16
_ID = re.compile(r'(id="|href="#)')


def board_svg(picture: Picture, panels: Sequence[Panel] = ()) -> str:
    """The picture as one SVG element, the same for the same picture; panels stand beside it."""
    board = picture.board
    board_width, height = extent(board)
    height += _NOTE_HEIGHT if board.note else 0
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


# A page with the picture of a board and the key to it.


def picture_page(picture: Picture, language: str = "") -> str:
    """A page with one picture and the key to it; language: that of the titles of a box."""
    values = board_values(picture) | {"language": language}
    body = fill_template("pictures/picture.html", title=picture.title, **values)
    return html_page(picture.title, body, source("page.css") + source("pictures/board.css"))


def board_values(picture: Picture) -> dict[str, Any]:
    """What a page shows of a board: the drawing, the key to it, and a note on its maps."""
    box = f"{-RADIUS - 1:g} {-RADIUS - 1:g} {2 * RADIUS + 2:g} {2 * RADIUS + 2:g}"
    swatch = f'<svg viewBox="{box}" aria-hidden="true">%s</svg>'  # told by its words alone
    rows = legend_of_picture(picture)
    legend = [(Markup(swatch % row.drawing), row.words) for row in rows]
    return {"board": Markup(board_svg(picture)), "legend": legend, "note": picture.board.note}
