"""What a box brings besides rules: terrains and numbers on one page, maps and pieces on theirs."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.game.board import SIZES, stand_in_note
from kbrules.library.boxes.box import Box
from kbrules.library.models import PieceModel
from kbrules.tools.publishing.site.boards import section_board
from kbrules.tools.publishing.site.content import BoxContent, folder_of
from kbrules.tools.publishing.site.links import COMPONENTS, Links, piece_path, section_path
from kbrules.tools.publishing.site.page import BOXES, Page

_TABLES = ("terrains", "places", "grids", "pieces", "tiles", "numbers", "sections", "setups")


def has_components(box: Box) -> bool:
    """Whether a box brings something besides rules."""
    return any(getattr(box.model, table) for table in _TABLES)


def component_pages(content: BoxContent, links: Links) -> Iterator[Page]:
    """The pages about what a box brings; none for what is no box."""
    box = content.box
    if box is None:
        return
    above: tuple[tuple[str, str], ...] = (BOXES, (content.title, content.path))
    path = f"{folder_of(box.id)}/{COMPONENTS}"
    if has_components(box):
        title = f"What is in {content.title}"
        values = _box_values(content, box, links)
        yield Page(path, title, "contents", "components", values, _names(box), above)
    above += (("What is in it", path),)
    for id, piece in box.model.pieces.items():
        yield _piece_page(id, piece, content, links, above)
    for id in box.model.sections:
        if id in content.ruleset.parts.sections:
            yield _section_page(id, content, links, above)


def _names(box: Box) -> str:
    return " ".join([*box.model.terrains, *box.model.places, *box.model.grids])


def _box_values(content: BoxContent, box: Box, links: Links) -> dict[str, object]:
    model = box.model
    return {
        "model": model,
        "langs": content.langs,
        "hexes": [("terrains", model.terrains), ("places", model.places)],
        "pieces": [(id, piece, piece_path(box.id, id)) for id, piece in model.pieces.items()],
        "sections": [
            (id, section_path(box.id, id), each.map == "stand-in")
            for id, each in model.sections.items()
        ],
        "setups": [
            (id, setup.title, [", ".join(row) for row in setup.sections])
            for id, setup in model.setups.items()
        ],
        "tagged": _tags(box),
        "declared": links.declared,
    }


def _tags(box: Box) -> dict[str, list[str]]:
    """What has each tag."""
    model = box.model
    ids_by_tag: dict[str, list[str]] = {}
    for table in (model.terrains, model.places, model.grids, model.pieces):
        for id, component in table.items():
            for tag in component.tags:
                ids_by_tag.setdefault(tag, []).append(id)
    return ids_by_tag


def _piece_page(
    id: str,
    piece: PieceModel,
    content: BoxContent,
    links: Links,
    above: tuple[tuple[str, str], ...],
) -> Page:
    users = [entry for entry in content.visible if id in links.uses[entry.path]]
    values = {"piece": piece, "size": SIZES[piece.shape], "users": users}
    kind = f"piece of {content.title}"
    path, title = piece_path(content.id, id), piece.title or id
    lang = content.langs.get(f"pieces.{id}", "")
    return Page(path, title, kind, "piece", values, id, above, "Pieces", lang)


def _section_page(
    id: str, content: BoxContent, links: Links, above: tuple[tuple[str, str], ...]
) -> Page:
    ruleset = content.ruleset
    section = ruleset.parts.sections[id]
    letters = [letter for *_, letter in section.cells]
    setups = ruleset.parts.setups.values()
    values = {
        "note": stand_in_note([id]) if section.stand_in else "",
        "board": section_board(ruleset, section),
        "tiles": [
            (n, tile, links.declared.get(tile)) for n, tile in sorted(section.places.items())
        ],
        "hexes": [(kind, letters.count(kind.letter)) for kind in ruleset.catalog.hexes],
        "setups": [s.title for s in setups if s.layout and id in s.layout.sections],
    }
    kind = f"section of {content.title}"
    path = section_path(content.id, id)
    return Page(path, id, kind, "section", values, above=above, group="Sections")
