"""How values show themselves in a notebook: what draws them is named from above, once.

Values are made far below what can draw them. They ask here, by the methods that notebooks look
for; the front door says who answers. Where nobody does, a notebook shows their `repr`.
"""

from __future__ import annotations

from collections.abc import Callable

SVG, HTML = "svg", "html"
Renderer = Callable[[object, str], str | None]
"""What makes of a value its text in a form, `SVG` or `HTML`; None if it has none."""
_renderers: list[Renderer] = []


def use_renderer(renderer: Renderer) -> None:
    """Let this one draw all values from now on."""
    _renderers[:] = [renderer]


def svg_of(value: object) -> str | None:
    """A value as a picture; None if nobody draws it."""
    return _drawn(value, SVG)


def html_of(value: object) -> str | None:
    """A value as a part of a page; None if nobody draws it."""
    return _drawn(value, HTML)


def _drawn(value: object, form: str) -> str | None:
    return _renderers[0](value, form) if _renderers else None
