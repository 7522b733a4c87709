"""The selected maps, made into boards one by one, with the place of each hex in its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.game.board import Board
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.library.boards.sections import Section
from kbrules.library.boards.tables import lay_section
from kbrules.library.boxes.box import Box
from kbrules.text import Span
from kbrules.tools.authoring.lint.bounds import NEIGHBOURS
from kbrules.tools.authoring.lint.subject import Subject


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A section lying upright by itself, and the box whose file draws it."""

    box: Box
    section: Section
    board: Board

    @property
    def is_on_table(self) -> bool:
        """Whether it lies on the table, beside others, and not on a grid of its own."""
        return not self.section.grid

    @property
    def places(self) -> Mask:
        """The hexes that are places and no terrain."""
        places = 0
        for kind, mask in zip(self.board.catalog.hexes, self.board.kinds, strict=True):
            places |= mask if kind.is_place else 0
        return places

    @property
    def rim(self) -> Mask:
        """The hexes at its edge: those that have not six neighbours."""
        grid, rim = self.board.grid, 0
        for hex in bits(grid.full):
            if grid.neighbours(1 << hex).bit_count() < NEIGHBOURS:
                rim |= 1 << hex
        return rim

    def span(self, hexes: Mask) -> Span:
        """Where the first of some hexes is drawn."""
        _, row, column = self.board.grid.address(lowest(hexes))
        return self.box.drawn("sections", self.section.id, "rows").rows()[row][column].span


def maps(subject: Subject) -> tuple[Map, ...]:
    """The maps of the selected data files."""
    return tuple(_maps(subject))


def _maps(subject: Subject) -> Iterator[Map]:
    for box in subject.boxes:
        for id in box.model.sections:
            section = subject.ruleset.parts.sections.get(id)
            if section is not None and section.span.source is box.document.source:
                yield Map(box, section, lay_section(subject.catalog, section, False))


def ground_of(subject: Subject, board: Board) -> Mask:
    """The hexes of the terrains that cards show."""
    ground = 0
    for terrain in {terrain for card in subject.catalog.deck for terrain in card.terrains}:
        ground |= board.kinds[terrain]
    return ground


def pockets(map: Map, ground: Mask) -> Iterator[Mask]:
    """The stretches of ground that neither reach the rim of a map nor touch the rest of it."""
    grid, rim = map.board.grid, map.rim
    while ground:
        pocket = ground & -ground
        while (larger := (pocket | grid.neighbours(pocket)) & ground) != pocket:
            pocket = larger
        ground &= ~pocket
        if not pocket & rim:
            yield pocket
