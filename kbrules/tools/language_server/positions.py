"""Places in a text as an editor counts them, and as offsets of characters.

Lines end at a line feed, a carriage return, or both; editors count in units of UTF-8, 16 or 32.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from lsprotocol import types

from kbrules.text import Span

UTF8, UTF16, UTF32 = (kind.value for kind in types.PositionEncodingKind)
_LINE_END = re.compile("\r\n|\n|\r")
_CODECS = {UTF8: ("utf-8", 1), UTF16: ("utf-16-le", 2), UTF32: ("utf-32-le", 4)}


class LineTable:
    """The lines of a text. `encoding` says in which units an editor counts the columns.

    `before` is what an editor sees before the first character: a byte order mark, or nothing.
    """

    def __init__(self, text: str, encoding: str = UTF16, before: str = "") -> None:
        self.text, self.encoding = text, encoding
        self._codec, self._bytes = _CODECS.get(encoding, _CODECS[UTF16])
        self._before = len(before.encode(self._codec)) // self._bytes

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """Where lines begin, and where they end, without what ends them."""
        if "\r" not in self.text:
            ends_at = [end - 1 for end in accumulate(len(e) + 1 for e in self.text.split("\n"))]
            return [0, *(end + 1 for end in ends_at[:-1])], ends_at
        ends = [match.span() for match in _LINE_END.finditer(self.text)]
        return [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(self.text)]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether each character is one unit."""
        return self.encoding == UTF32 or self.text.isascii()

    @property
    def end(self) -> types.Position:
        """The place behind the last character."""
        return self.position(len(self.text))

    def position(self, offset: int) -> types.Position:
        """The place of a character; one outside the text is moved to its ends."""
        starts, ends = self._bounds
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(starts, offset) - 1
        column = self._units(self.text[starts[line] : min(offset, ends[line])])
        return types.Position(line, column if line else column + self._before)

    def offset(self, position: types.Position) -> int:
        """The offset of a place; one behind a line is its end, one behind the text the text's."""
        starts, ends = self._bounds
        if position.line >= len(starts):
            return len(self.text)
        start, end = starts[position.line], ends[position.line]
        column = max(0, position.character - (0 if position.line else self._before))
        if self._is_plain:
            return min(start + column, end)
        return start + self._characters(self.text[start:end], column)

    def range(self, start: int, end: int) -> types.Range:
        """The range from one offset up to another."""
        return types.Range(self.position(start), self.position(max(start, end)))

    def offsets(self, range: types.Range) -> tuple[int, int]:
        """The offsets of a range, the lesser first."""
        start, end = self.offset(range.start), self.offset(range.end)
        return min(start, end), max(start, end)

    def lines(self, range: types.Range) -> tuple[int, int]:
        """The offsets where the first line of a range begins and its last one ends."""
        starts, ends = self._bounds
        last = len(starts) - 1
        return starts[min(range.start.line, last)], ends[min(range.end.line, last)]

    def _units(self, text: str) -> int:
        if self._is_plain or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._bytes

    def _characters(self, line: str, units: int) -> int:
        """How many characters of a line so many units are; half a character counts as whole."""
        if line.isascii():
            return min(units, len(line))
        found = 0
        while found < len(line) and units > 0:
            units -= self._units(line[found])
            found += 1
        return found


def range_of(span: Span, encoding: str) -> types.Range:
    """The range of a span, where its author wrote it."""
    source = span.source
    return LineTable(source.text, encoding).range(*source.written(span.start, span.end))
