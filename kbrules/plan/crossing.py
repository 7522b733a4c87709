"""Norms about `cross`: the hexes that a piece on its way may not pass over.

They hold for every move whose target is given by a way from where the piece was: its words get the
hexes that may be crossed as one more argument. Where no norm is about `cross`, nothing changes.
"""

from __future__ import annotations

from dataclasses import replace

from kbrules.lang.typed.core import Call, Conditional, Expr, Fold, Var, parts_of
from kbrules.plan import expressions
from kbrules.primitives.registry import crossing_forms

ORIGIN = "origin"
"""The name of the hex from which a piece was lifted."""


def is_origin(expr: Expr | None) -> bool:
    """Whether it is the hex that a piece was lifted from, and nothing else."""
    return isinstance(expr, Var) and expr.name == ORIGIN


def mentions_origin(expr: Expr) -> bool:
    """Whether it speaks of the hex that a piece was lifted from."""
    return is_origin(expr) or any(map(mentions_origin, parts_of(expr)))


def with_ways(target: Expr, closed: Expr) -> Expr:
    """A step's target, reached over hexes only that are not closed."""
    match target:
        case Call(arguments=arguments):
            inner = tuple(with_ways(each, closed) for each in arguments)
            return _over(replace(target, arguments=inner), closed)
        case Conditional(sort, span, condition, value, other):
            ways = (with_ways(each, closed) for each in (value, other))
            return Conditional(sort, span, condition, *ways)
        case Fold():
            return replace(target, body=with_ways(target.body, closed))
    return target


def _over(call: Call, closed: Expr) -> Expr:
    """A word about ways from the origin, over hexes only that are not closed."""
    if not call.arguments or not _begins_at_origin(call.arguments[0]):
        return call
    forms = crossing_forms()
    if call.word in forms:
        over = expressions.difference(expressions.BOARD, closed)
        longer = (*call.arguments, over)
        return replace(call, word=forms[call.word], arguments=longer, fixed=False)
    if call.word in forms.values():
        *rest, last = call.arguments
        return replace(call, arguments=(*rest, expressions.difference(last, closed)), fixed=False)
    return call


def _begins_at_origin(expr: Expr) -> bool:
    """Whether it is the hex that the piece was lifted from, or its group and the like."""
    if isinstance(expr, Call):
        return any(map(_begins_at_origin, expr.arguments))
    return is_origin(expr)
