"""The words that loaded boxes add to the language: their things, numbers and tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from functools import partial

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.board import Board
from kbrules.game.catalog import Catalog
from kbrules.game.state import SHOWN, ZONES
from kbrules.game.view import View
from kbrules.lang.evaluation.constant_folding import Implementation
from kbrules.lang.typed.signature import Constant, Signature, Vocabulary
from kbrules.lang.typed.sorts import Sort
from kbrules.library.boards.tables import BoardParts
from kbrules.primitives import numbers
from kbrules.primitives.vocabulary import implementations, vocabulary
from kbrules.text import Span


def full_vocabulary(
    catalog: Catalog,
    unreadable_names: Set[str] = frozenset(),
    has_gaps: bool = False,
    clashing: Set[str] = frozenset(),
) -> Vocabulary:
    """The vocabulary of the registry with everything the catalog names.

    `unreadable_names` name what is not known; with gaps that may be any name.
    `clashing` are things whose names mean something else already, and go on to do so.
    """
    plain = vocabulary()
    tags = {s.name: (s,) for s in _tag_signatures(catalog) if s.name not in clashing}
    words = {**plain.words, **tags}
    constants = {n: c for n, c in _constants(catalog) if n not in clashing}
    return replace(
        plain,
        words=words,
        constants={**dict(_own_constants(plain)), **constants},
        quantities=frozenset(catalog.numbers) - clashing,
        unreadable_names=frozenset(unreadable_names),
        has_gaps=has_gaps,
    )


def full_implementations(catalog: Catalog) -> dict[str, Implementation]:
    """The code of every word, tags included."""
    found = dict(implementations())
    for tag in hex_tags(catalog):
        hexes: Callable[[Board], int] = partial(numbers.tagged, name=tag)
        found[f"{tag}()"] = Implementation(hexes, "board")
    for tag in piece_tags(catalog):
        pieces: Callable[[View], int] = partial(numbers.tagged_pieces, name=tag)
        found[f"{tag}()"] = Implementation(pieces, "view")
    return found


def hex_tags(catalog: Catalog) -> list[str]:
    """The tags of kinds of hex and of grids, sorted."""
    tagged = [kind.tags for kind in catalog.hexes] + [kind.tags for kind in catalog.grids]
    return sorted({tag for tags in tagged for tag in tags})


def piece_tags(catalog: Catalog) -> list[str]:
    """The tags of pieces, sorted."""
    return sorted({tag for piece in catalog.pieces for tag in piece.tags})


def _tag_signatures(catalog: Catalog) -> Iterator[Signature]:
    for tag in hex_tags(catalog):
        yield Signature(tag, (), Sort.HEXES, True, f"The hexes tagged `{tag}`.", tag)
    for tag in piece_tags(catalog):
        yield Signature(tag, (), Sort.HEXES, False, f"The hexes with a piece tagged `{tag}`.", tag)


def _own_constants(plain: Vocabulary) -> Iterator[tuple[str, Constant]]:
    for verb in sorted(plain.norm_verbs()):
        yield verb, Constant(Sort.VERB, verb)
    for zone in (*ZONES, SHOWN):
        yield zone, Constant(Sort.ZONE, zone)


def _constants(catalog: Catalog) -> Iterator[tuple[str, Constant]]:
    for index, kind in enumerate(catalog.hexes):
        yield kind.id, Constant(Sort.PLACE if kind.is_place else Sort.TERRAIN, index)
    for index, piece in enumerate(catalog.pieces):
        yield piece.id, Constant(Sort.PIECE, index)
    for index, tile in enumerate(catalog.tiles):
        yield tile.id, Constant(Sort.TILE, index)
    for index, card in enumerate(catalog.cards):
        yield card, Constant(Sort.CARD, index)


def taken_names(
    catalog: Catalog, parts: BoardParts, folder_numbers: Mapping[str, int]
) -> Iterator[tuple[str, Diagnostic]]:
    """Things whose id is a word of the language already, or the id of another kind of thing.

    Of two in different folders, numbered by source, the later one is reported.
    """
    taken = dict.fromkeys((*vocabulary().names(), *vocabulary().norm_verbs(), *ZONES, SHOWN))
    seen: dict[str, tuple[str, Span]] = {}
    for table, ids in tables_of(catalog):
        for id in ids:
            span = parts.spans.get((table, id), Span.none("the boxes"))
            if id in taken:
                yield id, _taken(id, "is already a word of the language", span)
            elif id in seen:
                both = (seen[id], (table, span))
                (other, first), (_, later) = sorted(
                    both, key=lambda each: folder_numbers.get(each[1].source.name, 0)
                )
                label = Label(first, "declared here")
                yield id, _taken(id, f"is also in `{other}`", later, (label,))
            seen.setdefault(id, (table, span))


def tables_of(catalog: Catalog) -> Iterator[tuple[str, list[str]]]:
    """The ids of things that are words of rules, by the key of a box under which they stand."""
    yield "terrains", [kind.id for kind in catalog.hexes if not kind.is_place]
    yield "places", [kind.id for kind in catalog.hexes if kind.is_place]
    yield "pieces", [piece.id for piece in catalog.pieces]
    yield "tiles", [tile.id for tile in catalog.tiles]
    yield "cards", list(catalog.scoring)
    yield "tasks", list(catalog.tasks)
    yield "numbers", list(catalog.numbers)
    yield "tags", [*hex_tags(catalog), *piece_tags(catalog)]


def _taken(id: str, why: str, span: Span, labels: tuple[Label, ...] = ()) -> Diagnostic:
    return Diagnostic("KB202", span, f"`{id}` {why}", "choose another name", labels)
