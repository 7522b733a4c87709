"""The places of expressions in a rule: its conditions, domains and targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.lang.core import (
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
    parts_of,
)
from kbrules.primitives.vocabulary import step_words
from kbrules.tools.authoring.lint.subject import Subject

__all__ = [
    "Place",
    "aims",
    "conditions",
    "domains",
    "in_force",
    "is_about_options",
    "options_in",
    "steps_in",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Place:
    """An expression, and what hangs on it: `never` says what follows if it never holds."""

    expr: Expr
    never: str


def in_force(subject: Subject) -> tuple[Rule, ...]:
    """The rules that are asked for, without those that others replace."""
    return tuple(o.rule for o in subject.ruleset.owners.values() if subject.concerns(o.rule.span))


def conditions(rule: Rule) -> Iterator[Place]:
    """Everything in a rule that holds or does not."""
    yield from _guards(rule)
    for step in steps_in(rule):
        if isinstance(step, If):
            yield Place(step.condition, "so what follows it is never done")
        elif isinstance(step, Each) and step.guard is not None:
            yield Place(step.guard, "so the loop never does anything")
    for expr in walk(rule):
        if isinstance(expr, Conditional):
            yield Place(expr.condition, "so only the other value is ever used")
        elif isinstance(expr, Fold) and expr.condition is not None:
            yield Place(expr.condition, "so nothing is ever left")


def _guards(rule: Rule) -> Iterator[Place]:
    guarded = (
        (rule.norms, "so this norm never applies"),
        (rule.changes, "so nothing is ever added"),
        (rule.awards, "so nothing is ever paid"),
        (rule.triggers, "so what follows never happens"),
        (rule.actions, "so the action can never be offered"),
        (rule.phases, "so it is never done"),
    )
    for owners, never in guarded:
        for owner in owners:
            if owner.guard is not None:
                yield Place(owner.guard, never)
    for whenever in rule.whenevers:
        yield Place(whenever.condition, "so what follows is never done")
    for award in rule.awards:
        for _, _, guard in award.loops:
            if guard is not None:
                yield Place(guard, "so nothing is ever paid")


def steps_in(rule: Rule) -> Iterator[Statement]:
    """Every step of a rule, outer ones first."""
    for block in rule.blocks():
        yield from block.steps


def domains(rule: Rule) -> Iterator[Place]:
    """Everything that steps of a rule run over, or how often they are done."""
    for step in steps_in(rule):
        if isinstance(step, Each):
            yield Place(step.domain, "so the loop never does anything")
        elif isinstance(step, Repeat):
            yield Place(step.times, "so what follows is never done")


def aims(block: Block) -> Iterator[Expr]:
    """The sets that the steps of a block itself ask hexes of."""
    for step in block.steps:
        if isinstance(step, Step):
            yield from aims_of(step)


def aims_of(step: Step) -> Iterator[Expr]:
    """The sets that a step asks hexes of."""
    word = step_words()[step.name]
    names = [parameter.name for parameter in word.signature.parameters]
    for ask in word.asks:
        found = step.arguments[names.index(ask.phrase)]
        if found is not None:
            yield found


def walk(rule: Rule) -> Iterator[Expr]:
    """Every expression of a rule, outer ones first."""
    for part in _roots(rule):
        yield from _inside(part)


def _roots(item: object) -> Iterator[Expr]:
    """The expressions that are not part of another one."""
    if isinstance(item, Expr):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _roots(part)
    elif hasattr(item, "__dataclass_fields__"):
        for name in item.__dataclass_fields__:
            if name not in ("span", "examples"):
                yield from _roots(getattr(item, name))


def _inside(expr: Expr) -> Iterator[Expr]:
    yield expr
    for part in parts_of(expr):
        yield from _inside(part)


def options_in(rule: Rule) -> set[str]:
    """The options that have a say in a rule."""
    return {name for expr in walk(rule) if (name := _option(expr))}


def is_about_options(expr: Expr) -> bool:
    """Whether an option has a say in it; at one table it is then always the same."""
    return any(map(_option, _inside(expr)))


def _option(expr: Expr) -> str:
    """The name of an option, if an expression is one."""
    if not isinstance(expr, Call) or expr.word != "option" or not expr.arguments:
        return ""
    name = expr.arguments[0]
    return str(name.value) if isinstance(name, Lit) else ""
