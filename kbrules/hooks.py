"""What is named from above: what draws values in a notebook, and who is told of progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

# How values show themselves in a notebook: what draws them is named from above, once.
#
# Values are made far below what can draw them. They ask here, by the methods that notebooks look
# for; the front door says who answers. Where nobody does, a notebook shows their `repr`.

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


# How far a long job is: what it tells whoever waits for it.

Part = TypeVar("Part")

OnProgress = Callable[[int, int | None, str], object]
"""What is told how much is done, of how much if that is known, and of what, as `positions`.

A job of several stages counts something else in each, or begins again with fewer.
"""


def silent(done: int, wanted: int | None, unit: str) -> None:
    """Tell nobody."""


def with_progress(
    parts: Sequence[Part], unit: str, on_progress: OnProgress = silent
) -> Iterator[Part]:
    """The parts of a job in turn; each is told as done when the next one is asked for."""
    if parts:
        on_progress(0, len(parts), unit)
    for number, part in enumerate(parts, 1):
        yield part
        on_progress(number, len(parts), unit)
