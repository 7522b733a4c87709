"""Boards as text: one line per row, one word per hex, odd rows indented by half a hex.

    a b c
     d e f
    - h i

Words are separated by blanks; `-` is a hole. Every line may begin with a `|`, to protect its
indentation where the text is quoted. When read, indentation and empty lines mean nothing: which
row is odd follows from counting. When written, all words get the same room, an even number of
letters, so that half of it is a whole number and neighbours stand where they stand on the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.hex.grid import column_letters

HOLE = "-"

_MARGIN = re.compile(r"\s*\|(?=\s|$)")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a drawing and where it starts in the text, in characters from 0."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The words of a drawing, row by row; rows need not be equally long."""

    rows: tuple[tuple[Token, ...], ...]

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The bare words."""
        return tuple(tuple(token.text for token in row) for row in self.rows)

    @property
    def hexes(self) -> frozenset[tuple[int, int]]:
        """(row, column) of every word that is not a hole."""
        return frozenset(
            (r, c)
            for r, row in enumerate(self.rows)
            for c, token in enumerate(row)
            if token.text != HOLE
        )


def parse_drawing(text: str) -> Drawing:
    """The words of a text; any text is a drawing of something, so nothing is refused here."""
    rows = []
    start = 0
    for line in text.split("\n"):
        if row := _tokens(line, start):
            rows.append(row)
        start += len(line) + 1
    return Drawing(tuple(rows))


def _tokens(line: str, start: int) -> tuple[Token, ...]:
    margin = _MARGIN.match(line)
    words = _WORD.finditer(line, margin.end() if margin else 0)
    return tuple(Token(word.group(), start + word.start()) for word in words)


def render(rows: Sequence[Sequence[str]]) -> str:
    """The drawing of rows of words, without a newline at its end.

    `ValueError` if it could not be read back: a row or a word is empty, a word holds blanks, or a
    row begins with a bare `|`.
    """
    _check(rows)
    pitch = _pitch([word for row in rows for word in row])
    return "\n".join(_line(row, r, pitch) for r, row in enumerate(rows))


def render_framed(rows: Sequence[Sequence[str]]) -> str:
    """The drawing with column letters above and row numbers to its left; for people only."""
    _check(rows)
    letters = [column_letters(c) for c in range(max((len(row) for row in rows), default=0))]
    pitch = _pitch([*letters, *(word for row in rows for word in row)])
    room = len(str(len(rows)))
    head = " " * (room + 1) + _line(letters, 0, pitch)
    return "\n".join(
        [head, *(f"{r + 1:>{room}} {_line(row, r, pitch)}" for r, row in enumerate(rows))]
    )


def _check(rows: Sequence[Sequence[str]]) -> None:
    for r, row in enumerate(rows):
        if not row or row[0] == "|":
            raise ValueError(f"row {r + 1} of a drawing is empty or begins with a `|`")
        for word in row:
            if not _WORD.fullmatch(word):
                raise ValueError(f"`{word}` cannot stand for a hex: one word without blanks")


def _pitch(words: Sequence[str]) -> int:
    widest = max(map(len, words), default=1)
    return (widest // 2 + 1) * 2


def _line(row: Sequence[str], number: int, pitch: int) -> str:
    indent = " " * (pitch // 2) if number % 2 else ""
    return (indent + "".join(word.ljust(pitch) for word in row)).rstrip()
