"""Places in a text as a browser counts them: in units of UTF-16, where Python counts characters."""

from __future__ import annotations

from kbrules.text import Span


def to_browser(text: str, at: int) -> int:
    """The place of a character as a browser counts."""
    return at + sum(character > "\uffff" for character in text[:at])


def from_browser(text: str, at: int) -> int:
    """The character at a place as a browser counts; the next one within a pair."""
    if text.isascii():
        return min(max(at, 0), len(text))
    units = 0
    for index, character in enumerate(text):
        if units >= at:
            return index
        units += 1 + (character > "\uffff")
    return len(text)


def place_of(span: Span) -> tuple[int, int]:
    """The place of a span as the page counts, which has no carriage returns."""
    text = span.source.text
    start, end = span.source.written(span.start, span.end)
    before = text[:start].count("\r\n")
    within = text[start:end].count("\r\n")
    start, end = to_browser(text, start) - before, to_browser(text, end) - before - within
    return start, max(start, end)
