"""Places in a text as editors and browsers count them, and as offsets of characters.

Lines end at a line feed, a carriage return, or both; editors count in units of UTF-8, 16 or 32.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from kbrules.tools.language_service.answers import Place

# Lines and columns, for editors.


UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"
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

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column of a character; one outside the text is moved to its ends."""
        starts, ends = self._bounds
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(starts, offset) - 1
        column = self._units(self.text[starts[line] : min(offset, ends[line])])
        return line, column if line else column + self._before

    def character(self, line: int, column: int) -> int:
        """Return the offset of a place; after a line it is its end, after the text the text's."""
        starts, ends = self._bounds
        if line >= len(starts):
            return len(self.text)
        start, end = starts[line], ends[line]
        column = max(0, column - (0 if line else self._before))
        if self._is_plain:
            return min(start + column, end)
        return start + self._characters(self.text[start:end], column)

    def line(self, number: int) -> tuple[int, int]:
        """Return the offsets where a line begins and ends; of one after the text, the last."""
        starts, ends = self._bounds
        number = min(max(number, 0), len(starts) - 1)
        return starts[number], ends[number]

    def _units(self, text: str) -> int:
        if self._is_plain or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._bytes

    def _characters(self, line: str, units: int) -> int:
        """Return how many characters of a line some units are; half a character counts as whole."""
        if line.isascii():
            return min(units, len(line))
        found = 0
        while found < len(line) and units > 0:
            units -= self._units(line[found])
            found += 1
        return found


# Units of UTF-16 from the beginning, for browsers.


def to_browser(text: str, at: int) -> int:
    """Return the place of a character as a browser counts."""
    return at + sum(character > "\uffff" for character in text[:at])


def from_browser(text: str, at: int) -> int:
    """Return the character at a place as a browser counts; the next one within a pair."""
    if text.isascii():
        return min(max(at, 0), len(text))
    units = 0
    for index, character in enumerate(text):
        if units >= at:
            return index
        units += 1 + (character > "\uffff")
    return len(text)


class BrowserUnits:
    """Answers as a page takes them: tables of JSON, in which files have the names of the page.

    text_of: the text of a file by its path; name_of: what the page calls it, empty for a file that
    the page does not show.
    """

    def __init__(self, text_of: Callable[[str], str], name_of: Callable[[str], str]) -> None:
        self._text_of, self._name_of = text_of, name_of

    def table(self, value: Any) -> Any:
        """Return a value as JSON: `path`, `from` and `to` of its place are in the table itself."""
        if isinstance(value, Place):
            return self.place(value)
        if is_dataclass(value):
            found: dict[str, Any] = {}
            for each in fields(value):
                inner = self.table(getattr(value, each.name))
                found |= inner if each.name == "place" else {each.name: inner}
            return found
        if isinstance(value, dict):
            return {self.table(key): self.table(each) for key, each in value.items()}
        return [*map(self.table, value)] if isinstance(value, list | tuple) else value

    def place(self, place: Place) -> dict[str, Any]:
        """Return a place as the page counts; one of a file that it does not show has no text."""
        name = self._name_of(place.file)
        text = self._text_of(place.file) if name else ""
        start, end = (to_browser(text, at) if name else 0 for at in (place.start, place.end))
        return {"path": name, "from": start, "to": max(start, end)}
