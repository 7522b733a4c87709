"""A card as it is printed: title, picture, wording, box; an SVG of 63 by 88 millimetres.

What is drawn lies at least `EDGE` inside of the card, so that a knife may slip a little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from kbrules.tools.publishing.pictures.board import hexes_svg
from kbrules.tools.publishing.pictures.layout import corners
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.text_layout import LEADING, FittedText, fit_text

WIDTH, HEIGHT = 63, 88
"""The size of a card in millimetres."""
EDGE = 3.0
_LEFT, _ROOM = 5.5, 52.0
_INK, _SOFT = "#1c1b19", "#6b665e"
_HOUSE_RULE = "house rule"
_DISCLAIMER = "Made with kbrules. Not an official card, and not for sale."


@dataclass(frozen=True, slots=True)
class CardFace:
    """What stands on a card; a caption belongs to the picture. An own card is a house rule."""

    id: str
    kind: str
    title: str
    wording: str
    box: str
    is_own: bool
    picture: Picture | None = None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class _TextBox:
    """Where words may stand: from the top, so high, and how large they are at most."""

    top: float
    height: float
    largest: float
    bold: bool = False
    colour: str = _INK

    def fit(self, text: str) -> FittedText:
        return fit_text(text, _ROOM, self.height, self.largest, self.bold)

    def write(self, text: str) -> Iterator[str]:
        """Lines of text in the middle of the box."""
        fitted = self.fit(text)
        baseline = self.top + (self.height - fitted.height) / 2 + fitted.size * 0.95
        weight = ' font-weight="bold"' if self.bold else ""
        for number, line in enumerate(fitted.lines):
            y = baseline + number * fitted.size * LEADING
            yield (
                f'<text x="{WIDTH / 2}" y="{y:.2f}" font-size="{fitted.size:.3f}"{weight} '
                f'text-anchor="middle" fill="{self.colour}">{escape(line)}</text>'
            )


_TITLE = _TextBox(4.5, 9.5, 5.6, bold=True)
_KIND = _TextBox(14.0, 3.0, 2.2, colour=_SOFT)
_FOOT = _TextBox(77.0, 3.4, 2.4, bold=True)
_SMALL = _TextBox(80.6, 2.2, 1.5, colour=_SOFT)
_TOP, _END = 18.0, 74.5  # where the picture begins, the last line
_CAPTIONS = (3.2, 5.4)  # how high a caption is: one line, or two
_CAPTION_SIZE, _LEGIBLE = 2.1, 1.76  # its letters in millimetres, 5 points at least
_PICTURES = (25.0, 20.0, 14.0)  # how high a picture is; a long wording makes it smaller
_EASY = 2.6  # the size of letters that are read with ease


def card_svg(face: CardFace) -> str:
    """A card as a picture of its own, in true millimetres."""
    label = quoteattr(f"{face.title} ({face.kind})")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={label}>{face_svg(face)}</svg>\n'
    )


def face_svg(face: CardFace) -> str:
    """What is on a card, as a group that begins at its top left corner; units are millimetres."""
    inner = WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE
    height, wording = _wording_box(face)
    caption = _TextBox(_TOP + height + 0.5, _caption_height(face), _CAPTION_SIZE, colour=_SOFT)
    parts = [
        f'<g data-card={quoteattr(face.id)} font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>',
        f'<rect x="{EDGE}" y="{EDGE}" width="{inner[0]}" height="{inner[1]}" rx="2.5" '
        f'fill="none" stroke="{_SOFT}" stroke-width="0.4"/>',
        *_TITLE.write(face.title),
        *_KIND.write(face.kind),
        _drawing(face.picture, height) if face.picture else _ornament(height),
        *caption.write(face.caption),
        *wording.write(face.wording),
        *_FOOT.write(f"{face.box} · {_HOUSE_RULE}" if face.is_own else face.box),
        *_SMALL.write(_DISCLAIMER),
        "</g>",
    ]
    return "".join(parts)


def wording_size(face: CardFace) -> float:
    """How large the letters of the wording are, in millimetres."""
    return _wording_box(face)[1].fit(face.wording).size


def _wording_box(face: CardFace) -> tuple[float, _TextBox]:
    """How high the picture of a card is, and where its wording stands."""
    for height in _PICTURES:
        top = _TOP + height + _caption_height(face) + 0.8
        box = _TextBox(top, _END - top, 3.7)
        if box.fit(face.wording).size >= _EASY:
            break
    return height, box


def _caption_height(face: CardFace) -> float:
    """How high the caption is: two lines if the letters of one could hardly be read."""
    one_line = _TextBox(0, _CAPTIONS[0], _CAPTION_SIZE).fit(face.caption)
    return _CAPTIONS[0] if one_line.size >= _LEGIBLE else _CAPTIONS[1]


def _drawing(picture: Picture, height: float) -> str:
    """The hexes of a picture, as large as there is room."""
    hexes, (left, top, width, hexes_height) = hexes_svg(picture)
    scale = min(_ROOM / width, height / hexes_height, 0.28)
    x = WIDTH / 2 - (left + width / 2) * scale
    y = _TOP + height / 2 - (top + hexes_height / 2) * scale
    return f'<g transform="translate({x:.2f} {y:.2f}) scale({scale:.4f})">{hexes}</g>'


def _ornament(height: float) -> str:
    """Seven hexes, for a card that has no example."""
    middles = [(0, 0), (1, 0), (-1, 0), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1)]
    hexes = "".join(f'<polygon points="{corners((x * 36, y * 31.2), 0.9)}"/>' for x, y in middles)
    at = f"translate({WIDTH / 2} {_TOP + height / 2}) scale({height * 0.0088:.3f})"
    return f'<g transform="{at}" fill="#eee8da" stroke="{_SOFT}" stroke-width="1.5">{hexes}</g>'
