"""The reference evaluator: a plain walk over the typed core, slow and obvious.

It knows neither hexes nor rules. A view is anything with a `board`, a `memo` (for what the
table alone decides), `env` (bound names) and `bound(name, value)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from kbrules.lang import nodes
from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var
from kbrules.lang.nodes import Code, Node


class Viewed(Protocol):
    """What the evaluator needs of a view."""

    board: Any
    env: Mapping[str, Any]
    memo: dict[Any, Any]

    def bound(self, name: str, value: Any) -> Any:
        """The same view with one more name bound."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """The code of a word, and whether its first argument is the view, the board or neither."""

    code: Code
    first: str


def option_key(name: str) -> str:
    """Where `decided` finds the value of an option."""
    return f"option {name}"


class Evaluator:
    """Values of expressions, given the implementations of the words by signature key."""

    def __init__(self, implementations: Mapping[str, Implementation]) -> None:
        self._implementations = implementations
        self._nodes: dict[int, tuple[Expr, Node]] = {}

    def __call__(self, expr: Expr, view: Viewed) -> Any:
        """The value of an expression as seen by a view."""
        return self.node(expr).value(view)

    def node(self, expr: Expr) -> Node:
        """The expression with the code of its words found, ready to be asked."""
        found = self._nodes.get(id(expr))
        if found is None:
            found = (expr, self._link(expr))
            self._nodes[id(expr)] = found
        return found[1]

    def decided(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """The same where some words and options are known: what they alone decide is worked out.

        known: values by the key of a word that takes nothing, or by `option_key`.
        """
        return self._link(expr, known)

    def _link(self, expr: Expr, known: Mapping[str, Any] | None = None) -> Node:
        match expr:
            case Lit(value=value):
                return nodes.Constant(value)
            case Var(name=name):
                return nodes.Variable(name)
            case Choice(condition=condition, value=value, other=other):
                return nodes.Choose(*(self._link(e, known) for e in (condition, value, other)))
            case Fold():
                return self._link_fold(expr, known)
            case Call(word="option", arguments=(Lit(value=name),)) if known is not None:
                return nodes.Constant(known[option_key(name)])
            case Call(word=word) if known is not None and word in known:
                return nodes.Constant(known[word])
            case Call(fixed=fixed):
                node = self._link_call(expr, known)
                return nodes.Fixed(node) if fixed and not node.is_constant else node
        raise TypeError(f"not an expression: {expr!r}")

    def _link_fold(self, fold: Fold, known: Mapping[str, Any] | None) -> Node:
        code = self._implementations[fold.word].code
        condition = self._link(fold.condition, known) if fold.condition is not None else None
        domain, body = self._link(fold.domain, known), self._link(fold.body, known)
        return nodes.Over(code, fold.variable, domain, condition, body)

    def _link_call(self, call: Call, known: Mapping[str, Any] | None) -> Node:
        arguments = [self._link(argument, known) for argument in call.arguments]
        if call.word in _CONNECTIVES:
            stops = _CONNECTIVES[call.word]
            first, second = arguments
            if isinstance(first, nodes.Constant):
                return first if first.value(None) is stops else second
            return nodes.Or(first, second) if stops else nodes.And(first, second)
        found = self._implementations[call.word]
        is_given = bool(arguments) and all(a.is_constant for a in arguments)
        if is_given and found.first != "board":
            values = [a.value(None) for a in arguments]
            if found.first:
                return nodes.Asked(found.code, values)
            return nodes.Constant(found.code(*values))
        if call.word in NATIVE:
            return NATIVE[call.word](*arguments)
        if call.word in COMPARED and arguments[1].is_constant:
            return COMPARED[call.word](arguments[0], arguments[1].value(None))
        shape = _SHAPES.get((found.first, len(arguments)))
        if shape is not None:
            return shape(found.code, *arguments)
        return nodes.Many(found.code, found.first, *arguments)


_CONNECTIVES = {"and(truth,truth)": False, "or(truth,truth)": True}
"""The value of the first operand that decides the whole."""
# What is asked most often is done on the spot; tests hold it against the words' own code.
NATIVE: Mapping[str, Callable[..., Node]] = {
    "&(hexes,hexes)": partial(nodes.cut, is_taken_away=False),
    "-(hexes,hexes)": partial(nodes.cut, is_taken_away=True),
    "|(hexes,hexes)": partial(nodes.Either, None),
    "none(hexes)": partial(nodes.IsEmpty, None),
    "any(hexes)": partial(nodes.IsAny, None),
}
COMPARED: Mapping[str, Callable[[Node, int], Node]] = {
    "=(number,number)": nodes.Equals,
    ">(number,number)": nodes.Above,
}
_SHAPES: Mapping[tuple[str, int], Callable[..., Node]] = {
    ("", 1): nodes.Plain1,
    ("", 2): nodes.Plain2,
    ("board", 0): nodes.Board0,
    ("board", 1): nodes.Board1,
    ("board", 2): nodes.Board2,
    ("view", 0): nodes.View0,
    ("view", 1): nodes.View1,
}
