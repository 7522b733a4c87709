"""The list of the boxes, the first page of each of them, and the page of all their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kbrules.game.board import stand_in_note
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import Box
from kbrules.tools.explaining.options import option_heading, readings, value_text
from kbrules.tools.publishing.boxes_page import changes_of, players_of
from kbrules.tools.publishing.site.components import has_components
from kbrules.tools.publishing.site.content import KINDS, BoxContent, folder_of
from kbrules.tools.publishing.site.coverage import SiteCoverage
from kbrules.tools.publishing.site.links import COMPONENTS, Links
from kbrules.tools.publishing.site.page import BOXES, LOOK_UP, Page

_GROUPS = {
    "own": "Yours",
    "expansion": "Shipped boxes",
    "edition": "Other makes of the game, in play only if named",
    "variant": "House variants, in play only if named",
    "shared": "For every rule file",
}


def boxes_page(boxes: Sequence[BoxContent]) -> Page:
    """The page with all boxes."""
    rows = {kind: [_row(box) for box in boxes if _group(box) == kind] for kind in _GROUPS}
    groups = [(title, rows[kind]) for kind, title in _GROUPS.items() if rows[kind]]
    values = {"groups": groups, "rulings": RULINGS}
    return Page(BOXES[1], BOXES[0], "", "boxes", values, "boxes and their rules", group=LOOK_UP)


def _group(content: BoxContent) -> str:
    if content.folder is not None:
        return "own"
    return content.box.model.kind if content.box is not None else "shared"


def _row(content: BoxContent) -> tuple[BoxContent, str, str]:
    players = players_of(content.box) if content.box is not None else ""
    return content, players, ", ".join(_counts(content))


def _counts(content: BoxContent) -> Iterator[str]:
    for kind, title in KINDS.items():
        count = sum(entry.kind == kind for entry in content.entries)
        if count:
            yield f"{title.lower()}: {count}"
    if content.box is not None and content.box.model.sections:
        yield f"sections: {len(content.box.model.sections)}"


def box_page(content: BoxContent, coverage: SiteCoverage, boxes: Mapping[str, BoxContent]) -> Page:
    """The first page of a box: about it, and everything that it declares.

    boxes: all boxes of the site, by id.
    """
    grouped = [
        (title, [entry for entry in content.entries if entry.kind == kind])
        for kind, title in KINDS.items()
    ]
    defaults = {
        entry.name: value_text(entry.declaration.default)
        for entry in content.entries
        if isinstance(entry.declaration, tree.Option)
    }
    values = {
        "about": _about(content.box, boxes) if content.box is not None else None,
        "coverage": coverage.summary(content.entries),
        "groups": [(title, entries) for title, entries in grouped if entries],
        "defaults": defaults,
    }
    group = _GROUPS[_group(content)]
    return Page(content.path, content.title, "box", "box", values, content.id, (BOXES,), group,
                content.lang)  # fmt: skip


def _about(box: Box, boxes: Mapping[str, BoxContent]) -> Mapping[str, Any]:
    sections = box.model.sections.items()
    return {
        "players": players_of(box),
        "needs": [(need.id, boxes.get(need.id)) for need in box.model.needed],
        "changes": ", ".join(changes_of(box)),
        "components": f"{folder_of(box.id)}/{COMPONENTS}" if has_components(box) else "",
        "note": stand_in_note([id for id, s in sections if s.map == "stand-in"]),
    }


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
