"""Conditions that never change, empty sets, awards that never pay, and norms that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.board import Catalog
from kbrules.lang import evaluation, typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.lang.syntax import tree
from kbrules.lang.typed import ELEMENT, Sort
from kbrules.plan.plan import verbs_of_dead
from kbrules.text import Span
from kbrules.tools.lint.algebra import Key, is_subset, key, tree_key, why_disjoint
from kbrules.tools.lint.subject import Subject, lint, typed_expressions
from kbrules.tools.tracing import AND

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
                sides = {0: other, 1: value}
                possible = [self.of(sides[truth]) for truth in {*self.of(condition)}]
                lows, highs = zip(*possible, strict=True)
                return min(lows), max(highs)
            case core.Fold():
                return self._fold(expr)
            case _:
                return _unknown(expr.sort)

    def _call(self, call: core.Call) -> Interval:
        name = call.word.partition("(")[0]
        if call.word in _ARITHMETIC:
            return _ARITHMETIC[call.word](*map(self.of, call.arguments))
        if call.word in _COMPARISONS:
            is_same = key(call.arguments[0]) == key(call.arguments[1])
            bounds = [_EMPTY, _EMPTY] if is_same else map(self.of, call.arguments)
            return _COMPARISONS[call.word](*bounds)
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
            case "any" | "foremost":
                low, high = self.of(call.arguments[0])
                return min(low, 1), min(high, 1)
            case "none":
                low, high = self.of(call.arguments[0])
                return int(high == 0), int(low == 0)
            case "most" | "least":
                (low, high), (other_low, other_high) = map(self.of, call.arguments)
                best = max if name == "most" else min
                return best(low, other_low), best(high, other_high)
            case "supply" if isinstance(piece := call.arguments[0], core.Lit):
                supply = self.catalog.pieces[piece.value].supply
                return 0, MAX_VALUE if self.is_restored else supply
            case _ if call.sort is Sort.NUMBER and name not in ("quantity", "option"):
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


def constant_parts(subject: Subject) -> ConstantParts:
    """What never changes, each where it is written; what a define brings is reported at it."""
    steps = (step for block in subject.ruleset.blocks.values() for step in block.steps)
    is_restored = any(isinstance(step, core.Step) and step.name == "restore" for step in steps)
    bounds = Bounds(subject.catalog, is_restored)
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


def _innermost(expr: core.Expr, bounds: Bounds) -> Iterator[core.Expr]:
    """The parts that are always the same and hold no smaller one of that kind."""
    parts = core.parts_of(expr)
    inner = [each for part in parts for each in _innermost(part, bounds)]
    if inner:
        yield from inner
    elif not isinstance(expr, core.Lit):
        low, high = bounds.of(expr)
        is_same = low == high if expr.sort is Sort.TRUTH else high == 0 and expr.sort in _SETS
        if is_same:
            yield expr


@lint("KB713")
def constant_condition(subject: Subject) -> Iterator[Diagnostic]:
    """A condition that is always true or always false."""
    known = subject.shared(constant_parts)
    for expr, value in known.conditions:
        message = f"{quoted(expr.span.one_line)} is always {'true' if value else 'false'}"
        yield Diagnostic("KB713", expr.span, message, _help_for(expr, known.bounds))


def _help_for(expr: core.Expr, bounds: Bounds) -> str:
    if isinstance(expr, core.Call) and len(expr.arguments) == 2:
        first = expr.arguments[0]
        low, high = bounds.of(first)
        if low >= 0 and first.sort is Sort.NUMBER:
            most = "up" if high >= MAX_VALUE else f"to {high}"
            return f"{quoted(first.span.one_line)} is from {low} {most}"
    return "say what is meant, or leave the condition out"


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
    reported = [each.span for each in (*(expr for expr, _ in known.conditions), *known.sets)]
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


# Norms that other norms make idle.


@dataclass(frozen=True, slots=True)
class _ComparedNorm:
    """A norm and the rule it stands in."""

    norm: core.Norm
    rule: core.Rule

    @property
    def conditions(self) -> frozenset[Key]:
        """All that must hold for it."""
        return frozenset(_conditions(self.norm.guard))

    def covers(self, other: _ComparedNorm) -> bool:
        """Whether it says all that another norm says, wherever that holds."""
        norm, other_norm = self.norm, other.norm
        is_wide = set(other_norm.verbs) <= set(norm.verbs) and self.conditions <= other.conditions
        if norm.kind != other_norm.kind or not is_wide or not self.is_implied_by(other):
            return False
        if norm.target is None or other_norm.target is None:
            return norm.target is other_norm.target
        return is_subset(other_norm.target, norm.target)

    def is_equal(self, other: _ComparedNorm) -> bool:
        """Whether two norms differ in nothing but their place."""
        return self._key() == other._key()

    def _key(self) -> tuple[object, ...]:
        norm = self.norm
        return norm.kind, frozenset(norm.verbs), key(norm.target), self.conditions

    def is_implied_by(self, other: _ComparedNorm) -> bool:
        """Whether it holds for whomever the other one holds for: those of tiles need the tile."""
        return self.rule.kind == "rule" or self.rule is other.rule


def _conditions(guard: core.Expr | None) -> Iterator[Key]:
    if isinstance(guard, core.Call) and guard.word == AND:
        for argument in guard.arguments:
            yield from _conditions(argument)
    elif guard is not None:
        yield key(guard)


def norm_clauses(subject: Subject) -> Sequence[_ComparedNorm]:
    """Every norm in force, in the order of the rules."""
    return tuple(_ComparedNorm(norm, rule) for rule in subject.ruleset.rules for norm in rule.norms)


@lint("KB722")
def norm_twice(subject: Subject) -> Iterator[Diagnostic]:
    """A norm that is given twice."""
    seen: list[_ComparedNorm] = []
    clauses = subject.shared(norm_clauses)
    for clause in sorted(clauses, key=lambda other: subject.concerns(other.norm.span)):
        same = (each for each in seen if each.is_equal(clause) and each.is_implied_by(clause))
        earlier = next(same, None)
        if earlier is not None and subject.concerns(clause.norm.span):
            labels = (Label(first_line(earlier.norm.span), "given here already"),)
            message = f"this `{clause.norm.kind}` is given twice"
            span = first_line(clause.norm.span)
            yield Diagnostic("KB722", span, message, "keep one of them", labels)
        seen.append(clause)


@lint("KB756")
def all_cards_dead(subject: Subject) -> Iterator[Diagnostic]:
    """A ban on every hex that a card may open, where a card without one leaves the game."""
    whenevers = (whenever for whenever, _ in subject.ruleset.whenever_rules())
    verbs = {verb for whenever in whenevers for verb in verbs_of_dead(whenever)}
    catalog = subject.ruleset.catalog
    shown = {terrain for card in catalog.deck for terrain in card.terrains}
    for each in subject.shared(norm_clauses):
        norm = each.norm
        if norm.kind != "forbid" or not subject.concerns(norm.span) or not shown:
            continue
        if verbs.intersection(norm.verbs) and shown <= _kinds_inside(norm.target, catalog):
            verb = sorted(verbs.intersection(norm.verbs))[0]
            message = f"while this holds no card has a hex to {verb} on, and each is dead"
            help_ = f"to keep a player from it for a turn, write `deny {verb}`"
            yield Diagnostic("KB756", first_line(norm.span), message, help_)


def _kinds_inside(target: core.Expr | None, catalog: Catalog) -> set[int]:
    """The kinds of hexes all of which are in a set, by what is written alone."""
    every = set(range(len(catalog.hexes)))
    if target is None:
        return every
    if not isinstance(target, core.Call):
        return set()
    if target.word == evaluation.UNION:
        return set().union(*(_kinds_inside(part, catalog) for part in target.arguments))
    if target.word == evaluation.INTERSECTION:
        return every.intersection(*(_kinds_inside(part, catalog) for part in target.arguments))
    if target.word == "board()":
        return every
    if target.word == "terrain(terrain)" and isinstance(target.arguments[0], core.Lit):
        return {target.arguments[0].value}
    name = target.word.removesuffix("()")
    return {index for index, kind in enumerate(catalog.hexes) if name in kind.tags}


_COVERED_KINDS = ("permit", "forbid", "deny")


@lint("KB723")
def norm_covered(subject: Subject) -> Iterator[Diagnostic]:
    """A norm all of which another norm of the same kind says already."""
    norms = [each for each in subject.shared(norm_clauses) if each.norm.kind in _COVERED_KINDS]
    for clause in norms:
        covering = (each for each in norms if each.covers(clause) and not each.is_equal(clause))
        if subject.concerns(clause.norm.span) and (wider := next(covering, None)) is not None:
            labels = (Label(first_line(wider.norm.span), f"`{wider.rule.id}` says it already"),)
            message = f"this `{clause.norm.kind}` adds nothing to another one"
            help_ = "leave it out, or narrow the other"
            yield Diagnostic("KB723", first_line(clause.norm.span), message, help_, labels)


@lint("KB724")
def idle_waive(subject: Subject) -> Iterator[Diagnostic]:
    """A waive of preferences that no rule has."""
    norms = subject.shared(norm_clauses)
    preferred = {verb for each in norms if each.norm.kind == "prefer" for verb in each.norm.verbs}
    for each in norms:
        idle = [verb for verb in each.norm.verbs if verb not in preferred]
        if each.norm.kind == "waive" and idle and subject.concerns(each.norm.span):
            verbs = ", ".join(f"`{verb}`" for verb in idle)
            message = f"no rule prefers anything of {verbs}, so there is nothing to waive"
            yield Diagnostic("KB724", first_line(each.norm.span), message, "leave it out")
