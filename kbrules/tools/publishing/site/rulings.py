"""The page of the site with all options, by the question that each answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kbrules.lang.syntax import tree
from kbrules.tools.explaining.options import option_heading, readings, value_text
from kbrules.tools.publishing.site.content import BoxContent
from kbrules.tools.publishing.site.links import Links
from kbrules.tools.publishing.site.page import BOXES, Page

__all__ = ["RULINGS", "rulings_page"]

RULINGS = "rulings.html"


def rulings_page(boxes: Sequence[BoxContent], links: Mapping[str, Links]) -> Page:
    """The page; links: those of each box by its id."""
    groups = [(content.title, list(_rows(content, links[content.id]))) for content in boxes]
    return Page(
        RULINGS, "Rulings", "", "rulings", {"groups": groups}, "options by question", (BOXES,)
    )


def _rows(content: BoxContent, links: Links) -> Iterator[dict[str, Any]]:
    for entry in content.entries:
        option = entry.declaration
        if isinstance(option, tree.Option):
            meanings = readings(option, option.default)
            users = (e for e in content.visible if entry.name in links.uses[e.path])
            yield {
                "question": option_heading(option),
                "path": entry.path,
                "name": entry.name,
                "default": value_text(content.ruleset.options[entry.name]),
                "readings": "".join(f"{v}: {text.rstrip('.')}. " for v, text in meanings if text),
                "source": option.source,
                "readers": [each for each in users if each is not entry],
            }
