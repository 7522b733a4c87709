"""The page of all options of the shipped boxes, by the question that each answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from kbrules.lang import tree
from kbrules.tools.explaining.options import option_heading, readings, shipped_options, value_text

__all__ = ["rulings_page"]


def rulings_page() -> Iterator[str]:
    """The lines of the page, box by box."""
    for box, options in groupby(shipped_options(), key=lambda each: each[0]):
        yield from (f"## {box}", "")
        for _, option in options:
            yield from _lines(option)


def _lines(option: tree.Option) -> Iterator[str]:
    file = option.span.source.name
    where = f"[{file}:{option.span.line}](../{file}#L{option.span.line})"
    yield from (f"### {option_heading(option)}", "")
    yield f"`{option.name.text}`, by default {value_text(option.default)}; {where}"
    yield ""
    yield from (f"* {value}: {said}" for value, said in readings(option, option.default) if said)
    if option.source:
        yield f"* source: {option.source}"
    yield ""
