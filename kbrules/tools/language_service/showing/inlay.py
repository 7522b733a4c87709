"""A few words that a text does not say: the sort of a definition, the size of a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.lang.checker.expressions import Scope
from kbrules.lang.syntax import tree
from kbrules.lang.typed import SORT_NAMES, Sort
from kbrules.library.boards.sections import DrawingSource
from kbrules.library.discovery import kind_of
from kbrules.text import counted
from kbrules.tools.language_service.answers import InlayHint
from kbrules.tools.language_service.workspace import Workspace


def inlay_hints(workspace: Workspace, path: Path) -> tuple[InlayHint, ...]:
    """The hints of a rule file, from top to bottom; a table gets none."""
    if kind_of(path) != "rules":
        return ()
    checked = workspace.last_loaded(path).checked
    found: list[InlayHint] = []
    for each in workspace.rules(path).declarations:
        if each.span.is_derived:
            continue
        if isinstance(each, tree.Define) and checked is not None:
            found += _sort(each, checked.scope)
        elif isinstance(each, tree.Rule):
            found += (hint for e in each.body if isinstance(e, tree.Example) for hint in _size(e))
    return tuple(sorted(found, key=lambda hint: hint.offset))


def _sort(define: tree.Define, scope: Scope) -> Iterator[InlayHint]:
    definition = scope.names.definitions.get(define.name.text)
    if definition is None or definition.body.sort is Sort.HOLE:
        return
    end = define.name.span.end
    if define.parameters:
        text = define.span.source.text
        end = text.find(")", define.parameters[-1][1].span.end) + 1 or end
    sort = definition.body.sort
    yield InlayHint(end, f": {sort}", f"gives {SORT_NAMES[sort]}")


def _size(example: tree.Example) -> Iterator[InlayHint]:
    """The number of hexes behind the heading of an example."""
    if example.drawing is None:
        return
    rows = DrawingSource.of(example.drawing).rows()
    hexes = sum(word.text not in ("|", "-") for row in rows for word in row)
    heading = example.span.text.partition("\n")[0].rstrip()
    yield InlayHint(example.span.start + len(heading), counted(hexes, "hex"), "drawn below")
