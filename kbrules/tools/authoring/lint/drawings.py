"""Drawings of examples that look as if a hex had been forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kbrules.diagnostics import Diagnostic
from kbrules.hex.drawing import HOLE
from kbrules.lang.syntax import tree
from kbrules.library.boards.sections import DrawingSource, DrawnWord
from kbrules.text import Span
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject

Row = tuple[DrawnWord, ...]


@lint("KB760")
def short_row(subject: Subject) -> Iterator[Diagnostic]:
    """The first row of a drawing with fewer hexes than the longest of its grid."""
    for rule in subject.nodes(tree.Rule):
        for node in rule.body:
            if isinstance(node, tree.Example) and node.drawing is not None:
                yield from _short_rows(node.drawing)


def _short_rows(drawing: Span) -> Iterator[Diagnostic]:
    for rows in _grids(DrawingSource.of(drawing).rows()):
        longest = max(map(len, rows))
        for row in rows:
            if len(row) < longest:
                message = f"this row has {len(row)} hexes, and another has {longest}"
                help_ = f"draw what is missing; `{HOLE}` draws that there is no hex"
                place = row[0].span.source.span(row[0].span.start, row[-1].span.end)
                yield Diagnostic("KB760", place, message, help_)
                break


def _grids(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows of the table, then those of each grid that a line such as `isle:` begins."""
    grid: list[Row] = []
    for row in rows:
        if len(row) == 1 and row[0].text.endswith(":"):
            yield from [grid] if grid else []
            grid = []
        else:
            grid.append(row)
    yield from [grid] if grid else []
