"""Drawings changed by the mouse: what is put on a hex becomes an edit of the text."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbrules.game.board import Catalog
from kbrules.hex.grid import column_letters
from kbrules.library.boards.positions import FIRST, MARKS, OWNERS
from kbrules.library.boards.sections import DrawingSource, DrawnWord
from kbrules.tools.workshop.requests import Refused

CLEAR = "-"
"""Takes away what stands on a hex, and its mark."""
_NAME = re.compile(r"([a-z]{1,2})([0-9]{1,3})")
_SEATS = 2  # players whose pieces are offered; more are typed


class TextChange(NamedTuple):
    """Characters of the text that others take the place of."""

    start: int
    end: int
    text: str


def palette(catalog: Catalog) -> list[dict[str, str]]:
    """What can be put on a hex: its sign, and what it is."""
    kinds = [{"sign": kind.letter, "title": kind.title} for kind in catalog.hexes if kind.letter]
    pieces = [
        {"sign": owner + piece.letter, "title": f"{piece.title} of {owner}"}
        for owner in OWNERS[:_SEATS]
        for piece in catalog.pieces
        if not piece.neutral
    ]
    others = [{"sign": FIRST, "title": "any terrain"}, {"sign": "+", "title": "offered"}]
    return [*kinds, *others, *pieces, {"sign": CLEAR, "title": "nothing"}]


def put_sign(drawing: DrawingSource, hex: str, sign: str, catalog: Catalog) -> TextChange:
    """The edit that puts a sign of the palette on a hex.

    Columns of the drawing stay where blanks leave room. Raises Refused for a hex or a sign that
    there is not.
    """
    if sign not in {each["sign"] for each in palette(catalog)}:
        raise Refused("that cannot be drawn", "choose something of the palette")
    word = _word(drawing, hex)
    return _edit(word, _with_sign(word.text, sign, catalog))


def move_piece(drawing: DrawingSource, origin: str, hex: str) -> list[TextChange]:
    """The edits that move the piece of a hex to another; without a piece, its terrain is copied."""
    source, target = _word(drawing, origin), _word(drawing, hex)
    if source == target:
        return []
    ground, piece, mark = _parts(source.text)
    target_ground, target_piece, target_mark = _parts(target.text)
    if not piece:
        return [_edit(target, ground + target_piece + target_mark)]
    return [_edit(source, ground + mark), _edit(target, target_ground + piece + target_mark)]


def _edit(word: DrawnWord, text: str) -> TextChange:
    source, end = word.span.source.text, word.span.end
    blanks_after = len(source[end:]) - len(source[end:].lstrip(" "))
    is_last = source[end + blanks_after : end + blanks_after + 1] in ("", "\n", "\r")
    growth = len(text) - len(word.text)
    if growth > 0:
        end += min(growth, blanks_after if is_last else max(0, blanks_after - 1))
    blanks = "" if is_last else " " * -growth
    return TextChange(word.span.start, end, text + blanks)


def _word(drawing: DrawingSource, hex: str) -> DrawnWord:
    """The word of a hex of the table; islands are typed."""
    address = _NAME.fullmatch(hex)
    rows = drawing.rows()
    if address and not any(word.text.endswith(":") for row in rows for word in row):
        number = int(address[2]) - 1
        row = rows[number] if 0 <= number < len(rows) else ()
        for column, word in enumerate(row):
            if column_letters(column) == address[1]:
                return word
    raise Refused(f"`{hex[:20]}` is not drawn here", "choose a hex of the picture")


def _parts(word: str) -> tuple[str, str, str]:
    """The kind of a cell, its piece and its mark."""
    mark = word[-1] if len(word) > 1 and word[-1] in MARKS else ""
    return word[0], word[1 : len(word) - len(mark)], mark


def _with_sign(word: str, sign: str, catalog: Catalog) -> str:
    """The word of a cell with something put on it."""
    kind, piece, mark = _parts(word)
    if sign == CLEAR:
        return kind
    if sign in MARKS:
        return kind + piece + ("" if mark == sign else sign)
    if sign[0] in OWNERS:
        first = next(each.letter for each in catalog.pieces if not each.neutral)
        return kind + (sign[0] if sign[1:] == first else sign) + mark
    return sign + piece + mark
