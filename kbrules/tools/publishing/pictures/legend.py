"""The key to a picture: what its hexes, letters, icons and pieces mean, each with a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from kbrules.game.board import Board, HexKind
from kbrules.library.boards.positions import drawn_tiles
from kbrules.tools.publishing.pictures.hexes import badge_svg, icon_on_hex
from kbrules.tools.publishing.pictures.labels import initials
from kbrules.tools.publishing.pictures.layout import RADIUS, corners
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.styles import LINE, NO_COLOUR, text_colour, text_svg
from kbrules.tools.publishing.pictures.textures import texture_names, texture_svg


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of the key: a drawing around the point 0, 0, in the size of a hex, and words."""

    drawing: str
    words: str


def legend_of_picture(picture: Picture) -> Iterator[LegendEntry]:
    """The terrains and places, the tiles on these, the pieces that show an icon, the badges."""
    board = picture.board
    yield from _kinds(board)
    yield from _tiles(board)
    for piece in board.catalog.pieces:
        if piece.icon:
            yield LegendEntry(_scaled(badge_svg(piece.icon)), piece.title)
    for badge in picture.badges:
        if badge.icon:
            yield LegendEntry(_scaled(badge_svg(badge.icon)), badge.title)


def _scaled(drawing: str) -> str:
    return f'<g transform="scale(2.4)">{drawing}</g>'


def _kinds(board: Board) -> Iterator[LegendEntry]:
    """The kinds of hexes there are, but for those of which each has a tile."""
    textures = texture_names(board.catalog.hexes)
    without_tiles = board.grid.full
    for hex in board.tiles:
        without_tiles &= ~(1 << hex)
    for kind, mask, texture in zip(board.catalog.hexes, board.kinds, textures, strict=True):
        if mask & without_tiles:
            yield LegendEntry(_swatch(kind, kind.letter, texture), kind.title)


def _tiles(board: Board) -> Iterator[LegendEntry]:
    """The tiles, and where those lie that chance put there."""
    drawn, textures = drawn_tiles(board), texture_names(board.catalog.hexes)
    for tile, sign in initials(board).items():
        places = [hex for hex in board.places if board.tiles[hex] == tile]
        where = ", ".join(board.grid.name(hex) for hex in places if hex in drawn)
        title = board.catalog.tiles[tile].title
        kind = board.catalog.hexes[board.kind_at(places[0])]
        words = f"{title} ({where})" if where else title
        yield LegendEntry(_swatch(kind, sign, textures[board.kind_at(places[0])]), words)


def _swatch(kind: HexKind, sign: str, texture: str) -> str:
    """A hex of a kind around the point 0, 0."""
    colour = kind.colour or NO_COLOUR
    ink, low = text_colour(colour), 0.33 if kind.icon else 0.8
    size = RADIUS * (0.44 if kind.icon else 0.34)
    hex = f'<polygon points="{corners((0, 0))}" fill={quoteattr(colour)} stroke="{LINE}"/>'
    icon = icon_on_hex(kind.icon) if kind.icon else ""
    letter = text_svg((0, RADIUS * low), sign, size, ink)
    return hex + texture_svg(texture, ink) + icon + letter


def swatch_element(entry: LegendEntry) -> str:
    """The drawing of a line as an element of a page, told by its words alone."""
    box = f"{-RADIUS - 1:g} {-RADIUS - 1:g} {2 * RADIUS + 2:g} {2 * RADIUS + 2:g}"
    return f'<svg viewBox="{box}" aria-hidden="true">{entry.drawing}</svg>'
