"""A place in a rule text where something is typed, and the lines it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.text import Source, Span
from kbrules.tools.language_service.texts import declaration_at, line_before, word_at

_FIRST = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class RulePlace:
    """The part of a word before a place, and the first words of the lines that it belongs to.

    `above` are these lines, innermost first: each stands further left than the one before it. The
    last is the heading.
    """

    source: Source
    word: Span
    above: tuple[str, ...]

    @classmethod
    def at(cls, source: Source, offset: int) -> RulePlace:
        """The place at an offset."""
        word = word_at(source, offset)
        typed = source.span(word.start, min(offset, word.end))
        return cls(source, typed, tuple(_above(source, typed.start)))

    @property
    def indent(self) -> int:
        """How many characters stand before the first word of the line."""
        line = self.source.line_text(self.word.line)
        return len(line) - len(line.lstrip(" \t"))

    @property
    def before(self) -> str:
        """The declaration up to the word."""
        around = declaration_at(self.source, self.word.start)
        return around.text[: self.word.start - around.start]

    @property
    def kind(self) -> str:
        """The word that begins the declaration."""
        return first_word(self.above[-1]) if self.above else ""


def first_word(line: str) -> str:
    """The first word of a line; empty if something else stands there."""
    found = _FIRST.match(line.lstrip())
    return found[0] if found else ""


def _above(source: Source, offset: int) -> Iterator[str]:
    line = source.position(offset)[0]
    before = line_before(source, offset)
    width = len(before) - len(before.lstrip(" \t")) if before.strip() else len(before)
    while line > 1 and width > 0:
        line -= 1
        text = source.line_text(line)
        indent = len(text) - len(text.lstrip(" \t"))
        if text.strip() and not text.lstrip().startswith("#") and indent < width:
            yield text
            width = indent
