"""The reference evaluator: a plain walk over the typed core, slow and obvious."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import get_ident
from typing import Any, NamedTuple, Protocol

from kbrules.diagnostics import RulesError
from kbrules.lang.typed import Call, Conditional, Expr, Fold, Lit, Var
from kbrules.text import Span

# Linked expressions: a node for each kind of call, evaluated on a view.

Code = Callable[..., Any]


class OutOfWork(Exception):
    """Evaluation was stopped because it had done as much as it was given."""


_UNLIMITED = 1 << 62


class _Limit(NamedTuple):
    """How many steps may be done by then, in which thread."""

    thread: int
    steps: int
    once: int


class Work:
    """The work that evaluation has done in this process, in steps of expressions.

    A word counts as much as it says it takes, whatever is known of its answer from before, so that
    the same questions are the same work everywhere. `once` is the work for what a table alone
    decides: it is done once for each table, and is not among the other steps.
    """

    __slots__ = ("_limits", "max_once", "max_steps", "once", "steps")

    def __init__(self) -> None:
        self.steps = self.once = 0
        self.max_steps = self.max_once = _UNLIMITED
        self._limits: list[_Limit] = []

    @property
    def total(self) -> int:
        """All steps."""
        return self.steps + self.once

    def check(self) -> None:
        """Raise OutOfWork if more was done than `limited` allows in this thread."""
        if self.steps > self.max_steps or self.once > self.max_once:
            self._check_own_limits()

    def _check_own_limits(self) -> None:
        thread = get_ident()
        for limit in self._limits:
            if limit.thread == thread and (self.steps > limit.steps or self.once > limit.once):
                raise OutOfWork

    @contextmanager
    def limited(self, steps: int) -> Iterator[None]:
        """Allow so much work of either kind inside of a block; more of it raises OutOfWork."""
        limit = _Limit(get_ident(), self.steps + steps, self.once + steps)
        self._limits.append(limit)
        self._set_least()
        try:
            yield
        finally:
            self._limits.remove(limit)
            self._set_least()

    def _set_least(self) -> None:
        """Set the least limits of all threads, which need not leave in the order they came in."""
        limits = (*self._limits,)
        self.max_steps = min((limit.steps for limit in limits), default=_UNLIMITED)
        self.max_once = min((limit.once for limit in limits), default=_UNLIMITED)


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


# Working out beforehand what options and other known values alone decide in an expression.

CONNECTIVES = {"and(truth,truth)": False, "or(truth,truth)": True}
"""The value of the first operand that decides the whole."""
INTERSECTION, DIFFERENCE, UNION = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"


@dataclass(frozen=True, slots=True)
class Implementation:
    """The code of a word, and whether its first argument is the view, the board or neither.

    may_fail: whether it raises RulesError where it cannot answer. work: how many steps of an
    expression it takes.
    """

    code: Code
    first: str
    may_fail: bool = False
    work: int = 1


Implementations = Mapping[str, Implementation]


def known_key(word: str, name: str) -> str:
    """Where `fold_constants` finds the value of an option or a quantity."""
    return f"{word} {name}"


def known_key_of(call: Call) -> str:
    """Return the key by which the value of a call may be known; empty if it cannot be."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], Lit):
        return known_key(call.word, str(call.arguments[0].value))
    return "" if call.arguments else call.word


def fold_constants(expr: Expr, known: Mapping[str, Any], implementations: Implementations) -> Expr:
    """The expression with everything worked out that what is known decides.

    known: values by the key of a word that takes nothing, or by `known_key`.
    """

    def inner(part: Expr) -> Expr:
        return fold_constants(part, known, implementations)

    match expr:
        case Lit() | Var():
            return expr
        case Conditional(sort, span, condition, value, other):
            test = inner(condition)
            if isinstance(test, Lit):
                return inner(value) if test.value else inner(other)
            return Conditional(sort, span, test, inner(value), inner(other))
        case Fold(sort, span, word, variable, domain, condition, body):
            guard = None if condition is None else inner(condition)
            return Fold(sort, span, word, variable, inner(domain), guard, inner(body))
        case Call(sort, span) if (key := known_key_of(expr)) in known:
            return Lit(sort, span, known[key])
        case Call(arguments=arguments):
            parts = tuple(inner(argument) for argument in arguments)
            return _fold_call(replace(expr, arguments=parts), implementations)
    raise TypeError(f"not an expression: {expr!r}")


def _fold_call(call: Call, implementations: Implementations) -> Expr:
    """Its value, if its arguments are known and it asks neither view nor board."""
    first = call.arguments[0] if call.arguments else None
    if call.word in CONNECTIVES and isinstance(first, Lit):
        return first if first.value is CONNECTIVES[call.word] else call.arguments[1]
    if call.word in (INTERSECTION, DIFFERENCE, UNION):
        return _fold_sets(call)
    found = implementations[call.word]
    if found.first or not call.arguments:
        return call
    if not all(isinstance(argument, Lit) for argument in call.arguments):
        return call
    values = [argument.value for argument in call.arguments if isinstance(argument, Lit)]
    return Lit(call.sort, call.span, found.code(*values))


def _fold_sets(call: Call) -> Expr:
    """What is left of two sets where one of them is known to be empty."""
    one, other = call.arguments
    if _is_empty(other):
        return other if call.word == INTERSECTION else one
    if _is_empty(one):
        return other if call.word == UNION else one
    return call


def _is_empty(hexes: Expr) -> bool:
    return isinstance(hexes, Lit) and hexes.value == 0


# The evaluator knows neither hexes nor rules. A view is anything with a `board`, a `cache` (for
# what the table alone decides), `env` (bound names) and `bind_each(name, items)`.


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
                return ConstantNode(value)
            case Var(name=name):
                return Variable(name)
            case Conditional(condition=condition, value=value, other=other):
                return ConditionalNode(*(self.linked(e) for e in (condition, value, other)))
            case Fold():
                return self._fold(expr)
            case Call(fixed=fixed):
                node = self._call(expr)
                return Fixed(node) if fixed and not node.is_constant else node
        raise TypeError(f"not an expression: {expr!r}")

    def _fold(self, fold: Fold) -> Node:
        code = self.implementations[fold.word].code
        condition = self.linked(fold.condition) if fold.condition is not None else None
        domain, body = self.linked(fold.domain), self.linked(fold.body)
        return FoldNode(code, fold.variable, domain, condition, body)

    def _call(self, call: Call) -> Node:
        arguments = [self.linked(argument) for argument in call.arguments]
        if call.word in CONNECTIVES:
            return (Or if CONNECTIVES[call.word] else And)(*arguments)
        if call.word in CUTS:
            return Intersection.of(arguments[0], arguments[1], CUTS[call.word])
        found = self.implementations[call.word]
        node = CallNode(found.code, found.first, found.work, *arguments)
        return LocatedNode(node, call.span) if found.may_fail else node


CUTS = {"&(hexes,hexes)": False, "-(hexes,hexes)": True}
"""The words that cut a set down, and whether they take the second one away."""
