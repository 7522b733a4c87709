"""Words of which the things of the boxes say what they mean: tags, kinds of terrain and piece."""

from __future__ import annotations

from kbrules.game.catalog import Catalog
from kbrules.kernel.lowering.source import FunctionWriter
from kbrules.library.rules.vocabulary import hex_tags, piece_tags

__all__ = ["areas", "neutral_pieces", "tagged"]


def tagged(catalog: Catalog, tag: str) -> str | None:
    """The hexes of all that has a tag; None if nothing of the boxes can have it."""
    if tag in piece_tags(catalog):
        pieces = [i for i, piece in enumerate(catalog.pieces) if tag in piece.tags]
        return _joined([f"held_by_all(M, {piece})" for piece in pieces])
    if tag in hex_tags(catalog):
        kinds = [f"KINDS + {i} * W" for i, kind in enumerate(catalog.hexes) if tag in kind.tags]
        grids = [f"GRIDS + {i} * W" for i, grid in enumerate(catalog.grids) if tag in grid.tags]
        return _joined([f"load(M, {at})" for at in [*kinds, *grids]])
    return None


def neutral_pieces(catalog: Catalog) -> str:
    """The pieces of nobody."""
    pieces = [i for i, piece in enumerate(catalog.pieces) if piece.neutral]
    return _joined([f"load(M, NEUTRAL + {piece} * W)" for piece in pieces])


def areas(catalog: Catalog, fn: FunctionWriter) -> str:
    """The groups of each terrain, one list behind another."""
    at, number = fn.new("M[SCRATCH]"), fn.new("0")
    for i, kind in enumerate(catalog.hexes):
        if not kind.is_place:
            found = fn.new(f"groups(M, load(M, KINDS + {i} * W))")
            fn.line(f"{number} += {found}[1]")
    return f"({at}, {number})"


def _joined(sets: list[str]) -> str:
    return f"({' | '.join(sets)})" if sets else "nothing()"
