"""What may be drawn on a hex."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.game.board import Catalog
from kbrules.library.boards.positions import FIRST, OWNERS
from kbrules.text import Source
from kbrules.tools.language_service.answers import Completion, CompletionKind
from kbrules.tools.language_service.texts import line_before

_SEATS = 3  # players whose pieces are proposed; more are typed
_MARKS = {"+": "offered", "<": "lifted", "!": "built on"}


def signs_of_drawings(catalog: Catalog, source: Source, offset: int) -> Iterator[Completion]:
    """The signs that may follow what is drawn of a hex so far: its kind, a piece, a mark."""
    before = line_before(source, offset).rpartition("|")[2]
    typed = before.split(" ")[-1]
    span = source.span(offset, offset)
    if not typed:
        for kind in catalog.hexes:
            if kind.letter:
                title = kind.title or kind.id
                yield Completion(kind.letter, CompletionKind.HEX, span, kind.letter, title)
        yield Completion(FIRST, CompletionKind.HEX, span, FIRST, "any terrain")
        return
    if len(typed) == 1:
        yield from _pieces(catalog, source, offset)
    for mark, meaning in _MARKS.items():
        yield Completion(typed + mark, CompletionKind.HEX, span, mark, meaning)


def _pieces(catalog: Catalog, source: Source, offset: int) -> Iterator[Completion]:
    typed = source.text[offset - 1 : offset]
    owned = [piece for piece in catalog.pieces if not piece.neutral]
    for owner in OWNERS[:_SEATS]:
        for piece in owned:
            sign = owner if piece is owned[0] else owner + piece.letter
            title = f"{piece.title or piece.id} of player {owner}"
            span = source.span(offset, offset)
            yield Completion(typed + sign, CompletionKind.HEX, span, sign, title)
