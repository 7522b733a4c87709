"""Expressions that remember what they say, so that steps made ready to be asked can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kbrules.lang.core import Expr, Lit
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort
from kbrules.library.ruleset import Ruleset
from kbrules.text import Span

NOWHERE = Span.none("the kernel")


class Kept(Node):
    """A linked expression and the expression itself."""

    __slots__ = ("_tree", "expr")

    def __init__(self, expr: Expr, tree: Node) -> None:
        self.expr = expr
        self._tree = tree

    def value(self, view: Any) -> Any:
        return self._tree.value(view)


def kept(ruleset: Ruleset) -> Callable[[Expr], Node]:
    """A way to link expressions in which what they say stays readable."""

    def link(expr: Expr) -> Node:
        tree = ruleset.evaluate.linked(expr)
        return tree if tree.is_constant else Kept(expr, tree)

    return link


def said(node: Node, sort: Sort) -> Expr:
    """The expression of a node, or the value that it always has."""
    return node.expr if isinstance(node, Kept) else Lit(sort, NOWHERE, node.value(None))
