"""The union of boxes: one catalog of things, whatever order the boxes were loaded in.

Within a box the order of its file holds. Of two things with one id the first stays and the
second is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.catalog import Catalog, GridKind, HexKind, Piece, TerrainCard, TileKind
from kbrules.library.boards.tables import BoardParts
from kbrules.library.boxes.claims import Claims
from kbrules.library.boxes.order import in_order
from kbrules.library.boxes.overrides import other_numbers
from kbrules.library.boxes.references import KnownIds, unknown_ids
from kbrules.library.boxes.supply_check import shortages
from kbrules.library.boxes.union import parts_of

if TYPE_CHECKING:  # playing needs `Parts` from here, and models are slow to load
    from kbrules.library.boxes.box import Box

Boxes = Sequence["Box"]


def merge(boxes: Iterable[Box]) -> tuple[Catalog, BoardParts, list[Diagnostic]]:
    """The things and parts of all boxes together, and what does not fit together.

    Both are there even when something is wrong, without the things that are; for play they
    are good only when nothing is.
    """
    ordered, found = in_order(boxes)
    claims = Claims(found=found)
    catalog = _catalog(ordered, claims)
    parts = parts_of(ordered, catalog, claims)
    known = KnownIds(
        # A thing whose letter is taken is no less there.
        terrains=claims.ids("terrains"),
        places=claims.ids("places"),
        tiles={tile.id: tile.place for tile in catalog.tiles},
        cards=claims.ids("cards") | claims.ids("tasks"),
        sections=claims.ids("sections"),
        shared=frozenset(id for tiles in catalog.by_sector.values() for id in tiles),
        grids=claims.ids("grids"),
        covered=frozenset(
            section.grid for box in ordered for section in box.model.sections.values()
        ),
    )
    found += [each for box in ordered for each in unknown_ids(box, known)]
    found += shortages(catalog, parts)
    return catalog, parts, sorted(found)


def _catalog(boxes: Boxes, claims: Claims) -> Catalog:
    hexes = tuple(_hexes(boxes, claims))
    cards = tuple(_cards(boxes, claims))
    return Catalog(
        hexes,
        tuple(_pieces(boxes, claims)),
        tuple(_tiles(boxes, claims)),
        cards,
        _deck(boxes, hexes),
        _numbers(boxes, claims),
        tuple(id for id in cards if ("tasks", id) in claims.spans),
        _by_sector(boxes),
        tuple(_grids(boxes, claims)),
    )


def _hexes(boxes: Boxes, claims: Claims) -> Iterator[HexKind]:
    noun = "kind of hex"
    for box in boxes:
        for table, models in (("terrains", box.model.terrains), ("places", box.model.places)):
            for id, kind in models.items():
                letter_span = box.span(table, id, "letter")
                if claims.id(table, noun, id, box.key(table, id)) and claims.letter(
                    noun, kind.letter, letter_span
                ):
                    title = kind.title or _title(id)
                    is_place = table == "places"
                    looks = kind.texture, kind.icon
                    yield HexKind(id, kind.letter, title, kind.colour, kind.tags, is_place, *looks)


def _grids(boxes: Boxes, claims: Claims) -> Iterator[GridKind]:
    for box in boxes:
        for id, grid in box.model.grids.items():
            if claims.id("grids", "grid", id, box.key("grids", id)):
                yield GridKind(id, grid.title or _title(id), grid.tags)


def _pieces(boxes: Boxes, claims: Claims) -> Iterator[Piece]:
    for box in boxes:
        for id, piece in box.model.pieces.items():
            letter_span = box.span("pieces", id, "letter")
            if claims.id("pieces", "piece", id, box.key("pieces", id)) and claims.letter(
                "piece", piece.letter, letter_span
            ):
                title = piece.title or _title(id)
                counted = piece.supply, piece.tags, piece.neutral, piece.shape
                yield Piece(id, piece.letter, title, *counted, piece.icon)


def _tiles(boxes: Boxes, claims: Claims) -> Iterator[TileKind]:
    for box in boxes:
        for id, tile in box.model.tiles.items():
            if claims.id("tiles", "tile", id, box.key("tiles", id)):
                each = tile.each or min(1, tile.copies)
                title = tile.title or _title(id)
                yield TileKind(id, tile.kind, title, tile.place, each, tile.copies)


def _cards(boxes: Boxes, claims: Claims) -> Iterator[str]:
    for box in boxes:
        for table, ids in (("cards", box.model.cards), ("tasks", box.model.tasks)):
            for index, id in enumerate(ids):
                if claims.id(table, "card", id, box.span(table, index)):
                    yield id


def _by_sector(boxes: Boxes) -> dict[str, tuple[str, ...]]:
    """The tiles of all boxes, each once, sorted so that no order of boxes matters."""
    found: dict[str, set[str]] = {}
    for place, tiles in (item for box in boxes for item in box.model.sector_tiles.items()):
        found.setdefault(place, set()).update(tiles)
    return {place: tuple(sorted(found[place])) for place in sorted(found)}


def _deck(boxes: Boxes, hexes: Sequence[HexKind]) -> tuple[TerrainCard, ...]:
    """Equal cards of several boxes make one entry, so that a card has one name."""
    index_of = {kind.id: index for index, kind in enumerate(hexes)}
    counts: dict[tuple[int, ...], int] = {}
    for card in (card for box in boxes for card in box.model.deck):
        terrains = tuple(sorted({index_of[id] for id in card.terrains if id in index_of}))
        if terrains:
            counts[terrains] = counts.get(terrains, 0) + card.count
    return tuple(TerrainCard(terrains, count) for terrains, count in counts.items())


def _numbers(boxes: Boxes, claims: Claims) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for box in boxes:
        for id, value in box.model.numbers.items():
            claims.value(f"the number {quoted(id)}", value, box.span("numbers", id))
            claims.spans.setdefault(("numbers", id), box.key("numbers", id))
            numbers.setdefault(id, value)
    return other_numbers(boxes, numbers, claims)


def _title(id: str) -> str:
    return id.replace("_", " ")
