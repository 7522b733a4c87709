"""What is drawn and where: colours, textures, icons, fitted words; and SVG as PNG and PDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import cos, pi, sin
from typing import Any
from unicodedata import combining, east_asian_width, normalize
from xml.sax.saxutils import escape

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import TEXTURES, Board, HexKind
from kbrules.hex.sets import Mask, bits
from kbrules.library.boards.positions import NOBODY
from kbrules.tools.processes import MissingExtra

# Where the hexes of a board stand in a picture: pointy-top, further grids below the first.
#
# Lengths are in the units of the picture, `RADIUS` of which lie between a middle and a corner.


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


# How players look, inks, and words in pictures: nothing is told by a colour alone.


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


# What is drawn upon the colour of a hex: lines and surfaces around the point 0, 0.
#
# They keep off the middle of the lowest part, where the letter stands.


_PLAIN = "plain"
_DOT = "m-.9 0a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0z"
_PETALS = "".join(
    f"m{x} {y}a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0z"
    for x, y in ((-3.7, 0), (4, 0), (-2, -2), (0, 4))
)


def _at(shape: str, *spots: tuple[float, float]) -> str:
    """The same shape, written from its beginning on, at some spots."""
    return "".join(f"M{x} {y}{shape}" for x, y in spots)


_FOUR = (-9, -5), (7, -8), (10, 4), (-7, 8)
_LINES = {
    "tufts": _at("l-2.2-4m2.2 4v-6m0 6l2.2-4", (-9, -4), (4, -10), (11, 2), (-1, 3), (-10, 8)),
    "strata": "M-6-14l4 1.5l5-1.5l4 1M-15-7l6-2l6 2l7-2.5l10 2M-16 0l7 2l8-3l7 3l9-2"
    "M-15 7l5-2l6 2l8-2l10 2",
    "waves": _at("q3-3.6 6 0t6 0", (-6, -11), (-15, -3), (1, -3), (-12, 6), (2, 6)),
    "furrows": "M-15-4L2-14M-16 3L12-13M-15 9L15-8M-8 12L16-1M7 10L16 5",
    "reeds": _at("v-7m-2 7l-1.6-4.5m5 4.5l1.6-5.5m-8 8h9", (-8, -2), (6, -6), (9, 6), (-8, 9)),
    "scales": _at("q4-6 8 0", (-4, -11), (-12, -5), (-4, -5), (4, -5), (-16, 2), (-8, 2), (0, 2),
                  (8, 2), (-12, 9), (4, 9)),
    "crosses": _at("m-2.2-2.2l4.4 4.4m0-4.4l-4.4 4.4", (0, -11), *_FOUR),
    "rings": _at("m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z", (0, -12), *_FOUR),
    "hatching": "M-16-5L-9 12M-13-11L-3 12M-8-15L3 12M-1-17L9 12M6-16L15 7",
    "stairs": _at("h4v-4h4v-4h4", (-14, -2), (0, -4), (-11, 10), (3, 8)),
    "chevrons": _at("l4-5l4 5", (-4, -10), (-14, -2), (5, -2), (-13, 8), (4, 8)),
}  # fmt: skip
_SURFACES = {
    "grains": _at(
        _DOT,
        (-3, -14),
        (6, -11),
        (-10, -8),
        (0, -6),
        (11, -4),
        (-14, 0),
        (-5, 2),
        (6, 3),
        (14, 5),
        (-11, 8),
    ),
    "blossoms": _at(_PETALS, (-8, -7), (7, -10), (11, 4), (-2, 1), (-11, 7)),
    "trees": _at("l-4.2 9h8.4z", (-8, -12), (4, -17), (10, -7), (0, -5), (-11, 0), (9, 3)),
    "peaks": "M-15 7l8-15l4.5 8l5-11l12 18zM-9 9",
}
TEXTURE_PATHS: Mapping[str, str] = {_PLAIN: "", **_LINES, **_SURFACES}
"""The path of each texture."""


def texture_svg(name: str, ink: str) -> str:
    """A texture in an ink that lets the colour below through; empty if nothing is drawn."""
    path = TEXTURE_PATHS[name]
    if not path:
        return ""
    if name in _SURFACES:
        return f'<path d="{path}" fill="{ink}" fill-opacity=".24"/>'
    return (
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-opacity=".3" stroke-width="1.3" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def texture_names(kinds: Sequence[HexKind]) -> list[str]:
    """The texture of each kind: its own, that of no other for those that name none.

    Places with an icon are plain; where there are more kinds than textures, some share one.
    """
    named = {kind.texture for kind in kinds}
    unnamed = [name for name in TEXTURES if name not in (*named, _PLAIN)]
    available: list[str] = [*unnamed] or [_PLAIN]
    names, index = [], 0
    for kind in kinds:
        name = kind.texture or (_PLAIN if kind.icon else "")
        if not name:
            name, index = available[index % len(available)], index + 1
        names.append(name)
    return names


# What stands on a hex or is shown by a piece: outlines around the point 0, 0, 20 units wide.
#
# Those for hexes have room for a letter in the middle.


ICON_PATHS: Mapping[str, str] = {
    "keep": "M-10 10V-10h4v3.5h4V-10h4v3.5h4V-10h4V10z",
    "house": "M-9.5 10V-2.5H-12L0-13L12-2.5H9.5V10z",
    "tent": "M-13 10L-1.2-11.5L-3-14h1.6L0-12.5L1.4-14H3L1.2-11.5L13 10z",
    "crown": "M-11 10L-12-8l6.5 5L0-12l5.5 9l6.5-5L11 10z",
    "drum": "M-9.5-9a9.5 3.2 0 0 1 19 0V8a9.5 3.2 0 0 1-19 0zM-9.5-9a9.5 3.2 0 0 0 19 0",
    "arch": "M-10 10V-1a10 10 0 0 1 20 0V10H4.5V0a4.5 4.5 0 0 0-9 0V10z",
    "columns": "M-11-5L0-11L11-5zM-9-3h4v9h-4zM-2-3h4v9h-4zM5-3h4v9h-4zM-11 7.5h22v3h-22z",
    "star": "M0-11l2.7 7.5h7.8L4.3 1.2L6.5 8.8L0 4.3L-6.5 8.8L-4.3 1.2L-10.5-3.5h7.8z",
    "flag": "M-7 11V-11h2.5v1.5L8-5L-4.5 0V11z",
    "shield": "M0-11l9 3v6c0 6-4 10-9 12.5c-5-2.5-9-6.5-9-12.5v-6z",
    "wheel": "M0-10a10 10 0 0 1 0 20a10 10 0 0 1 0-20zM-1.5-7.3a7.5 7.5 0 0 0-5.8 5.8h5.8z"
    "M1.5-7.3v5.8h5.8a7.5 7.5 0 0 0-5.8-5.8zM-1.5 7.3v-5.8h-5.8"
    "a7.5 7.5 0 0 0 5.8 5.8zM1.5 7.3a7.5 7.5 0 0 0 5.8-5.8h-5.8z",
    "sail": "M-1-11V4h-9zM1.5-8L10 4H1.5zM-11 6h22l-4.5 5h-13z",
    "gable": "M-11-3L-2-9v-3h4v3l9 6zM-9-1.5h18V10h-6V4h-6v6h-6z",
    "eye": "M-11 0Q0-12 11 0Q0 12-11 0zM0-4.5a4.5 4.5 0 0 0 0 9a4.5 4.5 0 0 0 0-9z",
    "bricks": "M-10-8h9v4.5h-9zM1-8h9v4.5h-9zM-4.5-2h9v4.5h-9zM-10-2h3.5v4.5h-3.5z"
    "M6.5-2h3.5v4.5h-3.5zM-10 4h9v4.5h-9zM1 4h9v4.5h-9z",
}
"""The outline of each icon."""


def icon_svg(name: str, scale: float, paint: str, at: tuple[float, float] = (0, 0)) -> str:
    """An icon in a size and with attributes of paint, at a point."""
    return (
        f'<path d="{ICON_PATHS[name]}" fill-rule="evenodd" {paint} '
        f'transform="translate({at[0]:g} {at[1]:g}) scale({scale:g})"/>'
    )


# Pieces: the shape and colour of their player, with a shadow, and a letter or an icon upon it.


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
        neutral = [index for index, each in enumerate(board.catalog.pieces) if each.neutral]
        letter = "#" if [piece] == neutral[:1] else f"#{kind.letter}"
        return text_svg((0, low), letter, RADIUS * 0.5, ink)
    letter, inner = player_name(player), ""
    if piece:
        letter = kind.letter
        path = outline(style_of(player), 0.76)
        inner = f'<path d="{path}" fill="none" stroke="{ink}" stroke-width=".8"/>'
    return inner + text_svg((0, low), letter, RADIUS * 0.54, ink)


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


# Words that must fit a box: how wide they are, where they break, how large they can be.
#
# Widths are those of a wide common face, so that in a narrower one words only get more room.


LEADING = 1.25
"""From one line to the next, in the size of the letters."""
_SMALLER = 0.95
_BREAKABLE = 0.6  # of the largest size: a word is broken only where letters are as small as this
_GROUPS = {
    0.29: "'ijlI", 0.33: " ,.J", 0.36: "/\\|:;f-", 0.41: "!()[]rt\"*^`", 0.54: "?scz_vxy",
    0.61: "aekoFTYPLhnu", 0.65: "bdgpq$0123456789{}ESBKAVXZ", 0.72: "CRU", 0.79: "DGHNOQ",
    0.86: "M+#<=>~&w", 1.0: "%@Wm",
}  # fmt: skip
_WIDTHS: Mapping[str, float] = {sign: w for w, signs in _GROUPS.items() for sign in signs}
_OTHER, _FULL, _BOLD = 0.8, 1.05, 1.17


@dataclass(frozen=True, slots=True)
class FittedText:
    """Lines, and how large their letters are, in the unit of the box they fit."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """The height of all lines together."""
        return len(self.lines) * self.size * LEADING


def text_width(text: str, bold: bool = False) -> float:
    """How wide a text is at most, in the size of its letters."""
    width = sum(map(_letter_width, normalize("NFD", text)))
    return width * _BOLD if bold else width


def _letter_width(sign: str) -> float:
    if combining(sign):
        return 0.0
    if east_asian_width(sign) in "WF":
        return _FULL
    return _WIDTHS.get(sign, _OTHER)


def fit_text(
    text: str, width: float, height: float, largest: float, bold: bool = False
) -> FittedText:
    """A text in lines that fit a box, as large as possible; nothing of it is left out."""
    size = largest
    while True:
        line_width = width / size
        lines = tuple(_lines(text, line_width, bold, size <= largest * _BREAKABLE))
        fitted = FittedText(lines, size)
        if fitted.height <= height and all(text_width(line, bold) <= line_width for line in lines):
            return fitted
        size *= _SMALLER


def _lines(text: str, room: float, bold: bool, breaks: bool) -> Iterator[str]:
    """The text in lines no wider than the room, if no word is wider; such words may be broken."""
    line = ""
    for word in text.split():
        for part in _parts(word, room, bold) if breaks else [word]:
            longer = f"{line} {part}".lstrip()
            if line and text_width(longer, bold) > room:
                yield line
                longer = part
            line = longer
    if line:
        yield line


def _parts(word: str, room: float, bold: bool) -> Iterator[str]:
    """A word in parts no wider than the room, but for a single letter."""
    part = ""
    for sign in word:
        if part and text_width(part + sign, bold) > room:
            yield part
            part = ""
        part += sign
    yield part


# From SVG to what is no text: PNG for a screen, PDF for a printer. Needs the extra `pictures`.


_EXTRA = "pictures"


def _cairosvg() -> Any:
    """The library that draws. Its C library may be missing too, and that is an OSError."""
    try:
        import cairosvg
        import cairosvg.surface
    except ImportError as error:
        raise MissingExtra(_EXTRA, f"there is no `{error.name}`") from None
    except OSError:
        raise MissingExtra(_EXTRA, "the system has no library `cairo`") from None
    return cairosvg


def png_of(svg: str, width: int) -> bytes:
    """A picture so many pixels wide, on white. Raises `MissingExtra`."""
    data: bytes = _cairosvg().svg2png(
        bytestring=svg.encode(), output_width=width, background_color="white"
    )
    return data


def pixels_of(svg: str, width: int) -> Any:
    """A picture so many pixels wide, on white: an array of height, width and 3 bytes of colour.

    Raises `MissingExtra`.
    """
    cairosvg = _cairosvg()
    import numpy

    tree = cairosvg.parser.Tree(bytestring=svg.encode())
    surface = cairosvg.surface.PNGSurface(
        tree, None, 96, output_width=width, background_color="white"
    )
    image = surface.cairo
    rows = numpy.frombuffer(image.get_data(), numpy.uint8).reshape(image.get_height(), -1, 4)
    return rows[:, : image.get_width(), 2::-1].copy()


def pdf_of(pages: Iterable[str]) -> bytes:
    """A document with a page for each picture, of the very size it says it has.

    Raises `MissingExtra`.
    """
    cairosvg = _cairosvg()
    from cairocffi import PDFSurface

    file = BytesIO()
    paper = PDFSurface(file, 1, 1)

    class DocumentPage(cairosvg.surface.PDFSurface):  # type: ignore[misc, name-defined]
        """A picture drawn on a page of the one document instead of one of its own."""

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            paper.set_size(width, height)
            return paper, width, height

    for page in pages:
        DocumentPage(cairosvg.parser.Tree(bytestring=page.encode()), None, 96)
        paper.show_page()
    paper.finish()
    return file.getvalue()
