"""A rule file cut into declarations, so that one mistake cannot hide its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic
from kbrules.text import Source, Span

MAX_PARENTHESES = 64
MAX_OPERATORS = 100
MAX_INDENT = 96
_NOISE = re.compile(r'"[^"\n]*"|#[^\n]*|^[ \t]*\|[^\n]*', re.MULTILINE)
_OPERATORS = re.compile(r"[-+*/&|]|\b(?:not|and|or|exactly|at)\b")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one declaration and where it starts in its source."""

    source: Source
    offset: int
    text: str

    @property
    def span(self) -> Span:
        """The first line of the declaration."""
        return self.source.span(self.offset, self.offset + len(self.text.split("\n", 1)[0]))


def split(source: Source) -> tuple[list[Chunk], list[Diagnostic]]:
    """Cut at every line that starts in column 0; refuse what no parser should be given.

    Returns the chunks worth parsing, tabs replaced by blanks, and findings about
    tabs (KB104), depth (KB106) and lines before the first declaration (KB103).
    """
    chunks: list[Chunk] = []
    findings: list[Diagnostic] = []
    for offset, text in _pieces(source.text):
        chunk = Chunk(source, offset, text.replace("\t", " "))
        findings += _tabs(chunk, text)
        problem = _too_deep(chunk) or _orphan(chunk)
        if problem:
            findings.append(problem)
        else:
            chunks.append(chunk)
    return chunks, findings


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    start, at, seen = 0, 0, False
    for line in text.splitlines(keepends=True):
        if line.strip() and line[0] not in " \t#":
            if seen:
                yield start, text[start:at]
            start, seen = at, True
        elif line.strip() and line[0] in " \t" and not seen and line.strip()[0] != "#":
            start, seen = at, True
        at += len(line)
    if seen:
        yield start, text[start:]


def _tabs(chunk: Chunk, text: str) -> list[Diagnostic]:
    at = text.find("\t")
    if at < 0:
        return []
    span = chunk.source.span(chunk.offset + at, chunk.offset + at + 1)
    help_ = "indent with blanks, four for each level"
    return [Diagnostic("KB104", span, "a tab stands here, and its width is anybody's guess", help_)]


def _orphan(chunk: Chunk) -> Diagnostic | None:
    if not chunk.text.startswith(" "):
        return None
    help_ = "begin with a declaration in the first column, such as `card name:`"
    return Diagnostic("KB103", chunk.span, "this line is indented but belongs to nothing", help_)


def _too_deep(chunk: Chunk) -> Diagnostic | None:
    text = _NOISE.sub(lambda found: " " * len(found.group()), chunk.text)
    at = _deep_parenthesis(text)
    if at is not None:
        return _deep(chunk, at, f"more than {MAX_PARENTHESES} parentheses are open here")
    start = 0
    for line in text.split("\n"):
        if len(_OPERATORS.findall(line)) > MAX_OPERATORS:
            return _deep(chunk, start, f"more than {MAX_OPERATORS} operators stand in one line")
        written = chunk.text[start : start + len(line)]
        if len(written) - len(written.lstrip(" ")) > MAX_INDENT:
            return _deep(chunk, start, f"this line is indented by more than {MAX_INDENT} blanks")
        start += len(line) + 1
    return None


def _deep_parenthesis(text: str) -> int | None:
    depth = 0
    for found in re.finditer(r"[()]", text):
        depth = depth + 1 if found.group() == "(" else max(0, depth - 1)
        if depth > MAX_PARENTHESES:
            return found.start()
    return None


def _deep(chunk: Chunk, at: int, message: str) -> Diagnostic:
    span = chunk.source.span(chunk.offset + at, chunk.offset + at + 1)
    return Diagnostic("KB106", span, message, "give a part of it a name with `define`")
