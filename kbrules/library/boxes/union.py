"""The parts of all boxes together: sections, set-ups, and the sizes of things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.catalog import Catalog
from kbrules.library.boards.sections import Section, Size, read_section
from kbrules.library.boards.tables import (
    ODD_ROWS,
    TURNED,
    BoardParts,
    Layout,
    Setup,
    layout_of,
    why_elsewhere,
    why_misshapen,
)  # fmt: skip
from kbrules.library.boxes.claims import Claims
from kbrules.library.boxes.overrides import other_defaults, other_table
from kbrules.library.boxes.stand_ins import STAND_IN, sections_in_force
from kbrules.text import Span

if TYPE_CHECKING:
    from kbrules.library.boxes.box import Box

# What holds when no box says anything.
PLAYERS = (1, 6)
TABLE = (2, 2)
SECTION_SIZE = (10, 10)

Boxes = Sequence["Box"]


def parts_of(boxes: Boxes, catalog: Catalog, claims: Claims) -> BoardParts:
    """The parts of boxes that are in order; findings and spans go to the claims."""
    for box in boxes:
        claims.spans["boxes", box.id] = box.span("id")
    table, size = _sizes(boxes, claims)
    sections = {section.id: section for section in _sections(boxes, catalog, size, claims)}
    players = _players(boxes, claims)
    ids = tuple(box.id for box in boxes)
    marks = dict(_marks(boxes, claims))
    icons = {id: mark.icon for box in boxes for id, mark in box.model.marks.items() if mark.icon}
    sets = dict(_section_sets(boxes, claims))
    defaults = other_defaults(boxes, claims)
    seated_by = _seated_by(boxes, players)
    parts = BoardParts(
        ids, sections, {}, players, table, size, claims.spans, marks, defaults, sets, seated_by,
        any(box.model.start_player == "passes" for box in boxes), icons,
        {box.id: box.model.title for box in boxes},
    )  # fmt: skip
    return replace(parts, setups={setup.id: setup for setup in _setups(boxes, parts, claims)})


def _sizes(boxes: Boxes, claims: Claims) -> tuple[Size, Size]:
    """The table in sections, and the section in hexes."""
    table, size = TABLE, SECTION_SIZE
    span: Span | None = None
    for box in boxes:
        if box.model.table:
            table = (box.model.table.rows, box.model.table.columns)
            claims.value("the size of the table", table, box.span("table"))
        if box.model.section:
            size = (box.model.section.rows, box.model.section.columns)
            claims.value("the size of a section", size, box.span("section"))
            span = box.span("section", "rows")
    table = other_table(boxes, table, claims)
    if span and size[0] % 2 and table[0] > 1:
        help = "every second section would lie half a hex off"
        claims.found.append(Diagnostic("KB403", span, ODD_ROWS, help))
    return table, size


def _players(boxes: Boxes, claims: Claims) -> tuple[int, int]:
    players_of_boxes = [box.model.players for box in boxes]
    least = min((players.least for players in players_of_boxes if players.least), default=0)
    most = max((players.most for players in players_of_boxes if players.most), default=0)
    if most and least > most:
        span = next(box.span("players", "least") for box in boxes if box.model.players.least)
        message = f"the least number of players, {least}, is above the most, {most}"
        claims.found.append(Diagnostic("KB403", span, message))
    return least or PLAYERS[0], most or PLAYERS[1]


def _seated_by(boxes: Boxes, players: tuple[int, int]) -> tuple[str, str]:
    """The first boxes that say the least and the most number of players; empty if none does."""
    least = (box.id for box in boxes if box.model.players.least == players[0])
    most = (box.id for box in boxes if box.model.players.most == players[1])
    return next(least, ""), next(most, "")


def _sections(boxes: Boxes, catalog: Catalog, size: Size, claims: Claims) -> Iterator[Section]:
    letters = {kind.letter: kind.title for kind in catalog.hexes}
    for box, id in sections_in_force(boxes, claims):
        key, model = box.key("sections", id), box.model.sections[id]
        if id == TURNED:
            message = f"{quoted(id)} says how a section lies, so no section is called so"
            claims.found.append(Diagnostic("KB411", key, message))
        drawn = box.drawn("sections", id, "rows")
        wanted = None if model.grid else size
        rows, found = read_section(drawn, wanted, letters, model.places)
        claims.found.extend(found)
        if rows is not None:
            stand_in = model.map == STAND_IN
            places = dict(model.places)
            yield Section(id, rows, places, stand_in, key, model.tasks, model.grid)


def _marks(boxes: Boxes, claims: Claims) -> Iterator[tuple[str, str]]:
    for box in boxes:
        for id, model in box.model.marks.items():
            if claims.id("marks", "mark", id, box.key("marks", id)):
                yield id, model.title or id.replace("_", " ")


def _section_sets(boxes: Boxes, claims: Claims) -> Iterator[tuple[str, tuple[str, ...]]]:
    for box in boxes:
        for id, sections in box.model.section_sets.items():
            if claims.id("section_sets", "set of sections", id, box.key("section_sets", id)):
                yield id, sections


def _setups(boxes: Boxes, parts: BoardParts, claims: Claims) -> Iterator[Setup]:
    for box in boxes:
        for id, model in box.model.setups.items():
            key = box.key("setups", id)
            if claims.id("setups", "set-up", id, key):
                layout = _layout(box, id, parts, claims) if model.sections else None
                title = model.title or id.replace("_", " ").replace("-", " ")
                claims.found.extend(_misplaced(box, id, parts))
                grids = dict(model.grids)
                yield Setup(id, title, layout, model.cards, key, model.tiles, grids)


def _layout(box: Box, setup: str, parts: BoardParts, claims: Claims) -> Layout | None:
    try:
        layout = layout_of(box.model.setups[setup].sections)
        problem = why_misshapen(layout, parts.section_size)
    except ValueError as error:
        layout, problem = None, str(error)
    if problem:
        span = box.span("setups", setup, "sections")
        claims.found.append(Diagnostic("KB403", span, problem))
    return layout


def _misplaced(box: Box, setup: str, parts: BoardParts) -> Iterator[Diagnostic]:
    """The sections of a set-up that do not lie where they belong."""
    model = box.model.setups[setup]
    for i, row in enumerate(model.sections):
        for j, words in enumerate(row):
            problem = why_elsewhere(parts, words.removesuffix(f" {TURNED}"), "")
            if problem:
                yield Diagnostic("KB403", box.span("setups", setup, "sections", i, j), problem)
    for grid, section in model.grids.items():
        if problem := why_elsewhere(parts, section, grid):
            yield Diagnostic("KB403", box.span("setups", setup, "grids", grid), problem)
