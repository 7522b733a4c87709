"""Conditions that never change, empty sets, awards that never pay, branches that are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.board import Catalog
from kbrules.lang import typed as core
from kbrules.lang.syntax import tree
from kbrules.lang.typed import ELEMENT, Sort
from kbrules.text import Span
from kbrules.tools.lint.algebra import key, tree_key, why_disjoint
from kbrules.tools.lint.subject import Subject, lint, typed_expressions

# What an expression can be at least and at most, whatever the board and the position.
#
# A number is between two numbers. A truth is 0 or 1. Of sets and groups it is how many there are
# in them. Every bound is on the safe side: what is not known could be anything.

Interval = tuple[int, int]
MAX_VALUE = 1_000_000
NEIGHBOURS = 6  # neighbours of a hex
_UNKNOWN = {Sort.TRUTH: (0, 1), Sort.NUMBER: (-MAX_VALUE, MAX_VALUE)}
_EMPTY = (0, 0)
# Words that give hexes or groups only if their first set has any.
_EMPTY_PRESERVING = (
    "adjacent", "straight", "slide", "next_in", "reach", "inside", "alike", "connected", "linked",
    "groups", "lines", "parts", "ends", "largest", "smallest", "touching", "within",
)  # fmt: skip


@dataclass(slots=True)
class Bounds:
    """The bounds of typed expressions; what several share is looked at once.

    is_restored: whether a step puts pieces into supplies, which may then be as large as you like.
    """

    catalog: Catalog
    is_restored: bool = False
    _cache: dict[int, tuple[core.Expr, Interval]] = field(default_factory=dict)

    def of(self, expr: core.Expr) -> Interval:
        """The least and the most an expression can be."""
        cached = self._cache.get(id(expr))
        if cached is None:
            cached = self._cache[id(expr)] = expr, self._compute(expr)
        return cached[1]

    def _compute(self, expr: core.Expr) -> Interval:
        match expr:
            case core.Lit(sort=Sort.NUMBER | Sort.TRUTH, value=value):
                return int(value), int(value)
            case core.Lit(sort=sort, value=value) if sort in ELEMENT and not value:
                return _EMPTY
            case core.Call():
                return self._call(expr)
            case core.Conditional(condition=condition, value=value, other=other):
                return self._conditional(condition, self.of(value), self.of(other))
            case core.Fold():
                return self._fold(expr)
            case _:
                return _unknown(expr.sort)

    def _conditional(self, condition: core.Expr, value: Interval, other: Interval) -> Interval:
        low, high = self.of(condition)
        if low == high:
            return value if low else other
        return min(value[0], other[0]), max(value[1], other[1])

    def _call(self, call: core.Call) -> Interval:
        name = call.word.partition("(")[0]
        if call.word in _ARITHMETIC:
            return _ARITHMETIC[call.word](*map(self.of, call.arguments))
        if call.word in _COMPARISONS:
            if key(call.arguments[0]) == key(call.arguments[1]):
                return _COMPARISONS[call.word]((0, 0), (0, 0))
            return _COMPARISONS[call.word](*map(self.of, call.arguments))
        if call.word in _SET_OPERATORS:
            return self._sets(call)
        if name == "touching":
            return self._touching(*call.arguments)
        if name in _EMPTY_PRESERVING and self.of(call.arguments[0])[1] == 0:
            return _EMPTY
        return self._word(name, call)

    def _word(self, name: str, call: core.Call) -> Interval:
        match name:
            case "count":
                return self.of(call.arguments[0])
            case "any":
                low, high = self.of(call.arguments[0])
                return min(low, 1), min(high, 1)
            case "none":
                low, high = self.of(call.arguments[0])
                return int(high == 0), int(low == 0)
            case "foremost":
                low, high = self.of(call.arguments[0])
                return min(low, 1), min(high, 1)
            case "most" | "least":
                (low, high), (other_low, other_high) = map(self.of, call.arguments)
                best = max if name == "most" else min
                return best(low, other_low), best(high, other_high)
            case "supply" if isinstance(piece := call.arguments[0], core.Lit):
                supply = self.catalog.pieces[piece.value].supply
                return 0, MAX_VALUE if self.is_restored else supply
            case "quantity" | "option":
                return _unknown(call.sort)
            case _ if call.sort is Sort.NUMBER:
                return 0, MAX_VALUE
            case _:
                return _unknown(call.sort)

    def _sets(self, call: core.Call) -> Interval:
        if why_disjoint(call):
            return _EMPTY
        (low, high), (other_low, other_high) = map(self.of, call.arguments)
        match call.word[0]:
            case "&":
                return 0, min(high, other_high)
            case "|":
                return max(low, other_low), _clamp(high + other_high)
            case _:
                return max(0, low - other_high), high

    def _touching(self, of: core.Expr, amount: core.Expr) -> Interval:
        if not isinstance(amount, core.Call):
            return 0, MAX_VALUE
        low, high = self.of(amount.arguments[0])
        name = amount.word.partition("(")[0]
        least = 0 if name == "at most" else low
        most = MAX_VALUE if name == "at least" else high
        is_impossible = least > NEIGHBOURS or least > self.of(of)[1] or most < least or most < 0
        return _EMPTY if is_impossible else (0, MAX_VALUE)

    def _fold(self, fold: core.Fold) -> Interval:
        name = fold.word.partition("(")[0]
        over, (low, high) = self.of(fold.domain), self.of(fold.body)
        is_empty = over[1] == 0 or (fold.condition is not None and self.of(fold.condition)[1] == 0)
        if is_empty:
            return (1, 1) if name == "all" else _EMPTY
        match name:
            case "any":
                return 0, high
            case "all":
                return low, 1
            case "most" | "least":
                return min(low, 0), max(high, 0)
            case "sum":
                return (0 if low >= 0 else -MAX_VALUE), (0 if high <= 0 else MAX_VALUE)
            case "each":
                return 0, over[1]
            case "count":
                return 0, over[1] * high
            case _:
                return 0, (0 if high == 0 else MAX_VALUE)


def _unknown(sort: Sort) -> Interval:
    return _UNKNOWN.get(sort, (0, MAX_VALUE))


def _clamp(value: int) -> int:
    return max(-MAX_VALUE, min(MAX_VALUE, value))


def _plus(a: Interval, b: Interval) -> Interval:
    return _clamp(a[0] + b[0]), _clamp(a[1] + b[1])


def _negative(a: Interval) -> Interval:
    return -a[1], -a[0]


def _times(a: Interval, b: Interval) -> Interval:
    corners = [_clamp(x * y) for x in a for y in b]
    return min(corners), max(corners)


def _quotient(a: Interval, b: Interval) -> Interval:
    if b[0] == b[1]:
        ends = [x // b[0] for x in a] if b[0] else [0]
        return min(ends), max(ends)
    return (0, a[1]) if a[0] >= 0 and b[0] >= 0 else (-MAX_VALUE, MAX_VALUE)


_ARITHMETIC: dict[str, Callable[..., Interval]] = {
    "+(number,number)": _plus,
    "-(number,number)": lambda a, b: _plus(a, _negative(b)),
    "-(number)": _negative,
    "*(number,number)": _times,
    "/(number,number)": _quotient,
    "and(truth,truth)": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "or(truth,truth)": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "not(truth)": lambda a: (1 - a[1], 1 - a[0]),
}


def _less(a: Interval, b: Interval) -> Interval:
    return int(a[1] < b[0]), int(a[0] < b[1])


def _less_or_equal(a: Interval, b: Interval) -> Interval:
    return int(a[1] <= b[0]), int(a[0] <= b[1])


def _equal(a: Interval, b: Interval) -> Interval:
    return int(a == b and a[0] == a[1]), int(a[0] <= b[1] and b[0] <= a[1])


_COMPARISONS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "<(number,number)": _less,
    ">(number,number)": lambda a, b: _less(b, a),
    "<=(number,number)": _less_or_equal,
    ">=(number,number)": lambda a, b: _less_or_equal(b, a),
    "=(number,number)": _equal,
    "!=(number,number)": lambda a, b: _ARITHMETIC["not(truth)"](_equal(a, b)),
}
_SET_OPERATORS = {"&(hexes,hexes)", "|(hexes,hexes)", "-(hexes,hexes)"}


_SETS = (Sort.HEXES, Sort.GROUPS)


@dataclass(frozen=True, slots=True)
class ConstantParts:
    """The innermost expressions of the selected files whose value is always the same."""

    conditions: tuple[tuple[core.Expr, bool], ...]
    sets: tuple[core.Expr, ...]
    bounds: Bounds

    def spans(self) -> Iterator[Span]:
        """Where they all stand."""
        yield from (expr.span for expr, _ in self.conditions)
        yield from (expr.span for expr in self.sets)


def constant_parts(subject: Subject) -> ConstantParts:
    """What never changes, each where it is written; what a define brings is reported at it."""
    bounds = Bounds(subject.catalog, _restores(subject))
    conditions: dict[Span, tuple[core.Expr, bool]] = {}
    sets: dict[Span, core.Expr] = {}
    definitions = subject.checked.scope.names.definitions
    for declaration, expr in typed_expressions(subject):
        for each in _innermost(expr, bounds):
            if not isinstance(each, core.Call | core.Fold) or not declaration.holds(each.span):
                continue
            if each.span.text.partition("(")[0].strip() in definitions:
                continue  # what an author's word brings along is reported at its definition
            if each.sort is Sort.TRUTH:
                conditions.setdefault(each.span, (each, bounds.of(each) == (1, 1)))
            else:
                sets.setdefault(each.span, each)
    return ConstantParts(tuple(conditions.values()), tuple(sets.values()), bounds)


def _restores(subject: Subject) -> bool:
    """Whether any rule puts into supplies what need not have come from them."""
    steps = (step for block in subject.ruleset.blocks.values() for step in block.steps)
    return any(isinstance(step, core.Step) and step.name == "restore" for step in steps)


def _innermost(expr: core.Expr, bounds: Bounds) -> Iterator[core.Expr]:
    """The parts that are always the same and hold no smaller one of that kind."""
    parts = core.parts_of(expr)
    inner = [each for part in parts for each in _innermost(part, bounds)]
    if inner:
        yield from inner
    elif not isinstance(expr, core.Lit) and _is_constant(expr, bounds):
        yield expr


def _is_constant(expr: core.Expr, bounds: Bounds) -> bool:
    low, high = bounds.of(expr)
    if expr.sort is Sort.TRUTH:
        return low == high
    return expr.sort in _SETS and high == 0


@lint("KB713")
def constant_condition(subject: Subject) -> Iterator[Diagnostic]:
    """A condition that is always true or always false."""
    known = subject.shared(constant_parts)
    for expr, value in known.conditions:
        message = f"{quoted(expr.span.one_line)} is always {'true' if value else 'false'}"
        yield Diagnostic("KB713", expr.span, message, _help_for(expr, known.bounds))


def _help_for(expr: core.Expr, bounds: Bounds) -> str:
    if not isinstance(expr, core.Call) or len(expr.arguments) != 2:
        return "say what is meant, or leave the condition out"
    first = expr.arguments[0]
    low, high = bounds.of(first)
    if low < 0 or first.sort is not Sort.NUMBER:
        return "say what is meant, or leave the condition out"
    return (
        f"{quoted(first.span.one_line)} is from {low} {'up' if high >= MAX_VALUE else f'to {high}'}"
    )


@lint("KB714")
def empty_set(subject: Subject) -> Iterator[Diagnostic]:
    """A set that has no hex on any board, by its words alone."""
    for expr in subject.shared(constant_parts).sets:
        reason = why_disjoint(expr) if isinstance(expr, core.Call) else ""
        if not reason and expr.span.text.startswith("touching"):
            reason = f"a hex has {NEIGHBOURS} neighbours"
        message = f"{quoted(expr.span.one_line)} is always empty"
        yield Diagnostic("KB714", expr.span, message, reason or "say what is meant")


@lint("KB715")
def award_of_nothing(subject: Subject) -> Iterator[Diagnostic]:
    """An award that can never be more than nothing."""
    known = subject.shared(constant_parts)
    reported = list(known.spans())
    for rule in subject.rules:
        for award in rule.awards:
            low, high = known.bounds.of(award.amount)
            if high <= 0 and not any(map(award.amount.span.holds, reported)):
                what = "nothing" if low == high == 0 else "nothing or less"
                message = f"this award always pays {what}"
                help_ = "if it is a penalty, say so in a suppression"
                yield Diagnostic("KB715", award.amount.span, message, help_ if low < 0 else "")


# Branches

_BRANCH_HELP = "one of the two should be something else, or one will do"


@lint("KB721")
def same_branches(subject: Subject) -> Iterator[Diagnostic]:
    """Two ways that are the same: whatever decides between them changes nothing."""
    for choice in subject.nodes(tree.Choice):
        if choice.other is not None and tree_key(choice.value) == tree_key(choice.other):
            message = "both values are the same, whatever the condition says"
            labels = (Label(choice.value.span, "the first"),)
            yield Diagnostic("KB721", choice.other.span, message, _BRANCH_HELP, labels)
    for declaration in subject.declarations:
        for part in core.nodes_in(declaration):
            statements = getattr(part, "body", None)
            if isinstance(statements, tuple):
                yield from _in_block(statements)


def _in_block(statements: tree.Statements) -> Iterator[Diagnostic]:
    """An `otherwise` like its `if`, an `or` like one of those before it."""
    bodies: list[tree.Statements] = []
    for each in statements:
        if isinstance(each, tree.If) or (isinstance(each, tree.Branch) and each.kind == "either"):
            bodies = [each.body]
        elif isinstance(each, tree.Branch) and each.kind != "may":
            if any(tree_key(each.body) == tree_key(body) for body in bodies):
                first = each.span.source.span(each.span.start, each.span.start + len(each.kind))
                message = f"`{each.kind}:` does what the branch before it does"
                yield Diagnostic("KB721", first, message, _BRANCH_HELP)
            bodies.append(each.body)
        else:
            bodies = []
