"""Source text and places in it: what every finding points at.

Lines and columns are counted from 1, offsets from 0; a column counts characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# Characters that change how a text looks without being seen: controls other than tab and line
# ends, invisible and direction-changing format characters, lone surrogates, non-characters.
# Only joiners (200C, 200D) stay allowed, because honest words and emoji are spelt with them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


class Stretch(NamedTuple):
    """A piece of derived text, and where its author wrote it.

    `start` is its offset behind the text of the source. `written` are the offsets of what stands
    there as it was written, `row` those of the row for which it is repeated, `cell` those of
    what was put in its place, if something was.
    """

    start: int
    written: tuple[int, int]
    row: tuple[int, int] | None = None
    cell: tuple[int, int] | None = None

    def place(self, offset: int) -> int:
        """Where the author wrote what stands at an offset."""
        first, end = self.written
        return first if self.cell is not None else min(first + offset - self.start, end)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Source:
    """A named text; two sources are equal only when they are the same object.

    `derived` is text that was made of it, and counts as standing behind it. Lines and columns are
    those of the text itself: what is derived has the places of the stretches it was made of.
    """

    name: str
    text: str
    derived: str = ""
    stretches: tuple[Stretch, ...] = ()
    _starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = (0, *(match.end() for match in re.finditer("\n", self.text)))
        object.__setattr__(self, "_starts", starts)

    @property
    def whole_text(self) -> str:
        """The text, and behind it what is derived from it."""
        return self.text + self.derived

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one."""
        return len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """The (line, column) of an offset; offsets outside the text are moved to its ends."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a (line, column); places outside are moved to the nearest one inside."""
        line = min(max(line, 1), self.line_count)
        start = self._starts[line - 1]
        return start + min(max(column - 1, 0), len(self.line_text(line)))

    def line_text(self, line: int) -> str:
        """The characters of a line without its line end; empty for a line that is not there."""
        if not 1 <= line <= self.line_count:
            return ""
        start = self._starts[line - 1]
        if line == self.line_count:
            return self.text[start:]
        return self.text[start : self._starts[line] - 1].removesuffix("\r")

    def span(self, start: int, end: int) -> Span:
        """The span from `start` up to, not including, `end`, kept inside the text."""
        last = len(self.text) + len(self.derived)
        start = min(max(start, 0), last)
        return Span(self, start, min(max(end, start), last))

    def at(self, line: int, column: int, length: int = 1) -> Span:
        """The span of `length` characters from a (line, column)."""
        start = self.offset(line, column)
        return self.span(start, start + length)

    def whole(self) -> Span:
        """The span of the whole text."""
        return self.span(0, len(self.text))

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Where the author wrote what stands from `start` to `end`: there too, or in a stretch.

        What lies in a single cell of a table stands there; all else stands above the table.
        """
        if start < len(self.text) or not self.stretches:
            return start, end
        first, last = self.stretch_at(start), self.stretch_at(max(start, end - 1))
        if first is last and first.cell is not None:
            return first.cell
        begin = first.place(start)
        if end <= start:
            return begin, begin
        return begin, last.written[1] if last.cell is not None else last.place(end - 1) + 1

    def stretch_at(self, offset: int) -> Stretch:
        """Return the stretch that a derived text comes from."""
        at = bisect_right(self.stretches, offset, key=lambda stretch: stretch.start)
        return self.stretches[max(at - 1, 0)]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a source, from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @classmethod
    def none(cls, name: str) -> Span:
        """A span in an empty source called `name`: for findings without a place in a text."""
        return cls(Source(name, ""), 0, 0)

    @property
    def is_derived(self) -> bool:
        """Whether its author did not write it there, but in a table."""
        return bool(self.source.stretches) and self.start >= len(self.source.text)

    @property
    def row(self) -> Span | None:
        """The row of a table for which it is repeated; None where a cell stands itself."""
        source = self.source
        if not self.is_derived or (row := source.stretch_at(self.start).row) is None:
            return None
        first, end = source.written(self.start, self.end)
        return None if row[0] <= first and end <= row[1] else source.span(*row)

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self._begin[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self._begin[1]

    @property
    def end_line(self) -> int:
        """The line of the place just behind the last character."""
        return self._end[0]

    @property
    def end_column(self) -> int:
        """The column of the place just behind the last character."""
        return self._end[1]

    @property
    def _begin(self) -> tuple[int, int]:
        return self.source.position(self.source.written(self.start, self.end)[0])

    @property
    def _end(self) -> tuple[int, int]:
        return self.source.position(self.source.written(self.start, self.end)[1])

    @property
    def text(self) -> str:
        """The characters the span covers."""
        source = self.source
        if self.end <= len(source.text):
            return source.text[self.start : self.end]
        return source.whole_text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The text with a single blank wherever it has blanks or line ends."""
        return " ".join(self.text.split())

    def holds(self, other: Span) -> bool:
        """Whether another span lies in this one."""
        is_same = self.source is other.source
        return is_same and self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether one of two spans lies in the other."""
        return self.holds(other) or other.holds(self)


def unseen(text: str) -> Iterator[int]:
    """The offsets of the characters no rule or data file may hold: control and bidi characters."""
    return (match.start() for match in _UNSEEN.finditer(text))


def visible(text: str) -> str:
    """The text with every character that could upset a terminal written as an escape."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else escape(each) for each in text)


def escape(character: str) -> str:
    """The visible spelling of one character, such as `\\x1b` or `\\u202e`."""
    return ascii(character)[1:-1]


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 hex`, `2 hexes`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('s', 'x')) else 's'}"
