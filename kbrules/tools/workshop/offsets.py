"""Places in a text as a browser counts them: in units of UTF-16, where Python counts characters."""

from __future__ import annotations

__all__ = ["from_browser", "to_browser"]


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
