"""The first page of the site: a picture, a whole card, and three ways in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kbrules.lang.typed import Rule
from kbrules.library.reading import data_root
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.publishing.site.boards import example_board
from kbrules.tools.publishing.site.content import BoxContent, DeclarationEntry
from kbrules.tools.publishing.site.declarations import rule_text
from kbrules.tools.publishing.site.links import Links
from kbrules.tools.publishing.site.page import LANDING, Page

_PICTURE = "board.svg"


def landing_page(boxes: Sequence[BoxContent], links: Mapping[str, Links]) -> Page:
    """The page; links: those of each box by its id."""
    own = [box for box in boxes if box.folder is not None]
    values = {
        "own": own,
        "boxes": [box for box in boxes if box.box is not None],
        "card": next(_cards(boxes, links), None),
        "picture": _PICTURE if _picture() else "",
    }
    title = own[0].title if own else "The rules of Kingdom Builder, as text"
    return Page(LANDING, title, "", "landing", values, lang=own[0].lang if own else "")


def landing_picture() -> dict[str, str]:
    """The picture of a game, by its address."""
    return {_PICTURE: _picture()} if _picture() else {}


def _picture() -> str:
    path = data_root("rules").parent / "docs" / _PICTURE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _cards(boxes: Sequence[BoxContent], links: Mapping[str, Links]) -> Iterator[dict[str, Any]]:
    """The cards with an example that can be drawn, as the page shows one."""
    for box in boxes:
        for entry in box.entries:
            if entry.kind == "card" and entry.rule is not None:
                yield from _card_values(entry, entry.rule, box, links[box.id])


def _card_values(
    entry: DeclarationEntry, rule: Rule, box: BoxContent, links: Links
) -> Iterator[dict[str, Any]]:
    for example in rule.examples[:1]:
        board = example_board(box.ruleset.catalog, rule.id, example, "first")
        text = links.link(rule_tokens(rule_text(entry.declaration, (example.span.line,))))
        if board is not None:
            yield {"entry": entry, "text": text, "board": board}
