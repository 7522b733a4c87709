"""Excerpts of source text for the terminal: a numbered line and a mark under the words meant.

Works on spans only. Everything returned is safe to print: see `kbrules.text.visible`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kbrules.text import Source, Span, visible

WIDTH = 96  # cells of a source line that are shown
_LEAD = 24  # cells kept in front of the marked words when a line is cut
_TAB = 4
_CUT = "..."
_PLAIN = re.compile("[ -~]*")


@dataclass(frozen=True, slots=True)
class Mark:
    """A span to underline, the character to do it with, and a word on it."""

    span: Span
    sign: str
    text: str = ""


def gutter(marks: list[Mark]) -> int:
    """The width of the column of line numbers that serves all the marks."""
    return max(len(str(mark.span.line)) for mark in marks)


def excerpt(mark: Mark, width: int) -> list[str]:
    """The marked line with its number, and the mark below it; nothing for an empty source."""
    if not mark.span.source.text:
        return []
    line = visible_line(mark.span)
    return [f"   {mark.span.line:>{width}} | {line.text}".rstrip(), _underline(mark, line, width)]


def under(mark: Mark, width: int) -> list[str]:
    """Only the mark, for a line that was shown just above."""
    return excerpt(mark, width)[1:]


def shares_line(one: Span, other: Span) -> bool:
    """Whether the same excerpt shows two spans of one source."""
    return one.line == other.line and visible_line(one).text == visible_line(other).text


@dataclass(frozen=True, slots=True)
class VisibleLine:
    """A line as printed, and the cells `start` to `end` its span takes there."""

    text: str
    start: int
    end: int


def visible_line(span: Span) -> VisibleLine:
    """The line a span begins on, made safe, tabs expanded, cut around the span if it is long."""
    text, start, end = _window(span.source, span.line, *_columns(span))
    cells = _cells(text)
    widths = [cell_width(cell) for cell in cells]
    before, inside = sum(widths[:start]), sum(widths[start:end])
    if sum(widths) <= WIDTH:
        return VisibleLine("".join(cells), before, before + max(inside, 1))
    first = _first_shown(widths, start)
    last = _last_shown(widths, first)
    head = _CUT if first else ""
    tail = _CUT if last < len(cells) else ""
    begin = len(head) + sum(widths[first:start])
    stop = len(head) + sum(widths[first : min(end, last)])
    shown = head + "".join(cells[first:last]) + tail
    return VisibleLine(shown, begin, max(stop, begin + 1))


def _columns(span: Span) -> tuple[int, int]:
    """Where the span begins and ends on its first line, from 0, without trailing blanks."""
    start = span.column - 1
    text = span.source.line_text(span.line)
    end = start + len(span.text) if span.end_line == span.line else len(text)
    return start, max(start, len(text[:end].rstrip()))


def _window(source: Source, line: int, start: int, end: int) -> tuple[str, int, int]:
    """A stretch of the line that holds all that can be shown, so that huge lines stay cheap."""
    text = source.line_text(line)
    low = max(0, start - 2 * WIDTH)
    high = start + 2 * WIDTH
    return text[low:high], start - low, min(end, high) - low


def _cells(text: str) -> list[str]:
    """Each character as it is printed; a tab becomes blanks up to the next stop."""
    cells: list[str] = []
    at = 0
    for character in text:
        cell = " " * (_TAB - at % _TAB) if character == "\t" else visible(character)
        cells.append(cell)
        at += cell_width(cell)
    return cells


def cell_width(text: str) -> int:
    """How many columns of a terminal the text takes: wide letters two, combining marks none."""
    if _PLAIN.fullmatch(text):
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _first_shown(widths: list[int], start: int) -> int:
    """The first cell shown: as much as fits in front of the span."""
    room = _LEAD
    # A span near the end of the line leaves more room in front of it.
    rest = sum(widths[start:])
    room = max(room, WIDTH - rest - 2 * len(_CUT))
    first = start
    while first > 0 and room >= widths[first - 1]:
        first -= 1
        room -= widths[first]
    return first


def _last_shown(widths: list[int], first: int) -> int:
    """The cell behind the last one shown."""
    room = WIDTH - 2 * len(_CUT)
    last = first
    while last < len(widths) and room >= widths[last]:
        room -= widths[last]
        last += 1
    return last


def _underline(mark: Mark, line: VisibleLine, width: int) -> str:
    signs = mark.sign * (line.end - line.start)
    note = f" {visible(mark.text)}" if mark.text else ""
    return f"   {'':>{width}} | {' ' * line.start}{signs}{note}"
