"""Marks: words of the rules by which data says what hexes a board has to show."""

from __future__ import annotations

from dataclasses import replace

from kbrules.diagnostics import Diagnostic
from kbrules.lang.checker.expressions import infer_as
from kbrules.lang.checker.scope import Scope
from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import Expr
from kbrules.lang.typed.sorts import Sort
from kbrules.library.boards.tables import BoardParts


def marks_of(parts: BoardParts, scope: Scope) -> tuple[dict[str, Expr], list[Diagnostic]]:
    """What each mark means, in the order of the boxes, and the marks that do not mean hexes."""
    found: list[Diagnostic] = []
    here = replace(scope, findings=found)
    names = [tree.Name(id, parts.spans["marks", id]) for id in parts.marks]
    return {name.text: infer_as(name, Sort.HEXES, here, "a mark") for name in names}, found
