"""Words of which the things of the boxes say what they mean: tags, kinds of terrain and piece."""

from __future__ import annotations

from kbrules.game.board import Catalog
from kbrules.kernel.lowering.function_writer import FunctionWriter
from kbrules.library.rules.vocabulary import hex_tags, piece_tags


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
    at, number = fn.new_local("M[SCRATCH]"), fn.new_local("0")
    for i, kind in enumerate(catalog.hexes):
        if not kind.is_place:
            found = fn.new_local(f"groups(M, load(M, KINDS + {i} * W))")
            fn.line(f"{number} += {found}[1]")
    return f"({at}, {number})"


def kinds_on_board(catalog: Catalog, are_places: bool, fn: FunctionWriter) -> str:
    """A list of the terrains that lie on the board, or of the kinds of place."""
    kinds = [i for i, kind in enumerate(catalog.hexes) if kind.is_place is are_places]
    return _list(kinds, "some(load(M, KINDS + {} * W))", fn)


def piece_kinds(catalog: Catalog, fn: FunctionWriter) -> str:
    """A list of the kinds of piece that players have."""
    return _list([i for i, piece in enumerate(catalog.pieces) if not piece.neutral], "True", fn)


def _list(kinds: list[int], test: str, fn: FunctionWriter) -> str:
    """Where a list of those kinds lies for which a test holds: how many, and then each."""
    at = fn.new_local(f"allocate_scratch(M, {len(kinds) + 1})")
    fn.line(f"M[{at}] = 0")
    for number in kinds:
        with fn.block(f"if {test.format(number)}:"):
            fn.line(f"M[{at}] += 1")
            fn.line(f"M[{at} + M[{at}]] = {number}")
    return at


def _joined(sets: list[str]) -> str:
    return f"({' | '.join(sets)})" if sets else "nothing()"
