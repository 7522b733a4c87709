"""Sections: the printed pieces of a board, read from their drawings.

A section is drawn with one letter per hex: the letter of a kind of hex, a digit for a hex with
tiles, or `-` for a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.hex.drawing import HOLE
from kbrules.library.boards.drawing_source import DrawingSource, DrawnWord
from kbrules.text import Span, counted

BLANK = "?"  # a hex that is still to be drawn

_SIZE = "draw a sign for each hex, a hole too; how many there are is said once for all boxes"

Size = tuple[int, int]  # rows, columns
MAX_LENGTH = 30  # rows, and hexes in a row
Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section: one string per row, one character per hex.

    `places` gives the id of the tile for each digit in it; a `stand_in` has an invented map.
    `tasks` is how many task cards come into play with it. `grid` is where it lies, the table if
    empty.
    """

    id: str
    rows: Rows
    places: Mapping[str, str]
    stand_in: bool
    span: Span
    tasks: int = 0
    grid: str = ""

    @property
    def cells(self) -> tuple[tuple[int, int, str], ...]:
        """(row, column, letter or digit) of every hex, counted from 0."""
        return tuple(
            (r, c, letter)
            for r, row in enumerate(self.rows)
            for c, letter in enumerate(row)
            if letter != HOLE
        )


def read_section(
    drawn: DrawingSource, size: Size | None, letters: Mapping[str, str], digits: Mapping[str, str]
) -> tuple[Rows | None, list[Diagnostic]]:
    """The rows of a section and what is wrong with its drawing; no rows when anything is.

    `letters` has the title of each kind of hex by its letter, `digits` the tile of each digit.
    Without a size it may have any shape, `MAX_LENGTH` hexes wide and high at the most.
    """
    rows = drawn.rows()
    found = [*_blanks(rows, letters), *_wrong_cells(rows, letters, digits)]
    if size is not None:
        found += _wrong_rows(rows, size[1])
        found += _wrong_height(drawn, rows, size[0])
    else:
        found += _too_large(rows)
    found += _empty(drawn, rows)
    if found:
        return None, sorted(found)
    return tuple("".join(word.text for word in row) for row in rows), []


Words = tuple[tuple[DrawnWord, ...], ...]


def _wrong_height(drawn: DrawingSource, rows: Words, height: int) -> Iterator[Diagnostic]:
    if len(rows) != height:
        message = f"a section has {counted(height, 'row')}, this one {counted(len(rows), 'row')}"
        surplus = rows[height] if len(rows) > height else None
        yield Diagnostic("KB407", _span_of(surplus) if surplus else drawn.span, message, _SIZE)


def _too_large(rows: Words) -> Iterator[Diagnostic]:
    for number, row in enumerate(rows, 1):
        if number > MAX_LENGTH or len(row) > MAX_LENGTH:
            most = f"{counted(MAX_LENGTH, 'row')} of {counted(MAX_LENGTH, 'hex')}"
            message = f"a section has at most {most}"
            yield Diagnostic("KB407", _span_of(row), message, "leave rows or hexes out")
            return


def _empty(drawn: DrawingSource, rows: Words) -> Iterator[Diagnostic]:
    if rows and all(word.text == HOLE for row in rows for word in row):
        yield Diagnostic("KB407", drawn.span, "a section needs at least one hex", _SIZE)


def _wrong_rows(rows: Words, width: int) -> Iterator[Diagnostic]:
    for number, row in enumerate(rows, 1):
        # Letters written together are a finding of their own.
        if len(row) != width and all(len(word.text) == 1 for word in row):
            expected = f"a row of a section has {counted(width, 'hex')}"
            message = f"{expected}, row {number} has {len(row)}"
            yield Diagnostic("KB407", _span_of(row), message, _SIZE)


def _blanks(rows: Words, letters: Mapping[str, str]) -> Iterator[Diagnostic]:
    """One finding for all that is still to be drawn."""
    blanks = [[word for word in row if word.text == BLANK] for row in rows]
    lines = [number for number, row in enumerate(blanks, 1) if row]
    if lines:
        count = sum(map(len, blanks))
        verb = "is" if count == 1 else "are"
        message = f"{counted(count, 'hex')} of this map {verb} still to be drawn, in {_rows(lines)}"
        first = next(word for row in blanks for word in row)
        help = f"put the letter of a hex, or the digit of its tile, in place of {quoted(BLANK)}; "
        yield Diagnostic("KB415", first.span, message, help + f"the letters are {_listed(letters)}")


def _rows(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {', '.join(map(str, numbers))}"


def _wrong_cells(
    rows: Words, letters: Mapping[str, str], digits: Mapping[str, str]
) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for word in (word for row in rows for word in row):
        if word.text in letters or word.text in digits or word.text in reported:
            continue
        if word.text in (HOLE, BLANK):
            continue
        reported.add(word.text)  # the same error again would say nothing new
        yield unknown_letter(word.text, word.span, letters, digits)


def unknown_letter(
    text: str, span: Span, letters: Mapping[str, str], digits: Mapping[str, str]
) -> Diagnostic:
    """The finding about a word of a drawing that stands for no hex."""
    if len(text) > 1:
        message = f"{quoted(text)} is more than one letter"
        return Diagnostic("KB408", span, message, "put a blank between two hexes")
    if text.isdecimal():
        message = f"the digit {quoted(text)} has no tile here"
        known = _listed(digits) or "none has"
        return Diagnostic("KB408", span, message, f"digits that have one: {known}")
    message = f"{quoted(text)} is not the letter of any kind of hex"
    if text.upper() in letters:
        return Diagnostic("KB408", span, message, f"did you mean {quoted(text.upper())}?")
    return Diagnostic("KB408", span, message, f"the letters are {_listed(letters)}")


def _listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{quoted(sign)} {title}" for sign, title in sorted(names.items()))


def _span_of(row: tuple[DrawnWord, ...]) -> Span:
    first, last = row[0].span, row[-1].span
    return first.source.span(first.start, last.end)
