"""The reference evaluator: a plain walk over the typed core, slow and obvious.

It knows neither hexes nor rules. A view is anything with a `board`, a `memo` (for what the
table alone decides), `env` (bound names) and `bound(name, value)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var

Code = Callable[..., Any]


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
                return _Constant(value)
            case Var(name=name):
                return _Variable(name)
            case Choice(condition=condition, value=value, other=other):
                return _Choose(*(self._link(e, known) for e in (condition, value, other)))
            case Fold():
                return self._link_fold(expr, known)
            case Call(word="option", arguments=(Lit(value=name),)) if known is not None:
                return _Constant(known[option_key(name)])
            case Call(word=word) if known is not None and word in known:
                return _Constant(known[word])
            case Call(fixed=fixed):
                node = self._link_call(expr, known)
                return _Fixed(node) if fixed and not node.is_constant else node
        raise TypeError(f"not an expression: {expr!r}")

    def _link_fold(self, fold: Fold, known: Mapping[str, Any] | None) -> Node:
        code = self._implementations[fold.word].code
        condition = self._link(fold.condition, known) if fold.condition is not None else None
        domain, body = self._link(fold.domain, known), self._link(fold.body, known)
        return _Over(code, fold.variable, domain, condition, body)

    def _link_call(self, call: Call, known: Mapping[str, Any] | None) -> Node:
        arguments = [self._link(argument, known) for argument in call.arguments]
        if call.word in _CONNECTIVES:
            stops = _CONNECTIVES[call.word]
            first, second = arguments
            if isinstance(first, _Constant):
                return first if first.value(None) is stops else second
            return _Or(first, second) if stops else _And(first, second)
        found = self._implementations[call.word]
        is_given = bool(arguments) and all(a.is_constant for a in arguments)
        if is_given and found.first != "board":
            values = [a.value(None) for a in arguments]
            return _Asked(found.code, values) if found.first else _Constant(found.code(*values))
        if call.word in NATIVE:
            return NATIVE[call.word](*arguments)
        if call.word in COMPARED and arguments[1].is_constant:
            return COMPARED[call.word](arguments[0], arguments[1].value(None))
        shape = _SHAPES.get((found.first, len(arguments)))
        if shape is not None:
            return shape(found.code, *arguments)
        return _Many(found.code, found.first, *arguments)


class Node:
    """A linked expression."""

    __slots__ = ()

    @property
    def is_constant(self) -> bool:
        """Whether its value is the same everywhere."""
        return isinstance(self, _Constant)

    def value(self, view: Any) -> Any:
        """Its value as seen by a view."""
        raise TypeError("a node has a value of its own")


class _Constant(Node):
    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def value(self, view: Any) -> Any:
        return self._value


class _Variable(Node):
    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def value(self, view: Any) -> Any:
        return view.env.get(self._name, 0)


class _Fixed(Node):
    """Computed once per table and remembered there."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def value(self, view: Any) -> Any:
        memo = view.memo
        try:
            return memo[self]
        except KeyError:
            memo[self] = value = self._node.value(view)
            return value


class _Parts(Node):
    __slots__ = ("_a", "_b", "_code")

    def __init__(self, code: Code | None, a: Node | None = None, b: Node | None = None) -> None:
        self._code: Any = code
        self._a: Any = a
        self._b: Any = b


class _Plain1(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(self._a.value(view))


class _Plain2(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(self._a.value(view), self._b.value(view))


class _Both(_Parts):
    """`a & b`: nothing is left to ask of an empty set."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        a = self._a.value(view)
        return a and a & self._b.value(view)


class _Without(_Parts):
    """`a - b` of sets, likewise."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        a = self._a.value(view)
        return a and a & ~self._b.value(view)


class _All(Node):
    """Three sets or more, cut down from left to right: each part, and whether it is taken away."""

    __slots__ = ("_first", "_rest")

    def __init__(self, first: Node, rest: tuple[tuple[Node, bool], ...]) -> None:
        self._first = first
        self._rest = rest

    def value(self, view: Any) -> Any:
        found = self._first.value(view)
        for node, is_taken_away in self._rest:
            if not found:
                return 0
            found &= ~node.value(view) if is_taken_away else node.value(view)
        return found

    @staticmethod
    def parts(node: Node) -> tuple[Node, tuple[tuple[Node, bool], ...]]:
        """The first part of a set and what cuts it down."""
        if isinstance(node, _All):
            return node._first, node._rest
        if isinstance(node, _Both | _Without):
            return node._a, ((node._b, isinstance(node, _Without)),)
        return node, ()


def _cut(a: Node, b: Node, is_taken_away: bool) -> Node:
    first, rest = _All.parts(a)
    if rest:
        return _All(first, (*rest, (b, is_taken_away)))
    return _Without(None, a, b) if is_taken_away else _Both(None, a, b)


class _Either(_Parts):
    """`a | b`."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) | self._b.value(view)


class _None(_Parts):
    """`none(a)` of a set."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return not self._a.value(view)


class _Any(_Parts):
    """`any(a)` of a set."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) != 0


class _Compared(Node):
    __slots__ = ("_a", "_number")

    def __init__(self, a: Node, number: int) -> None:
        self._a, self._number = a, number


class _Equals(_Compared):
    """`a = 0` and the like."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) == self._number


class _Above(_Compared):
    """`a > 0` and the like."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) > self._number


class _Board0(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(view.board)


class _Board1(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(view.board, self._a.value(view))


class _Board2(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(view.board, self._a.value(view), self._b.value(view))


class _View0(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(view)


class _Asked(Node):
    """A word of the view whose arguments are known."""

    __slots__ = ("_code", "_values")

    def __init__(self, code: Code, values: Sequence[Any]) -> None:
        self._code = code
        self._values = tuple(values)

    def value(self, view: Any) -> Any:
        return self._code(view, *self._values)


class _View1(_Parts):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._code(view, self._a.value(view))


class _Many(Node):
    __slots__ = ("_arguments", "_code", "_first")

    def __init__(self, code: Code, first: str, *arguments: Node) -> None:
        self._code = code
        self._first = first
        self._arguments = arguments

    def value(self, view: Any) -> Any:
        values = [argument.value(view) for argument in self._arguments]
        if self._first == "board":
            return self._code(view.board, *values)
        return self._code(view, *values) if self._first == "view" else self._code(*values)


class _And(Node):
    __slots__ = ("_a", "_b")

    def __init__(self, a: Node, b: Node) -> None:
        self._a, self._b = a, b

    def value(self, view: Any) -> Any:
        return self._a.value(view) and self._b.value(view)


class _Or(_And):
    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) or self._b.value(view)


class _Choose(Node):
    __slots__ = ("_condition", "_other", "_value")

    def __init__(self, condition: Node, value: Node, other: Node) -> None:
        self._condition, self._value, self._other = condition, value, other

    def value(self, view: Any) -> Any:
        return (self._value if self._condition.value(view) else self._other).value(view)


class _Over(Node):
    __slots__ = ("_body", "_code", "_condition", "_domain", "_variable")

    def __init__(
        self, code: Code, variable: str, domain: Node, condition: Node | None, body: Node
    ) -> None:
        self._code, self._variable = code, variable
        self._domain, self._condition, self._body = domain, condition, body

    def value(self, view: Any) -> Any:
        values = []
        for item in self._domain.value(view):
            inner = view.bound(self._variable, item)
            if self._condition is None or self._condition.value(inner):
                values.append(self._body.value(inner))
        return self._code(values)


_CONNECTIVES = {"and(truth,truth)": False, "or(truth,truth)": True}
"""The value of the first operand that decides the whole."""
# What is asked most often is done on the spot; tests hold it against the words' own code.
NATIVE: Mapping[str, Callable[..., Node]] = {
    "&(hexes,hexes)": partial(_cut, is_taken_away=False),
    "-(hexes,hexes)": partial(_cut, is_taken_away=True),
    "|(hexes,hexes)": partial(_Either, None),
    "none(hexes)": partial(_None, None),
    "any(hexes)": partial(_Any, None),
}
COMPARED: Mapping[str, Callable[[Node, int], Node]] = {
    "=(number,number)": _Equals,
    ">(number,number)": _Above,
}
_SHAPES: Mapping[tuple[str, int], Callable[..., Node]] = {
    ("", 1): _Plain1,
    ("", 2): _Plain2,
    ("board", 0): _Board0,
    ("board", 1): _Board1,
    ("board", 2): _Board2,
    ("view", 0): _View0,
    ("view", 1): _View1,
}
