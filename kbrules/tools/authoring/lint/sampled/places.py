"""The places of expressions in a rule: its conditions, domains and targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.lang.typed import (
    Block,
    Call,
    Conditional,
    Each,
    Expr,
    Fold,
    If,
    Lit,
    Repeat,
    Rule,
    Statement,
    Step,
)
from kbrules.primitives.vocabulary import step_words
from kbrules.tools.authoring.lint.index import EXPRESSIONS, statements_of, walk
from kbrules.tools.authoring.lint.subject import Subject


@dataclass(frozen=True, slots=True)
class ExpressionUse:
    """An expression, and what hangs on it: `never` says what follows if it never holds."""

    expr: Expr
    consequence: str


def in_force(subject: Subject) -> tuple[Rule, ...]:
    """The selected rules, without those that others replace."""
    return tuple(o.rule for o in subject.ruleset.owners.values() if subject.concerns(o.rule.span))


def conditions(rule: Rule) -> Iterator[ExpressionUse]:
    """Everything in a rule that holds or does not."""
    yield from _guards(rule)
    for step in steps_in(rule):
        if isinstance(step, If):
            yield ExpressionUse(step.condition, "so what follows it is never done")
        elif isinstance(step, Each) and step.guard is not None:
            yield ExpressionUse(step.guard, "so the loop never does anything")
    for expr in expressions_of(rule):
        if isinstance(expr, Conditional):
            yield ExpressionUse(expr.condition, "so only the other value is ever used")
        elif isinstance(expr, Fold) and expr.condition is not None:
            yield ExpressionUse(expr.condition, "so nothing is ever left")


def _guards(rule: Rule) -> Iterator[ExpressionUse]:
    guarded = (
        (rule.norms, "so this norm never applies"),
        (rule.changes, "so nothing is ever added"),
        (rule.awards, "so nothing is ever paid"),
        (rule.triggers, "so what follows never happens"),
        (rule.actions, "so the action can never be offered"),
        (rule.phases, "so it is never done"),
    )
    for owners, consequence in guarded:
        for owner in owners:
            if owner.guard is not None:
                yield ExpressionUse(owner.guard, consequence)
    for whenever in rule.whenevers:
        yield ExpressionUse(whenever.condition, "so what follows is never done")
    for award in rule.awards:
        for _, _, guard in award.loops:
            if guard is not None:
                yield ExpressionUse(guard, "so nothing is ever paid")


def steps_in(rule: Rule) -> Iterator[Statement]:
    """Every step of a rule, outer ones first."""
    for block in rule.blocks():
        yield from block.steps


def domains(rule: Rule) -> Iterator[ExpressionUse]:
    """Everything that steps of a rule run over, or how often they are done."""
    for step in steps_in(rule):
        if isinstance(step, Each):
            yield ExpressionUse(step.domain, "so the loop never does anything")
        elif isinstance(step, Repeat):
            yield ExpressionUse(step.times, "so what follows is never done")


def targets_in(block: Block) -> Iterator[Expr]:
    """The sets that the steps of a block itself ask hexes of."""
    for step in block.steps:
        if isinstance(step, Step):
            yield from targets_of(step)


def targets_of(step: Step) -> Iterator[Expr]:
    """The sets that a step asks hexes of."""
    word = step_words()[step.name]
    names = [parameter.name for parameter in word.signature.parameters]
    for phrase in word.asks:
        expr = step.arguments[names.index(phrase.phrase)]
        if expr is not None:
            yield expr


def expressions_of(rule: Rule) -> Iterator[Expr]:
    """Every expression of a rule, outer ones first."""
    return (part for part in walk(statements_of(rule)) if type(part) in EXPRESSIONS)


def options_in(rule: Rule) -> set[str]:
    """The options that have a say in a rule."""
    return {name for expr in expressions_of(rule) if (name := _option(expr))}


def is_about_options(expr: Expr) -> bool:
    """Whether an option has a say in it; at one table it is then always the same."""
    return any(map(_option, walk(expr)))


def _option(expr: object) -> str:
    """The name of an option, if an expression is one."""
    if not isinstance(expr, Call) or expr.word != "option" or not expr.arguments:
        return ""
    name = expr.arguments[0]
    return str(name.value) if isinstance(name, Lit) else ""
