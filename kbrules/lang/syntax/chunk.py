"""The text of one declaration as the parser is given it, and where each letter came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbrules.text import Source, Span

_TAB = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file without its line end; `start` is its offset there."""

    start: int
    text: str

    @property
    def is_code(self) -> bool:
        """Whether anything but blanks and a comment stands in it."""
        return bool(self.text.strip()) and not self.text.lstrip().startswith("#")

    @property
    def indent(self) -> int:
        """How many blanks or tabs stand before its first word."""
        return len(self.text) - len(self.text.lstrip(" \t"))

    @property
    def opens_block(self) -> bool:
        """Whether lines of its own are to follow below it."""
        return self.text.split("#")[0].rstrip().endswith(":")

    def content(self, source: Source) -> Span:
        """The line without its indentation."""
        return source.span(self.start + self.indent, self.start + len(self.text.rstrip()))


@dataclass(frozen=True, slots=True)
class Chunk:
    """One declaration: a text without tabs, and how its places lie in the source.

    `stops` has the places in the text where a stretch begins, `shifts` what to add to places in
    it. Of a refused chunk only the heading is left, and that is not to be parsed.
    """

    source: Source
    text: str
    stops: tuple[int, ...]
    shifts: tuple[int, ...]
    is_refused: bool = False

    def place(self, at: int) -> int:
        """The offset in the source of a place in the text."""
        if len(self.stops) == 1:
            return at + self.shifts[0]
        return at + self.shifts[max(bisect_right(self.stops, at) - 1, 0)]

    def span(self, start: int, end: int) -> Span:
        """The span in the source of a stretch of the text, never empty if the stretch is not."""
        first = self.place(start)
        last = self.place(end - 1) + 1 if end > start else first
        return self.source.span(first, max(last, first))


def chunk_of(source: Source, lines: Sequence[Line], unindented: Mapping[int, int]) -> Chunk:
    """The chunk of some lines: tabs become blanks, and stray lines are moved right by so much."""
    builder = _ChunkBuilder(lines[0].start)
    for number, line in enumerate(lines):
        builder.line(line, unindented.get(number, 0))
    return Chunk(source, "".join(builder.parts), tuple(builder.stops), tuple(builder.shifts))


class _ChunkBuilder:
    """The text of a chunk while its lines are added."""

    def __init__(self, start: int) -> None:
        self.parts: list[str] = []
        self.stops = [0]
        self.shifts = [start]
        self._length = 0

    def line(self, line: Line, right: int) -> None:
        """Add a line; what is widened is noted, so that places stay true."""
        if right and line.is_code:
            self._add(" " * right, line.start)
        blank = line.indent if "\t" in line.text else 0
        width = 0
        for at, sign in enumerate(line.text[:blank]):
            wide = _TAB - width % _TAB if sign == "\t" else 1
            self._add(" " * wide, line.start + at)
            width += wide
        self._add(line.text[blank:].replace("\t", " ") + "\n", line.start + blank)

    def _add(self, text: str, start: int) -> None:
        shift = start - self._length
        if shift != self.shifts[-1]:
            self.stops.append(self._length)
            self.shifts.append(shift)
        self.parts.append(text)
        self._length += len(text)


def code_only(text: str) -> str:
    """The text with all that is quoted or a comment made blank, of the same length."""
    return re.sub(r'"[^"\n]*"|#[^\n]*', lambda found: " " * len(found.group()), text)
