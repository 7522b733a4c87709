"""The reference evaluator: a plain walk over the typed core, slow and obvious.

It knows neither hexes nor rules. A view is anything with a `board`, a `cache` (for what the
table alone decides), `env` (bound names) and `bind_each(name, items)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from kbrules.lang.evaluation import nodes
from kbrules.lang.evaluation.constant_folding import CONNECTIVES, Implementations, fold_constants
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Call, Conditional, Expr, Fold, Lit, Var


class Viewed(Protocol):
    """What the evaluator needs of a view."""

    board: Any
    env: Mapping[str, Any]
    cache: dict[Any, Any]

    def bind_each(self, name: str, items: Iterable[Any]) -> Iterator[Any]:
        """The same view with one more name bound, to one item after another."""


class Evaluator:
    """Values of expressions, given the implementations of the words by signature key."""

    def __init__(self, implementations: Implementations) -> None:
        self.implementations = implementations
        self._nodes: dict[int, tuple[Expr, Node]] = {}

    def __call__(self, expr: Expr, view: Viewed) -> Any:
        """The value of an expression as seen by a view."""
        return self.node(expr).value(view)

    def node(self, expr: Expr) -> Node:
        """The expression with the code of its words found, ready to be evaluated."""
        found = self._nodes.get(id(expr))
        if found is None:
            found = (expr, self.linked(fold_constants(expr, {}, self.implementations)))
            self._nodes[id(expr)] = found
        return found[1]

    def linked(self, expr: Expr) -> Node:
        """The same for an expression in which all that is known was worked out."""
        match expr:
            case Lit(value=value):
                return nodes.ConstantNode(value)
            case Var(name=name):
                return nodes.Variable(name)
            case Conditional(condition=condition, value=value, other=other):
                return nodes.ConditionalNode(*(self.linked(e) for e in (condition, value, other)))
            case Fold():
                return self._fold(expr)
            case Call(fixed=fixed):
                node = self._call(expr)
                return nodes.Fixed(node) if fixed and not node.is_constant else node
        raise TypeError(f"not an expression: {expr!r}")

    def _fold(self, fold: Fold) -> Node:
        code = self.implementations[fold.word].code
        condition = self.linked(fold.condition) if fold.condition is not None else None
        domain, body = self.linked(fold.domain), self.linked(fold.body)
        return nodes.FoldNode(code, fold.variable, domain, condition, body)

    def _call(self, call: Call) -> Node:
        arguments = [self.linked(argument) for argument in call.arguments]
        if call.word in CONNECTIVES:
            return (nodes.Or if CONNECTIVES[call.word] else nodes.And)(*arguments)
        if call.word in CUTS:
            return nodes.Intersection.of(arguments[0], arguments[1], CUTS[call.word])
        found = self.implementations[call.word]
        node = nodes.CallNode(found.code, found.first, found.work, *arguments)
        return nodes.LocatedNode(node, call.span) if found.may_fail else node


CUTS = {"&(hexes,hexes)": False, "-(hexes,hexes)": True}
"""The words that cut a set down, and whether they take the second one away."""
