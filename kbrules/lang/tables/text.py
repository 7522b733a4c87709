"""The text that tables make: declarations and sentences written out, row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kbrules.lang.syntax.tree import Rule, Table
from kbrules.lang.tables.columns import COLUMN, PARTS, Row, filled, rows_of, template_of
from kbrules.text import Source, Stretch

DerivedText = tuple[int, str]
"""The text of a declaration that a table made, and its offset."""


class TableWriter:
    """Writes declarations out, and keeps where each piece of the text was written."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._parts: list[str] = []
        self._stretches: list[Stretch] = []
        self._at = len(source.text)

    def source(self) -> Source:
        """The source, with all that was written derived from it."""
        derived = "".join(self._parts)
        return Source(self._source.name, self._source.text, derived, tuple(self._stretches))

    def write(self, rule: Rule, table: Table) -> list[DerivedText]:
        """What a declaration says with its table: several, or one with sentences repeated."""
        rows = rows_of(table)
        if COLUMN.search(rule.name.text):
            return [self._declaration(rule, [row]) for row in rows]
        return [self._declaration(rule, rows)]

    def _declaration(self, rule: Rule, rows: Sequence[Row]) -> DerivedText:
        self._put("\n", Stretch(self._at, (rule.span.start, rule.span.start)))
        start, before = self._at, len(self._parts)
        for first, end in self._sentences(rule):
            repeats = any(_columns(part) for part in PARTS.finditer(self._source.text, first, end))
            for row in rows if repeats else rows[:1]:
                self._copy(first, end, row)
        return start, "".join(self._parts[before:])

    def _sentences(self, rule: Rule) -> list[tuple[int, int]]:
        """Where the heading and each sentence begin and end: at the beginnings of lines."""
        text = self._source.text
        starts = (text.rfind("\n", 0, each.span.start) + 1 for each in rule.body)
        first, end = template_of(rule)
        return list(pairwise([first, *starts, text.rfind("\n", 0, end) + 1]))

    def _copy(self, first: int, end: int, row: Row) -> None:
        """What was written from one place to another, with the cells of a row; no comments."""
        text, at = self._source.text, first
        for part in PARTS.finditer(text, first, end):
            if part["comment"]:
                at = self._plain(at, *part.span(), row)
            elif part["word"]:
                at = self._plain(at, *part.span(), row)
                self._cell(part["word"], part.span(), row)
            else:
                for column in COLUMN.finditer(text, *part.span()):
                    at = self._plain(at, *column.span(), row)
                    self._cell(column[0], column.span(), row)
        self._plain(at, end, end, row)

    def _plain(self, first: int, end: int, behind: int, row: Row) -> int:
        """Copy what names no column; where to go on."""
        if end > first:
            self._put(self._source.text[first:end], Stretch(self._at, (first, end), _line(row)))
        return behind

    def _cell(self, word: str, written: tuple[int, int], row: Row) -> None:
        """Put a word with the cells of a row; it stands where the first of them does."""
        cell = row[COLUMN.findall(word)[0]].span
        stretch = Stretch(self._at, written, _line(row), (cell.start, cell.end))
        self._put(filled(word, row), stretch)

    def _put(self, text: str, stretch: Stretch) -> None:
        self._parts.append(text)
        self._stretches.append(stretch)
        self._at += len(text)


def _columns(part: re.Match[str]) -> bool:
    """Whether a part of a text speaks of a column."""
    return not part["comment"] and COLUMN.search(part[0]) is not None


def _line(row: Row) -> tuple[int, int]:
    """The place of a row."""
    first, *_, last = (*row.values(), *row.values())
    return first.span.start, last.span.end
