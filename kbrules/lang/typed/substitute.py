"""Arguments put in the place of a define's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kbrules.lang.typed.core import Call, Conditional, Expr, Fold, Lit, Var
from kbrules.lang.typed.sorts import ELEMENT, Sort


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with every named variable replaced by its value."""
    if not values:
        return expr
    match expr:
        case Lit():
            return expr
        case Var(name=name):
            return values.get(name, expr)
        case Call(arguments=arguments):
            return replace(expr, arguments=tuple(substitute(a, values) for a in arguments))
        case Conditional(sort, span, condition, value, other):
            parts = (substitute(e, values) for e in (condition, value, other))
            return Conditional(sort, span, *parts)
        case Fold():
            return _in_fold(expr, values)


def _in_fold(fold: Fold, values: Mapping[str, Expr]) -> Fold:
    """A loop whose variable has the name of one that a value speaks of gets another name."""
    inner = {name: value for name, value in values.items() if name != fold.variable}
    mentioned = set().union(*map(_names, inner.values()))
    variable = fold.variable
    if variable in mentioned:
        taken = mentioned | _names(fold)
        while variable in taken:
            variable += "'"
    if variable != fold.variable:
        inner[fold.variable] = Var(_sort_of(fold), fold.domain.span, variable)
    condition = substitute(fold.condition, inner) if fold.condition is not None else None
    return Fold(
        fold.sort, fold.span, fold.word, variable, substitute(fold.domain, values), condition,
        substitute(fold.body, inner),
    )  # fmt: skip


def _sort_of(fold: Fold) -> Sort:
    return ELEMENT.get(fold.domain.sort, fold.domain.sort)


def _names(expr: Expr) -> set[str]:
    """The variables an expression mentions, bound ones among them."""
    match expr:
        case Var(name=name):
            return {name}
        case Call(arguments=arguments):
            return set().union(*map(_names, arguments))
        case Conditional(condition=condition, value=value, other=other):
            return _names(condition) | _names(value) | _names(other)
        case Fold(variable=variable, domain=domain, condition=condition, body=body):
            tested = _names(condition) if condition is not None else set()
            return {variable} | _names(domain) | tested | _names(body)
        case _:
            return set()
