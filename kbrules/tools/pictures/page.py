"""A page with the picture of a board and the key to it, and a picture of all that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from kbrules.game.board import ICONS, TEXTURES
from kbrules.tools.pictures.board import (
    Picture,
    board_svg,
    icon_on_hex,
    legend_of_picture,
    swatch_element,
)
from kbrules.tools.pictures.drawings import (
    FRAME,
    LINE,
    OPEN,
    RADIUS,
    corners,
    text_svg,
    texture_svg,
)
from kbrules.tools.reports.report import html_page, render, source

# A picture of all textures and icons that a box may name, each with its name.


_COLUMNS, _CELL_WIDTH, _CELL_HEIGHT = 8, 76.0, 68.0
_GROUND = "#b9cf8e"


def sampler_svg() -> str:
    """The picture as one SVG element: textures first, then icons."""
    samples: list[tuple[str, str]] = []
    samples += [(name, _hex(_GROUND, texture_svg(name, "#000"))) for name in TEXTURES]
    samples += [(name, _hex(OPEN, icon_on_hex(name))) for name in ICONS]
    rows = -(-len(samples) // _COLUMNS)
    width, height = _COLUMNS * _CELL_WIDTH + 16, rows * _CELL_HEIGHT + 16
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            'role="img" aria-label="Textures and icons" font-family="system-ui, sans-serif">',
            f'<rect width="{width:g}" height="{height:g}" rx="9" fill="{FRAME}"/>',
            *_samples(samples),
            "</svg>",
        ]
    )


def _hex(colour: str, texture: str) -> str:
    return f'<polygon points="{corners((0, 0))}" fill="{colour}" stroke="{LINE}"/>{texture}'


def _samples(samples: list[tuple[str, str]]) -> Iterator[str]:
    for number, (name, drawing) in enumerate(samples):
        row, column = divmod(number, _COLUMNS)
        x, y = 8 + (column + 0.5) * _CELL_WIDTH, 12 + row * _CELL_HEIGHT + RADIUS
        yield f'<g transform="translate({x:g} {y:g})">{drawing}</g>'
        yield text_svg((x, y + RADIUS + 14), name, 10)


# A page with the picture of a board and the key to it.


def picture_page(picture: Picture, language: str = "") -> str:
    """A page with one picture and the key to it; language: that of the titles of a box."""
    values = board_values(picture) | {"language": language}
    body = render("pictures/picture.html", title=picture.title, **values)
    return html_page(picture.title, body, source("page.css") + source("pictures/board.css"))


def board_values(picture: Picture) -> dict[str, Any]:
    """What a page shows of a board: the drawing, the key to it, and a note on its maps."""
    entries = legend_of_picture(picture)
    legend = [(Markup(swatch_element(entry)), entry.words) for entry in entries]
    return {"board": Markup(board_svg(picture)), "legend": legend, "note": picture.board.note}
