"""Overloads: which signature arguments fit, with coercions if need be, and which one is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from kbrules.lang.checker.scope import Scope, hole, is_hole
from kbrules.lang.typed.core import Call, Expr, Lit, is_fixed
from kbrules.lang.typed.signature import Definition, Parameter, Signature
from kbrules.lang.typed.sorts import LISTS, SORT_NAMES, Sort
from kbrules.lang.typed.substitute import substitute
from kbrules.text import Span

_EACH = "count them: `count(...)`, or join the hexes of each: `union(... for each in ...)`"
_ONE_AT_A_TIME = "go through the list: write `for one in ...:` above, and `one` here"
_HINTS = {
    (Sort.HEXES, Sort.TRUTH): "ask `any(...)` or `none(...)` of the hexes",
    (Sort.HEXES, Sort.NUMBER): "count them: `count(...)`",
    (Sort.GROUPS, Sort.NUMBER): "count them: `count(...)`",
    (Sort.HEXES, Sort.GROUPS): "split them: `groups(...)`",
    (Sort.GROUPS, Sort.HEXES): "choose one with `largest(...)`, or join them with `union(...)`",
    (Sort.NUMBER, Sort.HEXES): "give the hexes themselves, not how many they are",
    (Sort.NUMBER, Sort.GROUPS): "give the groups themselves, not how many they are",
    (Sort.TRUTH, Sort.HEXES): "give the hexes themselves; a condition goes after `if`",
    (Sort.NUMBER, Sort.TRUTH): "compare it with something, as in `... > 0`",
    (Sort.NUMBER, Sort.RANGE): "write `at least 3`, `at most 3` or `exactly 3`",
    (Sort.TILE, Sort.HEXES): "the hexes on which such tiles lie are `holding(...)`",
    (Sort.PIECE, Sort.HEXES): "the hexes with such a piece are `pieces(...)`",
    **{(sort, Sort.HEXES): _EACH for sort in LISTS},
    **dict.fromkeys(LISTS.items(), _ONE_AT_A_TIME),
    (Sort.PLAYERS, Sort.HEXES): "the hexes with the pieces of one player are `pieces(...)`",
}

_JOINED = "of two sets `&` is what they have in common, `|` is both together"
_TAKEN = "take a set away with `-`, as in `mine - edge`"
_SETS = (Sort.HEXES, Sort.TERRAIN, Sort.PLACE, Sort.PIECE)
_OF_CONSUMER = {
    ("`add`", Sort.NUMBER): "a memory of a number counts: `count 1 into ...`, with its name",
    **{(f"`{word}`", sort): _JOINED for word in ("and", "or") for sort in _SETS},
    **{("`not`", sort): _TAKEN for sort in _SETS},
}

_FEW = 3  # arguments of which every order is tried


def coerce(expr: Expr, sort: Sort, scope: Scope) -> Expr | None:
    """The expression as that sort, or None when it cannot be had."""
    if expr.sort is sort or is_hole(expr) or sort is Sort.HOLE:
        return expr
    word = scope.vocabulary.coercions.get((expr.sort, sort))
    if word is None:
        return None
    signature = next(s for s in scope.vocabulary.words[word] if s.fits([expr.sort]))
    return make_call(signature, (expr,), expr.span)


def wrong_sort(expr: Expr, sort: Sort, scope: Scope, consumer: str) -> Lit:
    """Report an expression that stands where another sort is needed."""
    written = " ".join(expr.span.text.split())
    message = f"{consumer} takes {SORT_NAMES[sort]}, but `{written}` is {SORT_NAMES[expr.sort]}"
    hint = _HINTS.get((expr.sort, sort), "")
    return scope.report("KB203", expr.span, message, _OF_CONSUMER.get((consumer, expr.sort), hint))


def resolve_overload(
    name: str,
    signatures: Sequence[Signature],
    arguments: tuple[Expr, ...],
    span: Span,
    scope: Scope,
    head: Span,
) -> Expr:
    """The call of the first signature that fits, or a hole with the reason reported."""
    for signature in signatures:
        if signature.fits(a.sort for a in arguments):
            return make_call(signature, arguments, span)
    for signature in signatures:
        fitted = _coerced(signature, arguments, scope)
        if fitted is not None:
            return make_call(signature, fitted, span)
    return _no_fit(name, signatures, arguments, scope, head)


def _accepts_count(signature: Signature, count: int) -> bool:
    required = sum(not p.optional for p in signature.parameters)
    return required <= count <= len(signature.parameters)


def _coerced(
    signature: Signature, arguments: tuple[Expr, ...], scope: Scope
) -> tuple[Expr, ...] | None:
    if not _accepts_count(signature, len(arguments)):
        return None
    pairs = zip(arguments, signature.parameters, strict=False)
    fitted = [coerce(a, p.sort, scope) for a, p in pairs]
    return None if any(f is None for f in fitted) else tuple(f for f in fitted if f is not None)


def _no_fit(
    name: str,
    signatures: Sequence[Signature],
    arguments: tuple[Expr, ...],
    scope: Scope,
    head: Span,
) -> Expr:
    right_count = [s for s in signatures if _accepts_count(s, len(arguments))]
    if not right_count:
        message = f"`{name}` does not take {_counted(len(arguments))}"
        return scope.report("KB204", head, message, takes(name, signatures, scope))
    wrong = _first_wrong(right_count, arguments, scope)
    if order := _in_order(right_count, arguments):
        written = ", ".join(" ".join(a.span.text.split()) for a in order)
        message = f"the arguments of `{name}` stand in another order"
        return scope.report("KB203", arguments[wrong].span, message, f"write `{name}({written})`")
    sorts = {s.parameters[wrong].sort for s in right_count}
    if len(sorts) == 1:
        return wrong_sort(arguments[wrong], sorts.pop(), scope, f"`{name}`")
    sort_names = " or ".join(sorted(SORT_NAMES[s] for s in sorts))
    expr = arguments[wrong]
    message = f"`{name}` takes {sort_names}, but `{expr.span.text}` is {SORT_NAMES[expr.sort]}"
    return scope.report("KB203", expr.span, message, _advice(expr))


def _advice(expr: Expr) -> str:
    """What to do with something of which no overload takes the like."""
    if expr.sort is Sort.TRUTH:
        return "what is yes or no needs no comparing: `if ...` or `if not (...)`"
    if expr.sort is Sort.PLAYERS:
        return "take one of them at a time: `for player in ...:`"
    return ""


def _in_order(signatures: Sequence[Signature], arguments: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The same arguments as they would fit; none if no order does."""
    orders = permutations(arguments) if len(arguments) <= _FEW else iter(())
    for order in orders:
        if any(signature.fits(a.sort for a in order) for signature in signatures):
            return order
    return ()


def _counted(count: int) -> str:
    return f"{count} argument" if count == 1 else f"{count} arguments"


def _first_wrong(signatures: Sequence[Signature], arguments: tuple[Expr, ...], scope: Scope) -> int:
    """The argument at which the signature that gets furthest stops fitting."""
    best = 0
    for signature in signatures:
        index = 0
        for argument, parameter in zip(arguments, signature.parameters, strict=False):
            if coerce(argument, parameter.sort, scope) is None:
                break
            index += 1
        best = max(best, min(index, len(arguments) - 1))
    return best


def make_call(signature: Signature, arguments: tuple[Expr, ...], span: Span) -> Expr:
    """The call of a signature that fits, or a hole if an argument is one."""
    if any(is_hole(a) for a in arguments):
        return hole(span)
    fixed = signature.fixed and all(is_fixed(a) for a in arguments)
    return Call(signature.result, span, signature.key, arguments, fixed, signature.work)


def call_definition(
    definition: Definition, name: str, arguments: tuple[Expr, ...], span: Span, scope: Scope
) -> Expr:
    """What a defined word says, its arguments put in."""
    if len(arguments) != len(definition.parameters):
        message = f"`{name}` does not take {_counted(len(arguments))}"
        return scope.report("KB204", span, message, _takes(name, definition.parameters))
    if missing := scope.missing(definition):
        return scope.unbound(name, missing[0], span)
    values = {}
    for argument, parameter in zip(arguments, definition.parameters, strict=True):
        fitted = coerce(argument, parameter.sort, scope)
        if fitted is None:
            return wrong_sort(argument, parameter.sort, scope, f"`{name}`")
        values[parameter.name] = fitted
    if any(is_hole(value) for value in values.values()):
        return hole(span)
    # What is wrong with it from here on is wrong where it is used.
    return scope.within_cost_limit(replace(substitute(definition.body, values), span=span), span)


def takes(name: str, signatures: Sequence[Signature], scope: Scope) -> str:
    """The help that says what a word takes, with something that can be typed."""
    usage = " or ".join(dict.fromkeys(_takes(s.name, s.parameters) for s in signatures))
    example = next((s.example for s in signatures if s.example), "")
    usages = [f"{usage}, such as `{example}`" if example else usage] if usage else []
    if name in scope.vocabulary.folds and all(s.chained for s in signatures):
        usages.append(f"write `{name}(... for row in rows)`")
    return "; or ".join(usages)


def _takes(name: str, parameters: Sequence[Parameter]) -> str:
    if not parameters:
        return f"`{name}` takes nothing: write it alone"
    return f"`{name}` takes {' and '.join(SORT_NAMES[p.sort] for p in parameters)}"
