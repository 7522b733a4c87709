"""Words that must fit a box: how wide they are, where they break, how large they can be.

Widths are those of a wide common face, so that in a narrower one words only get more room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from unicodedata import combining, east_asian_width, normalize

LEADING = 1.25
"""From one line to the next, in the size of the letters."""
_SMALLER = 0.95
_BREAKABLE = 0.6  # of the largest size: a word is broken only where letters are as small as this
_GROUPS = {
    0.29: "'ijlI", 0.33: " ,.J", 0.36: "/\\|:;f-", 0.41: "!()[]rt\"*^`", 0.54: "?scz_vxy",
    0.61: "aekoFTYPLhnu", 0.65: "bdgpq$0123456789{}ESBKAVXZ", 0.72: "CRU", 0.79: "DGHNOQ",
    0.86: "M+#<=>~&w", 1.0: "%@Wm",
}  # fmt: skip
_WIDTHS: Mapping[str, float] = {sign: w for w, signs in _GROUPS.items() for sign in signs}
_OTHER, _FULL, _BOLD = 0.8, 1.05, 1.17


@dataclass(frozen=True, slots=True)
class FittedText:
    """Lines, and how large their letters are, in the unit of the box they fit."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """The height of all lines together."""
        return len(self.lines) * self.size * LEADING


def text_width(text: str, bold: bool = False) -> float:
    """How wide a text is at most, in the size of its letters."""
    width = sum(map(_letter_width, normalize("NFD", text)))
    return width * _BOLD if bold else width


def _letter_width(sign: str) -> float:
    if combining(sign):
        return 0.0
    if east_asian_width(sign) in "WF":
        return _FULL
    return _WIDTHS.get(sign, _OTHER)


def fit_text(
    text: str, width: float, height: float, largest: float, bold: bool = False
) -> FittedText:
    """A text in lines that fit a box, as large as possible; nothing of it is left out."""
    size = largest
    while True:
        line_width = width / size
        lines = tuple(_lines(text, line_width, bold, size <= largest * _BREAKABLE))
        fitted = FittedText(lines, size)
        if fitted.height <= height and all(text_width(line, bold) <= line_width for line in lines):
            return fitted
        size *= _SMALLER


def _lines(text: str, room: float, bold: bool, breaks: bool) -> Iterator[str]:
    """The text in lines no wider than the room, if no word is wider; such words may be broken."""
    line = ""
    for word in text.split():
        for part in _parts(word, room, bold) if breaks else [word]:
            longer = f"{line} {part}".lstrip()
            if line and text_width(longer, bold) > room:
                yield line
                longer = part
            line = longer
    if line:
        yield line


def _parts(word: str, room: float, bold: bool) -> Iterator[str]:
    """A word in parts no wider than the room, but for a single letter."""
    part = ""
    for sign in word:
        if part and text_width(part + sign, bold) > room:
            yield part
            part = ""
        part += sign
    yield part
