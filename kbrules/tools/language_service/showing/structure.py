"""What belongs together in a text: lines that fold, selections that grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

from kbrules.library.discovery import kind_of
from kbrules.library.yaml import Node, YamlList, YamlTable
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import FoldingRange
from kbrules.tools.language_service.texts import word_at
from kbrules.tools.language_service.workspace import Workspace

_LEAST = 2  # lines that fold as a comment


def folding(workspace: Workspace, path: Path) -> tuple[FoldingRange, ...]:
    """The lines below which others are indented, and comments of several lines."""
    lines = workspace.source(path).text.split("\n")
    found = [*_blocks(lines), *_comments(lines)]
    return tuple(sorted(found, key=lambda each: (each.first_line, each.last_line)))


def _blocks(lines: list[str]) -> Iterator[FoldingRange]:
    open_lines: list[tuple[int, int]] = []  # line and indent
    last = 0
    for number, line in enumerate([*lines, "."], 1):
        if not line.strip() or (line.lstrip().startswith("#") and number <= len(lines)):
            continue
        indent = len(line) - len(line.lstrip(" \t"))
        while open_lines and open_lines[-1][1] >= indent:
            first, _ = open_lines.pop()
            if last > first:
                yield FoldingRange(first, last)
        open_lines.append((number, indent))
        last = number


def _comments(lines: list[str]) -> Iterator[FoldingRange]:
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.lstrip().startswith("#"):
            first = first or number
        elif first:
            if number - first >= _LEAST:
                yield FoldingRange(first, number - 1, is_comment=True)
            first = 0


def selection_ranges(workspace: Workspace, path: Path, offset: int) -> tuple[Span, ...]:
    """What may be selected around a place, innermost first: each lies in the next."""
    source = workspace.source(path)
    found = {(0, len(source.text))}
    word = word_at(source, offset)
    if word.text:
        found.add((word.start, word.end))
    document = workspace.document(path) if kind_of(path) not in ("rules", None) else None
    if kind_of(path) == "rules":
        found |= {*_spans(workspace.rules(path).declarations)}
    elif document is not None:
        found |= {*_nodes(document.root)}
    around = sorted((s for s in found if s[0] <= offset <= s[1]), key=lambda s: s[1] - s[0])
    return tuple(_nested(around, source))


def _nested(spans: list[tuple[int, int]], source: Source) -> Iterator[Span]:
    """Those of some spans, smallest first, that hold all before them."""
    start, end = None, None
    for first, last in spans:
        if start is None or end is None or (first <= start and last >= end and last > first):
            start, end = first, last
            yield source.span(first, last)


def _spans(node: object) -> Iterator[tuple[int, int]]:
    """Where the nodes of a tree were written."""
    if isinstance(node, Span):
        yield node.source.written(node.start, node.end)
    elif isinstance(node, tuple):
        for each in node:
            yield from _spans(each)
    elif is_dataclass(node):
        for each in fields(node):
            yield from _spans(getattr(node, each.name))


def _nodes(node: Node) -> Iterator[tuple[int, int]]:
    yield node.start, node.end
    if isinstance(node, YamlTable):
        for entry in node.entries.values():
            yield entry.key.start, entry.key.end
            yield entry.key.start, max(entry.key.end, entry.value.end)
            yield from _nodes(entry.value)
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _nodes(item)
