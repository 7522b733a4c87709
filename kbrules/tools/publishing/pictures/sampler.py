"""A picture of all textures and icons that a box may name, each with its name."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.game.looks import ICONS, TEXTURES
from kbrules.tools.publishing.pictures.hexes import icon_on_hex
from kbrules.tools.publishing.pictures.layout import RADIUS, corners
from kbrules.tools.publishing.pictures.styles import FRAME, LINE, OPEN, text_svg
from kbrules.tools.publishing.pictures.textures import texture_svg

__all__ = ["sampler_svg"]

_ACROSS, _WIDE, _HIGH = 8, 76.0, 68.0
_GROUND = "#b9cf8e"


def sampler_svg() -> str:
    """The picture as one SVG element: textures first, then icons."""
    drawn: list[tuple[str, str]] = []
    drawn += [(name, _hex(_GROUND, texture_svg(name, "#000"))) for name in TEXTURES]
    drawn += [(name, _hex(OPEN, icon_on_hex(name))) for name in ICONS]
    rows = -(-len(drawn) // _ACROSS)
    width, height = _ACROSS * _WIDE + 16, rows * _HIGH + 16
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            'role="img" aria-label="Textures and icons" font-family="system-ui, sans-serif">',
            f'<rect width="{width:g}" height="{height:g}" rx="9" fill="{FRAME}"/>',
            *_samples(drawn),
            "</svg>",
        ]
    )


def _hex(colour: str, upon: str) -> str:
    return f'<polygon points="{corners((0, 0))}" fill="{colour}" stroke="{LINE}"/>{upon}'


def _samples(drawn: list[tuple[str, str]]) -> Iterator[str]:
    for number, (name, drawing) in enumerate(drawn):
        row, column = divmod(number, _ACROSS)
        x, y = 8 + (column + 0.5) * _WIDE, 12 + row * _HIGH + RADIUS
        yield f'<g transform="translate({x:g} {y:g})">{drawing}</g>'
        yield text_svg((x, y + RADIUS + 14), name, 10)
