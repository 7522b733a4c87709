"""Expressions: overloads are chosen by sort; a wrong sort is reported at the wrong word."""

from __future__ import annotations

from kbrules.diagnostics import did_you_mean
from kbrules.lang.checker.cost import size_of
from kbrules.lang.checker.resolve import (
    call_definition,
    coerce,
    make_call,
    resolve_overload,
    takes,
    wrong_sort,
)
from kbrules.lang.checker.scope import Scope, hole, is_hole
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.foreign_words import instead_of
from kbrules.lang.typed.core import Call, Conditional, Expr, Fold, Lit, Var
from kbrules.lang.typed.sorts import ELEMENT, LISTS, SORT_NAMES, Sort
from kbrules.text import Span

MAX_NUMBER = 999_999
_EMPTY = {
    Sort.HEXES: 0, Sort.GROUPS: (), Sort.NUMBER: 0, Sort.TRUTH: False, Sort.PLAYERS: (),
    **dict.fromkeys(LISTS, ()),
}  # fmt: skip

_LISTS = {
    Sort.PIECE: "all of them are `piece_kinds`",
    Sort.TILE: "all of them are `tile_kinds`, those a player holds `held_tiles`",
    Sort.CARD: "all of them are `scoring_cards`",
    Sort.NUMBER: "to do something so often, write `repeat ... times:`",
}


_CHOOSE_AROUND = "choose between what speaks of it: `(cards(deck) if ... otherwise cards(shown))`"


def infer(node: tree.Expression, scope: Scope) -> Expr:
    """The typed expression of a tree, of whatever sort it is."""
    match node:
        case tree.Number():
            return _number(node, scope)
        case tree.Truth(value=value, span=span):
            return Lit(Sort.TRUTH, span, value)
        case tree.Name(text=text, span=span):
            return _name(text, span, scope)
        case tree.Call():
            return _call(node, scope)
        case tree.Fold():
            return _fold(node, scope)
        case tree.Operator():
            return _operator(node, scope)
        case tree.Choice():
            return _choice(node, scope)
        case tree.Hole(span=span):
            return hole(span)


def infer_as(node: tree.Expression, sort: Sort, scope: Scope, asker: str) -> Expr:
    """The typed expression, which must be (or become) of the given sort."""
    expr = scope.within_cost_limit(infer(node, scope), node.span)
    fitted = coerce(expr, sort, scope)
    if fitted is not None:
        return fitted
    return wrong_sort(expr, sort, scope, asker)


def _number(node: tree.Number, scope: Scope) -> Expr:
    if node.value > MAX_NUMBER:
        return scope.report(
            "KB210", node.span, "this number is too large", f"at most {MAX_NUMBER} is allowed"
        )
    return Lit(Sort.NUMBER, node.span, node.value)


def _name(text: str, span: Span, scope: Scope) -> Expr:
    if text in scope.variables:
        return Var(scope.variables[text], span, text)
    if text in scope.vocabulary.constants:
        constant = scope.vocabulary.constants[text]
        return Lit(constant.sort, span, constant.value)
    declared = _declared(text, span, scope)
    if declared is not None:
        return declared
    signatures = scope.vocabulary.words.get(text, ())
    without_arguments = next((s for s in signatures if s.fits([])), None)
    if without_arguments is not None:
        return make_call(without_arguments, (), span)
    if signatures or text in scope.vocabulary.folds:
        usage = "; ".join(filter(None, (takes(text, signatures, scope), instead_of(text))))
        return scope.report("KB204", span, f"`{text}` needs arguments", usage)
    return scope.unknown(text, span)


def _declared(text: str, span: Span, scope: Scope) -> Expr | None:
    if text in scope.names.definitions:
        return call_definition(scope.names.definitions[text], text, (), span, scope)
    if text in scope.names.options:
        value = Lit(Sort.WORD, span, text)
        return Call(scope.names.options[text], span, "option", (value,), fixed=True)
    if text in scope.names.memories:
        value = Lit(Sort.WORD, span, text)
        return Call(scope.names.memories[text], span, "memory", (value,))
    if text in scope.vocabulary.quantities:
        value = Lit(Sort.WORD, span, text)
        return Call(Sort.NUMBER, span, "quantity", (value,))
    return None


def _call(node: tree.Call, scope: Scope) -> Expr:
    arguments = tuple(infer(argument, scope) for argument in node.arguments)
    definition = scope.names.definitions.get(node.name)
    if definition is not None:
        return call_definition(definition, node.name, arguments, node.span, scope)
    signatures = scope.vocabulary.words.get(node.name, ())
    if not signatures:
        return _not_a_function(node, scope)
    while len(arguments) > 2 and any(signature.chained for signature in signatures):
        first = resolve_overload(node.name, signatures, arguments[:2], node.span, scope, node.head)
        arguments = (first, *arguments[2:])
    return resolve_overload(node.name, signatures, arguments, node.span, scope, node.head)


def _not_a_function(node: tree.Call, scope: Scope) -> Expr:
    if node.name in scope.vocabulary.folds:
        help_ = f"write `{node.name}(... for row in rows)`"
        return scope.report("KB204", node.head, f"`{node.name}` runs over something", help_)
    if node.name in scope.known():
        message = f"`{node.name}` takes no arguments"
        return scope.report("KB204", node.head, message, f"write `{node.name}` alone")
    scope.unknown_call(node.name, node.head)
    return hole(node.span)


def _operator(node: tree.Operator, scope: Scope) -> Expr:
    operands = tuple(infer(operand, scope) for operand in node.operands)
    signatures = [
        s for s in scope.vocabulary.operators[node.symbol] if len(s.parameters) == len(operands)
    ]
    return resolve_overload(node.symbol, signatures, operands, node.span, scope, node.span)


def _choice(node: tree.Choice, scope: Scope) -> Expr:
    condition = infer_as(node.condition, Sort.TRUTH, scope, "`if`")
    value = infer(node.value, scope)
    if value.sort in (Sort.VERB, Sort.ZONE):
        message = f"{SORT_NAMES[value.sort]} is named, and not chosen by `if`"
        return scope.report("KB203", node.span, message, _CHOOSE_AROUND)
    if node.other is None and value.sort not in _EMPTY:
        value = coerce(value, Sort.HEXES, scope) or value
    if node.other is None:
        empty = _EMPTY.get(value.sort)
        if empty is None and not is_hole(value):
            message = f"{SORT_NAMES[value.sort]} cannot be left out"
            return scope.report("KB203", node.span, message, "say what else with `otherwise ...`")
        other: Expr = Lit(value.sort, node.span, empty)
    else:
        other = infer(node.other, scope)
    return _same_sort(condition, value, other, node.span, scope)


def _same_sort(condition: Expr, value: Expr, other: Expr, span: Span, scope: Scope) -> Expr:
    if any(is_hole(e) for e in (condition, value, other)):
        return hole(span)
    fitted = coerce(other, value.sort, scope)
    if fitted is not None:
        return Conditional(value.sort, span, condition, value, fitted)
    turned = coerce(value, other.sort, scope)
    if turned is not None:
        return Conditional(other.sort, span, condition, turned, other)
    return wrong_sort(other, value.sort, scope, "`otherwise`")


def _fold(node: tree.Fold, scope: Scope) -> Expr:
    domain, inner = loop_over(node.variable, node.domain, scope, sets=False)
    condition = infer_as(node.condition, Sort.TRUTH, inner, "`if`") if node.condition else None
    body = infer(node.body, inner)
    signatures = scope.vocabulary.folds.get(node.name)
    if signatures is None:
        return _not_a_fold(node, scope)
    fitted = resolve_overload(node.name, signatures, (body,), node.span, inner, node.head)
    parts = (domain, body, fitted, *((condition,) if condition else ()))
    if any(is_hole(part) for part in parts) or not isinstance(fitted, Call):
        return hole(node.span)
    return Fold(
        fitted.sort,
        node.span,
        fitted.word,
        node.variable.text,
        domain,
        condition,
        fitted.arguments[0],
    )


def _not_a_fold(node: tree.Fold, scope: Scope) -> Expr:
    if node.name in scope.known() and node.name not in scope.vocabulary.unreadable_names:
        message = f"`{node.name}` does not run over something"
        return scope.report("KB204", node.head, message, _folds_there_are(scope))
    help_ = did_you_mean(node.name, scope.vocabulary.folds, _folds_there_are(scope))
    if not scope.vocabulary.has_gaps and node.name not in scope.names.unreadable_names:
        scope.report("KB201", node.head, f"`{node.name}` is not a word I know", help_)
    return hole(node.span)


def _folds_there_are(scope: Scope) -> str:
    return "words that do are " + ", ".join(f"`{name}`" for name in sorted(scope.vocabulary.folds))


def loop_over(
    variable: tree.Word, domain: tree.Expression, scope: Scope, *, sets: bool
) -> tuple[Expr, Scope]:
    """The domain of a loop and the scope of its body; `sets` allows single hexes."""
    expr = infer(domain, scope)
    expr = expr if expr.sort in ELEMENT else coerce(expr, Sort.HEXES, scope) or expr
    if not sets and expr.sort is Sort.HEXES:
        help_ = "say it as a set, without a loop, or loop over groups such as `rows`"
        expr = scope.report("KB203", expr.span, "an expression does not loop over hexes", help_)
    if expr.sort not in ELEMENT and not is_hole(expr):
        message = f"`for` runs over hexes, groups, players or lists, but `{expr.span.text}` is"
        message = f"{message} {SORT_NAMES[expr.sort]}"
        expr = scope.report("KB203", expr.span, message, _LISTS.get(expr.sort, ""))
    return expr, scope_of_items(variable, expr, scope)


def scope_of_items(variable: tree.Word, domain: Expr, scope: Scope) -> Scope:
    """Return the scope in which a variable is each item of a domain in turn."""
    if variable.text in scope.known():
        help_ = "choose another name for the variable"
        scope.report("KB202", variable.span, f"`{variable.text}` already means something", help_)
    inner = scope.bind((variable.text, ELEMENT.get(domain.sort, Sort.HOLE)))
    return inner.repeated(size_of(domain.sort))
