"""What boxes say about each other's things by id: every id must name something that is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.library.boards.tables import TURNED
from kbrules.text import Span

if TYPE_CHECKING:
    from kbrules.library.boxes.box import Box


@dataclass(frozen=True, slots=True)
class KnownIds:
    """The ids of all boxes together; `tiles` has the place of each, which may be empty.

    `shared` are the tiles that are drawn for whole sectors.
    `covered` are the grids for which some section is meant.
    """

    terrains: frozenset[str]
    places: frozenset[str]
    tiles: Mapping[str, str]
    cards: frozenset[str]
    sections: frozenset[str]
    grids: frozenset[str]
    covered: frozenset[str]
    shared: frozenset[str] = frozenset()


def unknown_ids(box: Box, known: KnownIds) -> Iterator[Diagnostic]:
    """The findings about the ids a box uses."""
    for id, tile in box.model.tiles.items():
        if tile.place:
            span = box.span("tiles", id, "place")
            yield from _named("place", tile.place, known.places, span)
        elif tile.copies:
            message = f"no place can get the tile {quoted(id)}, for it lies on no kind of place"
            span = box.key("tiles", id, "copies")
            yield Diagnostic("KB403", span, message, "give the tile a `place`")
    for index, card in enumerate(box.model.deck):
        for at, terrain in enumerate(card.terrains):
            span = box.span("deck", index, "terrains", at)
            yield from _named("terrain", terrain, known.terrains, span)
            if terrain in card.terrains[:at]:
                yield Diagnostic("KB403", span, f"the card shows {quoted(terrain)} twice")
    yield from _of_shares(box, known)
    for id, sections in box.model.section_sets.items():
        for index, section in enumerate(sections):
            span = box.span("section_sets", id, index)
            yield from _named("section", section, known.sections, span)
    for id in box.model.grids:
        if id not in known.covered:
            message = f"no section can lie on the grid {quoted(id)}"
            help = f"draw one that says `grid: {id}`"
            yield Diagnostic("KB414", box.key("grids", id), message, help)
    for id in box.model.sections:
        yield from _of_section(box, id, known)
    for id in box.model.setups:
        yield from _of_setup(box, id, known)


def _of_shares(box: Box, known: KnownIds) -> Iterator[Diagnostic]:
    for place, tiles in box.model.sector_tiles.items():
        yield from _named("place", place, known.places, box.key("sector_tiles", place))
        for index, tile in enumerate(tiles):
            span = box.span("sector_tiles", place, index)
            yield from _named("tile", tile, known.tiles, span)
            if known.tiles.get(tile, place) != place:
                message = f"the tile {quoted(tile)} does not lie on places {quoted(place)}"
                yield Diagnostic("KB403", span, message)


def _of_section(box: Box, id: str, known: KnownIds) -> Iterator[Diagnostic]:
    section = box.model.sections[id]
    if section.grid:
        yield from _named("grid", section.grid, known.grids, box.span("sections", id, "grid"))
    for digit, tile in section.places.items():
        span = box.span("sections", id, "places", digit)
        yield from _named("tile", tile, known.tiles, span)
        if known.tiles.get(tile) == "":
            message = f"the tile {quoted(tile)} lies on no kind of place"
            yield Diagnostic("KB403", span, message, "give the tile a `place`")
        if digit not in section.rows:
            key = box.key("sections", id, "places", digit)
            yield Diagnostic("KB403", key, f"the digit {quoted(digit)} is not in the drawing")


def _of_setup(box: Box, id: str, known: KnownIds) -> Iterator[Diagnostic]:
    setup = box.model.setups[id]
    for index, card in enumerate(setup.cards):
        span = box.span("setups", id, "cards", index)
        yield from _named("card", card, known.cards, span)
    yield from _of_setup_tiles(box, id, known)
    for i, row in enumerate(setup.sections):
        for j, words in enumerate(row):
            span = box.span("setups", id, "sections", i, j)
            section = words.removesuffix(f" {TURNED}")
            yield from _named("section", section, known.sections, span)
    for grid, section in setup.grids.items():
        yield from _named("grid", grid, known.grids, box.key("setups", id, "grids", grid))
        span = box.span("setups", id, "grids", grid)
        yield from _named("section", section, known.sections, span)


def _of_setup_tiles(box: Box, id: str, known: KnownIds) -> Iterator[Diagnostic]:
    setup = box.model.setups[id]
    if setup.tiles and [len(row) for row in setup.tiles] != [len(row) for row in setup.sections]:
        span = box.key("setups", id, "tiles")
        yield Diagnostic("KB403", span, "the tiles are not as many as the sections, row by row")
    for i, row in enumerate(setup.tiles):
        for j, tile in enumerate(row):
            span = box.span("setups", id, "tiles", i, j)
            yield from _named("tile", tile, known.tiles, span)
            if tile in known.tiles and tile not in known.shared:
                yield Diagnostic("KB403", span, f"{quoted(tile)} is drawn for no sector")


def _named(noun: str, id: str, known: Iterable[str], span: Span) -> Iterator[Diagnostic]:
    if id in (names := sorted(known)):
        return
    help = did_you_mean(id, names, "declare it, or load the box that has it")
    yield Diagnostic("KB413", span, f"there is no {noun} {quoted(id)}", help)
