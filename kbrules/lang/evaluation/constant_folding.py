"""Working out beforehand what options and other known values alone decide in an expression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kbrules.lang.evaluation.nodes import Code
from kbrules.lang.typed.core import Call, Conditional, Expr, Fold, Lit, Var

CONNECTIVES = {"and(truth,truth)": False, "or(truth,truth)": True}
"""The value of the first operand that decides the whole."""
INTERSECTION, DIFFERENCE, UNION = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"


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
    """Its value, if its arguments are known and it asks neither view nor board."""
    first = call.arguments[0] if call.arguments else None
    if call.word in CONNECTIVES and isinstance(first, Lit):
        return first if first.value is CONNECTIVES[call.word] else call.arguments[1]
    if call.word in (INTERSECTION, DIFFERENCE, UNION):
        return _fold_sets(call)
    found = implementations[call.word]
    if found.first or not call.arguments:
        return call
    if not all(isinstance(argument, Lit) for argument in call.arguments):
        return call
    values = [argument.value for argument in call.arguments if isinstance(argument, Lit)]
    return Lit(call.sort, call.span, found.code(*values))


def _fold_sets(call: Call) -> Expr:
    """What is left of two sets where one of them is known to be empty."""
    one, other = call.arguments
    if _is_empty(other):
        return other if call.word == INTERSECTION else one
    if _is_empty(one):
        return other if call.word == UNION else one
    return call


def _is_empty(hexes: Expr) -> bool:
    return isinstance(hexes, Lit) and hexes.value == 0
