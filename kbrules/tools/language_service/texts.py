"""What stands at a place of a rule text, told from the text alone: a half-typed one has no tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kbrules.text import Source, Span

Zone = Literal["code", "comment", "text", "drawing"]
_WORD = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
_SIGN = re.compile(r"!=|<=|>=|[-+*/&|=<>]")
_QUOTED = re.compile(r'"[^"\n]*"?|#[^\n]*')
_HEADING = re.compile(r"^(?=[^\s#])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """The text of a declaration, and the offset in the file at which it begins."""

    text: str
    start: int


def word_at(source: Source, offset: int) -> Span:
    """The word around a place, or that ends there; empty if there is none."""
    start = source.offset(source.position(offset)[0], 1)
    line = source.line_text(source.position(offset)[0])
    at = offset - start
    for found in _WORD.finditer(line):
        if found.start() <= at <= found.end():
            return source.span(start + found.start(), start + found.end())
    return source.span(offset, offset)


def sign_at(source: Source, offset: int) -> Span:
    """The operator at a place; empty if there is none."""
    found = _SIGN.match(source.text, max(offset, 0))
    return source.span(offset, found.end() if found else offset)


def line_before(source: Source, offset: int) -> str:
    """The text of a line up to a place in it."""
    start = source.offset(source.position(offset)[0], 1)
    return source.text[start:offset]


def zone_at(source: Source, offset: int) -> Zone:
    """Whether code stands at a place, a comment, a text in quotes, or a row of a drawing."""
    before = line_before(source, offset)
    if before.lstrip(" \t").startswith("|"):
        return "drawing"
    for found in _QUOTED.finditer(before):
        if found[0].startswith("#"):
            return "comment"
        if found.end() == len(before) and (len(found[0]) == 1 or not found[0].endswith('"')):
            return "text"
    return "code"


def declaration_at(source: Source, offset: int) -> DeclarationText:
    """The declaration around a place: from a heading at the margin to the next one."""
    text, start, end = source.text, 0, len(source.text)
    for found in _HEADING.finditer(text):
        if found.start() <= offset:
            start = found.start()
        else:
            end = found.start()
            break
    return DeclarationText(text[start:end], start)
