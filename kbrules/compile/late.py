"""Expressions that are walked at first, and generated once they are asked often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kbrules.compile.running import Source, function_of
from kbrules.compile.writing import identity, written
from kbrules.lang.core import Call, Expr
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.nodes import Node

OFTEN = 8
"""Writing and compiling an expression costs as much as asking it a hundred times over."""


class Late(Node):
    """An expression; `value` is the walk over its `tree` until it was asked `OFTEN`."""

    __slots__ = ("_asked", "_maker", "expr", "tree", "value")
    value: Callable[[Any], Any]  # type: ignore[assignment]

    def __init__(self, expr: Expr, tree: Node, maker: Generator) -> None:
        self.expr = expr
        self.tree = tree
        self._maker = maker
        self._asked = 0
        self.value = self._walk

    def _walk(self, view: Any) -> Any:
        self._asked += 1
        if self._asked >= OFTEN:
            self.generate()
        return self.tree.value(view)

    def generate(self) -> None:
        """Answer by generated code from now on."""
        self.value = function_of(self._maker.source(self.expr))


class Generator:
    """Makes nodes of expressions in which all that is known was worked out."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._fixed: dict[Any, Node] = {}

    def node(self, expr: Expr) -> Node:
        """The expression ready to be asked."""
        tree = self._evaluator.linked(expr)
        return tree if tree.is_constant else Late(expr, tree, self)

    def source(self, expr: Expr) -> Source:
        """The expression as a function."""
        return written(expr, self._evaluator.implementations, self._fixed_node)

    def _fixed_node(self, call: Call) -> Node:
        """The node of what a board alone decides: one, wherever it is asked."""
        key = identity(call)
        found = self._fixed.get(key)
        if found is None:
            found = self._fixed[key] = self._evaluator.linked(call)
        return found
