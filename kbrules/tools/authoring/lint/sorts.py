"""Which sort a part of a tree has: what the checker made of it, found again by its place."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.lang import core
from kbrules.lang.sorts import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.constant import written_in
from kbrules.tools.authoring.lint.index import inside
from kbrules.tools.authoring.lint.subject import Subject

__all__ = ["sorts"]


def sorts(subject: Subject) -> Mapping[Span, Sort]:
    """The sort of each expression of the asked files by its place."""
    found = {}
    for _, outer in written_in(subject):
        for expr in inside(outer):
            if isinstance(expr, core.Lit | core.Var | core.Call | core.Fold | core.Conditional):
                found[expr.span] = expr.sort
    return found
