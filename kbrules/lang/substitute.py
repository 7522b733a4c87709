"""Arguments put in the place of a define's parameters."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with every named variable replaced by its value."""
    if not values:
        return expr
    match expr:
        case Lit():
            return expr
        case Var(name=name):
            return values.get(name, expr)
        case Call(sort, span, word, arguments, fixed):
            return Call(sort, span, word, tuple(substitute(a, values) for a in arguments), fixed)
        case Choice(sort, span, condition, value, other):
            parts = (substitute(e, values) for e in (condition, value, other))
            return Choice(sort, span, *parts)
        case Fold(sort, span, word, variable, domain, condition, body):
            inner = {name: value for name, value in values.items() if name != variable}
            tested = substitute(condition, inner) if condition else None
            return Fold(
                sort, span, word, variable, substitute(domain, values), tested,
                substitute(body, inner),
            )
