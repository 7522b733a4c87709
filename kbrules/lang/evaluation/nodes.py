"""Linked expressions: a node for each kind of call, evaluated on a view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.text import Span

Code = Callable[..., Any]


class OutOfWork(Exception):
    """Evaluation was stopped because it had done as much as it was given."""


class Work:
    """The work that evaluation has done in this process, in steps of expressions.

    A word counts as much as it says it takes, whatever is known of its answer from before, so that
    the same questions are the same work everywhere. `once` is the work for what a table alone
    decides: it is done once for each table, and is not among the other steps.
    """

    __slots__ = ("max_once", "max_steps", "once", "steps")

    def __init__(self) -> None:
        self.steps = self.once = 0
        self.max_steps = self.max_once = 1 << 62

    @property
    def total(self) -> int:
        """All steps."""
        return self.steps + self.once

    def check(self) -> None:
        """Raise OutOfWork if more was done than `limited` allows."""
        if self.steps > self.max_steps or self.once > self.max_once:
            raise OutOfWork

    @contextmanager
    def limited(self, steps: int) -> Iterator[None]:
        """Allow so much work of either kind inside of a block; more of it raises OutOfWork."""
        before = self.max_steps, self.max_once
        self.max_steps = min(self.max_steps, self.steps + steps)
        self.max_once = min(self.max_once, self.once + steps)
        try:
            yield
        finally:
            self.max_steps, self.max_once = before


WORK = Work()
"""What is done in this process."""


class Node:
    """A linked expression."""

    __slots__ = ()

    @property
    def is_constant(self) -> bool:
        """Whether its value is the same everywhere."""
        return isinstance(self, ConstantNode)

    def value(self, view: Any) -> Any:
        """Its value as seen by a view."""
        raise TypeError("a node has a value of its own")


class ConstantNode(Node):
    """A value that is the same everywhere."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def value(self, view: Any) -> Any:
        return self._value


class Variable(Node):
    """A name bound by the view."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def value(self, view: Any) -> Any:
        return view.env.get(self._name, 0)


class Fixed(Node):
    """Computed once per table and remembered there."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def value(self, view: Any) -> Any:
        cache = view.cache
        try:
            return cache[self]
        except KeyError:
            before = WORK.steps
            cache[self] = value = self._node.value(view)
            WORK.once += WORK.steps - before
            WORK.steps = before
            return value


class LocatedNode(Node):
    """What may fail, with the place that is reported then."""

    __slots__ = ("_node", "_span")

    def __init__(self, node: Node, span: Span) -> None:
        self._node = node
        self._span = span

    def value(self, view: Any) -> Any:
        try:
            return self._node.value(view)
        except RulesError as error:
            raise error.placed(self._span) from None


class CallNode(Node):
    """The code of a word; first: what it takes before the arguments, `view`, `board` or nothing.

    work: how many steps its code takes.
    """

    __slots__ = ("_arguments", "_code", "_first", "_work")

    def __init__(self, code: Code, first: str, work: int, *arguments: Node) -> None:
        self._code, self._first, self._work, self._arguments = code, first, work, arguments

    def value(self, view: Any) -> Any:
        WORK.steps += self._work
        values: list[Any] = []
        if self._first:
            values.append(view if self._first == "view" else view.board)
        for argument in self._arguments:
            values.append(argument.value(view))
        return self._code(*values)


class Intersection(Node):
    """A set cut down from left to right: each further part, and whether it is taken away.

    What follows is not evaluated once nothing is left.
    """

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
    def of(a: Node, b: Node, is_taken_away: bool) -> Intersection:
        """A set cut down by another: to what lies in it, or to what does not."""
        first, rest = (a._first, a._rest) if isinstance(a, Intersection) else (a, ())
        return Intersection(first, (*rest, (b, is_taken_away)))


class _Connective(Node):
    """Two conditions; the second is evaluated only if the first does not decide."""

    __slots__ = ("_a", "_b")

    def __init__(self, a: Node, b: Node) -> None:
        self._a, self._b = a, b


class And(_Connective):
    """`a and b`."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) and self._b.value(view)


class Or(_Connective):
    """`a or b`."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        return self._a.value(view) or self._b.value(view)


class ConditionalNode(Node):
    """One value or the other, as a condition says."""

    __slots__ = ("_condition", "_other", "_value")

    def __init__(self, condition: Node, value: Node, other: Node) -> None:
        self._condition, self._value, self._other = condition, value, other

    def value(self, view: Any) -> Any:
        return (self._value if self._condition.value(view) else self._other).value(view)


class FoldNode(Node):
    """A fold over the items of a domain."""

    __slots__ = ("_body", "_code", "_condition", "_domain", "_variable")

    def __init__(
        self, code: Code, variable: str, domain: Node, condition: Node | None, body: Node
    ) -> None:
        self._code, self._variable = code, variable
        self._domain, self._condition, self._body = domain, condition, body

    def value(self, view: Any) -> Any:
        WORK.check()
        values = []
        for inner in view.bind_each(self._variable, self._domain.value(view)):
            if self._condition is None or self._condition.value(inner):
                values.append(self._body.value(inner))
        return self._code(values)
