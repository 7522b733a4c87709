"""The pages of boxes: their options, what they bring, and each of their declarations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from kbrules.game.board import SIZES, Board, Catalog, stand_in_note
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library import models, reading
from kbrules.library.boards.tables import lay_section
from kbrules.library.box import Box
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.scenario.examples import RuleExample, run_example
from kbrules.tools.docs.content import (
    BOXES,
    COMPONENTS,
    KINDS,
    LOOK_UP,
    BoxContent,
    DeclarationEntry,
    Evidence,
    Links,
    Page,
    SiteCoverage,
    folder_of,
    piece_path,
    section_path,
)
from kbrules.tools.editors.highlight import rule_tokens, sentence_tokens
from kbrules.tools.pictures.board import Picture, board_svg, with_id_prefix
from kbrules.tools.pictures.replay import example_picture
from kbrules.tools.show import lines_of, option_heading, readings, value_text

# Boards on a page: a section, or what an example draws.


def example_board(catalog: Catalog, rule: str, example: tree.Example, prefix: str) -> Markup | None:
    """What the example of a rule draws, if it can be read; its ids in the page have a prefix."""
    title = ": ".join(filter(None, ("Example", example.title)))
    picture = example_picture(catalog, rule, example, title)
    return None if picture is None else _picture(picture, prefix)


def _picture(picture: Picture, prefix: str) -> Markup:
    """The picture with its own ids for its patterns, and as wide as its board is."""
    svg = with_id_prefix(board_svg(picture), prefix)
    return Markup(svg.replace("<svg ", f'<svg style="width:{_width(picture.board)}rem" ', 1))


def _width(board: Board) -> int:
    """The width in units of a letter: boards are told apart by size, and stay within the page."""
    columns = max(part.width for part in board.grid.parts) + 2
    return min(44, max(10, 3 * columns))


# How a page opens the place of its declaration in the workshop.


_ADDRESS = re.compile(r"(?:https?://[\w.:@%\[\]-]+(?:/[^\s#<>\"]*)?|(?:[\w.%-]+/)*[\w.%-]*)")


def is_address(text: str) -> bool:
    """Whether a text is the address of a page: on the web, or by its path from the site."""
    return bool(text) and _ADDRESS.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where a workshop is, if anybody said: an address, or a path from the first page."""

    address: str = ""

    def values(self, entry: DeclarationEntry, content: BoxContent) -> dict[str, Any]:
        """What the page of a declaration shows: a link, or what is to be typed and opened."""
        file, _, line = entry.where.rpartition(":")
        place = f"#file={quote(file)}&line={line}"
        folder = reading.real_path(content.folder).name if content.folder is not None else ""
        is_on_web = self.address.startswith(("http:", "https:"))
        return {
            "workshop": f"{self.address}{place}" if self.address else "",
            "workshop_is_beside": not is_on_web,
            "workshop_command": f"kbrules workshop {folder}".rstrip(),
            "workshop_place": place,
        }


# What a box brings besides rules: terrains and numbers on one page, maps and pieces on theirs.


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
        names = " ".join([*box.model.terrains, *box.model.places, *box.model.grids])
        yield Page(path, title, "contents", "components", values, names, above)
    above += (("What is in it", path),)
    for id, piece in box.model.pieces.items():
        yield _piece_page(id, piece, content, links, above)
    for id in box.model.sections:
        if id in content.ruleset.parts.sections:
            yield _section_page(id, content, links, above)


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
    piece: models.PieceModel,
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
        "board": _picture(
            Picture(lay_section(ruleset.catalog, section, False), title=section.id), "s"
        ),
        "tiles": [
            (n, tile, links.declared.get(tile)) for n, tile in sorted(section.places.items())
        ],
        "hexes": [(kind, letters.count(kind.letter)) for kind in ruleset.catalog.hexes],
        "setups": [s.title for s in setups if s.layout and id in s.layout.sections],
    }
    kind = f"section of {content.title}"
    path = section_path(content.id, id)
    return Page(path, id, kind, "section", values, above=above, group="Sections")


# The page of a declaration: its wording, its text in colour, its examples on boards.


_MARKS = {"+": "offered", "<": "lifted", "!": "chosen before it is counted"}


def declaration_page(
    entry: DeclarationEntry,
    content: BoxContent,
    links: Links,
    evidence: Evidence,
    workshop: Workshop,
) -> Page:
    """The page of a declaration."""
    values = _entry_values(entry, content, links) | evidence.values(entry)
    values |= workshop.values(entry, content)
    kind = f"{entry.kind} of {content.title}"
    above = (BOXES, (content.title, content.path))
    group = KINDS.get(entry.kind, "")
    return Page(entry.path, entry.title, kind, "declaration", values, entry.wording, above, group,
                entry.lang)  # fmt: skip


def _entry_values(entry: DeclarationEntry, content: BoxContent, links: Links) -> dict[str, Any]:
    """Return what the page of an entry shows of itself."""
    declaration, rule = entry.declaration, entry.rule
    replaced = _replaced_rule(declaration) if rule is not None else ""
    others = [each for each in content.visible if each.path != entry.path]
    users = [each for each in others if entry.name in links.uses[each.path]]
    if entry.kind == "rule":  # another can only replace it
        users = [each for each in users if _replaced_rule(each.declaration) == entry.name]
    reached = links.reaches[entry.path]
    default = value_text(declaration.default) if isinstance(declaration, tree.Option) else ""
    return {
        "entry": entry,
        "default": default,
        "is_replaced": rule is None and isinstance(declaration, tree.Rule),
        "replaces": replaced,
        "replaces_path": links.rules.get(replaced),
        "text": links.link(rule_tokens(rule_text(declaration))),
        "examples": list(_examples(rule, content.ruleset, links)) if rule is not None else [],
        "options": [each for each in others if each.kind == "option" and each.name in reached],
        "users": users,
        "sections": _sections_with(entry, content.box),
    }


def _examples(rule: Rule, ruleset: Ruleset, links: Links) -> Iterator[dict[str, Any]]:
    for number, example in enumerate(rule.examples, 1):
        drawing = example.drawing.text if example.drawing is not None else ""
        yield {
            "title": example.title or f"Example {number}",
            "lines": [links.link(sentence_tokens(line.span.text)) for line in example.lines],
            "marks": [f"{mark} {means}" for mark, means in _MARKS.items() if mark in drawing],
            "drawing": "\n".join(line.strip() for line in drawing.split("\n")),
            "holds": run_example(ruleset, RuleExample(rule, example)).passed,
            "board": example_board(ruleset.catalog, rule.id, example, f"e{number}"),
        }


def _sections_with(tile: DeclarationEntry, box: Box | None) -> list[tuple[str, str]]:
    """Return the sections of a box with a tile, each with its address."""
    if tile.kind not in TILE_KINDS or box is None:
        return []
    sections = box.model.sections.items()
    found = [id for id, section in sections if tile.name in section.places.values()]
    return [(id, section_path(box.id, id)) for id in found]


def _replaced_rule(declaration: tree.Declaration) -> str:
    """The name of the rule that a declaration replaces."""
    other = declaration.replaces if isinstance(declaration, tree.Rule) else None
    return other.text if other is not None else ""


def rule_text(declaration: tree.Declaration, example_lines: Collection[int] = ()) -> str:
    """Return the text of `lines_of`."""
    return "\n".join(line for _, line in lines_of(declaration, example_lines))


# The list of the boxes, the first page of each of them, and the page of all their options.


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


def players_of(box: Box) -> str:
    """For how many players the box is."""
    least, most = box.model.players.least, box.model.players.most
    if least and most:
        return f"For {least} to {most} players."
    return f"For up to {most} players." if most else "For as many players as the other boxes."


def changes_of(box: Box) -> Iterator[str]:
    """What the box says in place of what others say."""
    instead = box.model.instead
    yield from (f"`{id}` is {value}" for id, value in instead.numbers.items())
    if instead.table is not None:
        yield f"a table has {instead.table.rows} by {instead.table.columns} sections"
    for id, value in instead.options.items():
        yield f"the option `{id}` is {value if isinstance(value, str) else value_text(value)}"


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
