"""Conditions that never change, empty sets, awards that never pay, branches that are the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang import typed as core
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.bounds import MAX_VALUE, NEIGHBOURS, Bounds
from kbrules.tools.authoring.lint.index import walk
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.relations import tree_key, why_disjoint
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.typed import typed_expressions

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
    is_reported = partial(_holds_one_of, list(known.spans()))
    for rule in subject.rules:
        for award in rule.awards:
            low, high = known.bounds.of(award.amount)
            if high <= 0 and not is_reported(award.amount.span):
                what = "nothing" if low == high == 0 else "nothing or less"
                message = f"this award always pays {what}"
                help_ = "if it is a penalty, say so in a suppression"
                yield Diagnostic("KB715", award.amount.span, message, help_ if low < 0 else "")


def _holds_one_of(spans: list[Span], span: Span) -> bool:
    return any(span.holds(each) for each in spans)


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
        for part in walk(declaration):
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
