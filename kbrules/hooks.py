"""Hooks: what draws values in a notebook, who is told of progress, and imports that wait."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
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


# Imports that wait until something of the module is used, so that commands start quickly.
#
# A command is listed, completed and explained without the engine. What is imported in
# `with lazily():` at the top of a module is checked and written as any other import, except that
# whole modules are imported: to take a name from one is to use it.


@contextmanager
def lazily() -> Iterator[None]:
    """Put off the loading of the modules that are imported in the block until they are used."""
    finder = _LazyFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _LazyFinder(MetaPathFinder):
    """Finds modules as usual, and has all but packages, which hold nothing, loaded later."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return what is known of a module before it is loaded; None if there is none."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader and spec.submodule_search_locations is None:
            spec.loader = LazyLoader(spec.loader)
        return spec
