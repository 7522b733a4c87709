"""Conditions that never change, sets that are never more than empty, awards that never pay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang import core, tree
from kbrules.lang.sorts import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.bounds import AROUND, MOST, Bounds
from kbrules.tools.authoring.lint.disjoint import why_disjoint
from kbrules.tools.authoring.lint.index import EXPRESSIONS, outermost, statements_of
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject

__all__ = ["ConstantParts", "constant_parts", "written_in"]

_SETS = (Sort.HEXES, Sort.GROUPS)


@dataclass(frozen=True, slots=True)
class ConstantParts:
    """The innermost expressions of the asked files whose value is always the same."""

    conditions: tuple[tuple[core.Expr, bool], ...]
    sets: tuple[core.Expr, ...]
    bounds: Bounds

    def spans(self) -> Iterator[Span]:
        """Where they all stand."""
        yield from (expr.span for expr, _ in self.conditions)
        yield from (expr.span for expr in self.sets)


def written_in(subject: Subject) -> Iterator[tuple[Span, core.Expr]]:
    """The outermost typed expressions of the asked files, each with its declaration's place."""
    wholes = {(each.name.span.source, each.name.span.start): each for each in subject.declarations}
    for rule in subject.rules:
        whole = wholes[rule.span.source, rule.span.start].span
        for expr in outermost(statements_of(rule), EXPRESSIONS):
            yield whole, expr
    definitions = subject.checked.scope.names.definitions
    for define in subject.written(tree.Define):
        yield define.span, definitions[define.name.text].body


def constant_parts(subject: Subject) -> ConstantParts:
    """What never changes, each where it is written; what a define brings is told there alone."""
    bounds = Bounds(subject.catalog, _restores(subject))
    conditions: dict[Span, tuple[core.Expr, bool]] = {}
    sets: dict[Span, core.Expr] = {}
    definitions = subject.checked.scope.names.definitions
    for whole, expr in written_in(subject):
        for each in _innermost(expr, bounds):
            if not isinstance(each, core.Call | core.Fold) or not _is_in(each.span, whole):
                continue
            if each.span.text.partition("(")[0].strip() in definitions:
                continue  # what a word of the author's brings along is told where it is defined
            if each.sort is Sort.TRUTH:
                conditions.setdefault(each.span, (each, bounds.of(each) == (1, 1)))
            else:
                sets.setdefault(each.span, each)
    return ConstantParts(tuple(conditions.values()), tuple(sets.values()), bounds)


def _restores(subject: Subject) -> bool:
    """Whether any rule puts into supplies what need not have come from them."""
    steps = (step for block in subject.ruleset.blocks.values() for step in block.steps)
    return any(isinstance(step, core.Step) and step.name == "restore" for step in steps)


def _is_in(span: Span, whole: Span) -> bool:
    inside = whole.start <= span.start and span.end <= whole.end
    return span.source is whole.source and inside


def _innermost(expr: core.Expr, bounds: Bounds) -> Iterator[core.Expr]:
    """The parts that are always the same and hold no smaller one of that kind."""
    parts = core.parts_of(expr)
    found = [each for part in parts for each in _innermost(part, bounds)]
    if found:
        yield from found
    elif not isinstance(expr, core.Lit) and _is_fixed(expr, bounds):
        yield expr


def _is_fixed(expr: core.Expr, bounds: Bounds) -> bool:
    low, high = bounds.of(expr)
    if expr.sort is Sort.TRUTH:
        return low == high
    return expr.sort in _SETS and high == 0


@lint("KB713")
def constant_condition(subject: Subject) -> Iterator[Diagnostic]:
    """A condition that is always true or always false."""
    known = subject.shared(constant_parts)
    for expr, value in known.conditions:
        message = f"{quoted(_text(expr))} is always {'true' if value else 'false'}"
        yield Diagnostic("KB713", expr.span, message, _why(expr, known.bounds))


def _why(expr: core.Expr, bounds: Bounds) -> str:
    if not isinstance(expr, core.Call) or len(expr.arguments) != 2:
        return "say what is meant, or leave the condition out"
    first = expr.arguments[0]
    low, high = bounds.of(first)
    if low < 0 or first.sort is not Sort.NUMBER:
        return "say what is meant, or leave the condition out"
    return f"{quoted(_text(first))} is from {low} {'up' if high >= MOST else f'to {high}'}"


def _text(expr: core.Expr) -> str:
    return " ".join(expr.span.text.split())


@lint("KB714")
def empty_set(subject: Subject) -> Iterator[Diagnostic]:
    """A set that has no hex on any board, by its words alone."""
    for expr in subject.shared(constant_parts).sets:
        reason = why_disjoint(expr) if isinstance(expr, core.Call) else ""
        if not reason and expr.span.text.startswith("touching"):
            reason = f"a hex has {AROUND} neighbours"
        message = f"{quoted(_text(expr))} is always empty"
        yield Diagnostic("KB714", expr.span, message, reason or "say what is meant")


@lint("KB715")
def award_of_nothing(subject: Subject) -> Iterator[Diagnostic]:
    """An award that can never be more than nothing."""
    known = subject.shared(constant_parts)
    is_told = partial(_holds_one_of, list(known.spans()))
    for rule in subject.rules:
        for award in rule.awards:
            low, high = known.bounds.of(award.amount)
            if high <= 0 and not is_told(award.amount.span):
                what = "nothing" if low == high == 0 else "nothing or less"
                message = f"this award always pays {what}"
                help_ = "if it is a penalty, say so in a suppression"
                yield Diagnostic("KB715", award.amount.span, message, help_ if low < 0 else "")


def _holds_one_of(spans: list[Span], span: Span) -> bool:
    return any(_is_in(each, span) for each in spans)
