"""The hexes of a picture, each with its ground, its letter, its piece, its signs and its label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from xml.sax.saxutils import escape, quoteattr

from kbrules.game.board import Board, HexKind
from kbrules.hex.sets import bits
from kbrules.tools.publishing.pictures.icons import icon_svg
from kbrules.tools.publishing.pictures.labels import hex_label, initials, letter_of, piece_label
from kbrules.tools.publishing.pictures.layout import RADIUS, Point, centre, corners
from kbrules.tools.publishing.pictures.picture import CLOSED, Picture
from kbrules.tools.publishing.pictures.styles import (
    INK,
    LINE,
    NO_COLOUR,
    OPEN,
    text_colour,
    text_svg,
)
from kbrules.tools.publishing.pictures.textures import texture_names, texture_svg
from kbrules.tools.publishing.pictures.tokens import piece_svg

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

    def elements(self) -> Iterator[str]:
        """Each hex as a group, in board order, then the lines between them."""
        yield f'<g font-size="{RADIUS * _LETTER_SIZE:g}" text-anchor="middle">'
        for hex in bits(self._board.grid.full):
            yield self._hex(hex)
        yield "</g>"
        yield f'<path d="{self._lines()}" fill="none" stroke="{LINE}" pointer-events="none"/>'

    @cached_property
    def _owners(self) -> dict[int, Owner]:
        pieces = self._picture.pieces.items()
        return {hex: owner for owner, mask in pieces for hex in bits(mask)}

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
        text = escape(letter_of(self._board, hex, self._initials))
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
