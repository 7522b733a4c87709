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
        if self.steps <= self.max_steps and self.once <= self.max_once:
            return
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


@dataclass(slots=True, eq=False)
class ConstantNode(Node):
    """A value that is the same everywhere."""

    known: Any

    def value(self, view: Any) -> Any:
        return self.known


@dataclass(slots=True, eq=False)
class Variable(Node):
    """A name bound by the view."""

    name: str

    def value(self, view: Any) -> Any:
        return view.env.get(self.name, 0)


@dataclass(slots=True, eq=False)
class Fixed(Node):
    """Computed once per table and remembered there."""

    node: Node

    def value(self, view: Any) -> Any:
        cache = view.cache
        try:
            return cache[self]
        except KeyError:
            before = WORK.steps
            cache[self] = value = self.node.value(view)
            WORK.once += WORK.steps - before
            WORK.steps = before
            return value


@dataclass(slots=True, eq=False)
class LocatedNode(Node):
    """What may fail, with the place that is reported then."""

    node: Node
    span: Span

    def value(self, view: Any) -> Any:
        try:
            return self.node.value(view)
        except RulesError as error:
            raise error.placed(self.span) from None


@dataclass(slots=True, eq=False)
class CallNode(Node):
    """The code of a word; first: what it takes before the arguments, `view`, `board` or nothing.

    work: how many steps its code takes.
    """

    code: Code
    first: str
    work: int
    arguments: list[Node]

    def value(self, view: Any) -> Any:
        WORK.steps += self.work
        values: list[Any] = []
        if self.first:
            values.append(view if self.first == "view" else view.board)
        for argument in self.arguments:
            values.append(argument.value(view))
        return self.code(*values)


@dataclass(slots=True, eq=False)
class Intersection(Node):
    """A set cut down from left to right: each further part, and whether it is taken away.

    What follows is not evaluated once nothing is left.
    """

    first: Node
    rest: tuple[tuple[Node, bool], ...]

    def value(self, view: Any) -> Any:
        found = self.first.value(view)
        for node, is_taken_away in self.rest:
            if not found:
                return 0
            found &= ~node.value(view) if is_taken_away else node.value(view)
        return found

    @staticmethod
    def of(a: Node, b: Node, is_taken_away: bool) -> Intersection:
        """A set cut down by another: to what lies in it, or to what does not."""
        first, rest = (a.first, a.rest) if isinstance(a, Intersection) else (a, ())
        return Intersection(first, (*rest, (b, is_taken_away)))


@dataclass(slots=True, eq=False)
class And(Node):
    """`a and b`; the second is evaluated only if the first does not decide."""

    a: Node
    b: Node

    def value(self, view: Any) -> Any:
        return self.a.value(view) and self.b.value(view)


@dataclass(slots=True, eq=False)
class Or(Node):
    """`a or b`, the same way."""

    a: Node
    b: Node

    def value(self, view: Any) -> Any:
        return self.a.value(view) or self.b.value(view)


@dataclass(slots=True, eq=False)
class ConditionalNode(Node):
    """One value or the other, as a condition says."""

    condition: Node
    one: Node
    other: Node

    def value(self, view: Any) -> Any:
        return (self.one if self.condition.value(view) else self.other).value(view)


@dataclass(slots=True, eq=False)
class FoldNode(Node):
    """A fold over the items of a domain."""

    code: Code
    variable: str
    domain: Node
    condition: Node | None
    body: Node

    def value(self, view: Any) -> Any:
        WORK.check()
        values = []
        for inner in view.bind_each(self.variable, self.domain.value(view)):
            if self.condition is None or self.condition.value(inner):
                values.append(self.body.value(inner))
        return self.code(values)


# Working out beforehand what options and other known values alone decide in an expression.

CONNECTIVES = {"and(truth,truth)": False, "or(truth,truth)": True}
"""The value of the first operand that decides the whole."""
INTERSECTION, DIFFERENCE, UNION = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
CUTS = {INTERSECTION: False, DIFFERENCE: True}
"""The words that cut a set down, and whether they take the second one away."""


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
    """Its value, if its arguments are known and it asks neither view nor board.

    Of two sets of which one is known to be empty, what is left.
    """
    first = call.arguments[0] if call.arguments else None
    if call.word in CONNECTIVES and isinstance(first, Lit):
        return first if first.value is CONNECTIVES[call.word] else call.arguments[1]
    if call.word in (INTERSECTION, DIFFERENCE, UNION):
        one, other = call.arguments
        if isinstance(other, Lit) and not other.value:
            return other if call.word == INTERSECTION else one
        if isinstance(one, Lit) and not one.value:
            return other if call.word == UNION else one
        return call
    found = implementations[call.word]
    values = [argument.value for argument in call.arguments if isinstance(argument, Lit)]
    if found.first or not values or len(values) < len(call.arguments):
        return call
    return Lit(call.sort, call.span, found.code(*values))


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
                code = self.implementations[expr.word].code
                guard = None if expr.condition is None else self.linked(expr.condition)
                domain, body = self.linked(expr.domain), self.linked(expr.body)
                return FoldNode(code, expr.variable, domain, guard, body)
            case Call(fixed=fixed):
                node = self._call(expr)
                return Fixed(node) if fixed and not node.is_constant else node
        raise TypeError(f"not an expression: {expr!r}")

    def _call(self, call: Call) -> Node:
        arguments = [self.linked(argument) for argument in call.arguments]
        if call.word in CONNECTIVES:
            return (Or if CONNECTIVES[call.word] else And)(*arguments)
        if call.word in CUTS:
            return Intersection.of(arguments[0], arguments[1], CUTS[call.word])
        found = self.implementations[call.word]
        node = CallNode(found.code, found.first, found.work, arguments)
        return LocatedNode(node, call.span) if found.may_fail else node
