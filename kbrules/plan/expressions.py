"""Builders of core expressions: unions, intersections, differences, conditionals, calls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from kbrules.lang.typed.core import Call, Conditional, Expr, Lit
from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span

NOWHERE = Span.none("the norms")
BOARD = Call(Sort.HEXES, NOWHERE, "board()", (), fixed=True)
NOTHING = Lit(Sort.HEXES, NOWHERE, 0)
YES = Lit(Sort.TRUTH, NOWHERE, True)
NO = Lit(Sort.TRUTH, NOWHERE, False)


def _binary(word: str, a: Expr, b: Expr) -> Expr:
    return Call(a.sort, NOWHERE, word, (a, b))


def union(sets: Iterable[Expr]) -> Expr:
    """The hexes of all of them."""
    found = list(sets)
    return reduce(lambda a, b: _binary("|(hexes,hexes)", a, b), found) if found else NOTHING


def intersection(sets: Iterable[Expr]) -> Expr:
    """The hexes that are in each of them; all hexes if there is none."""
    found = list(sets)
    return reduce(lambda a, b: _binary("&(hexes,hexes)", a, b), found) if found else BOARD


def difference(a: Expr, b: Expr) -> Expr:
    """The hexes of one set that are not in another."""
    return _binary("-(hexes,hexes)", a, b)


def narrowed(a: Expr, b: Expr) -> Expr:
    """What of a set lies in another, or all of it if nothing does."""
    return _binary("narrowed", a, b)


def all_of(tests: Iterable[Expr]) -> Expr:
    """Whether all of them hold."""
    found = list(tests)
    return reduce(lambda a, b: _binary("and(truth,truth)", a, b), found) if found else YES


def any_of(tests: Iterable[Expr]) -> Expr:
    """Whether one of them holds."""
    found = list(tests)
    return reduce(lambda a, b: _binary("or(truth,truth)", a, b), found) if found else NO


def conditional(test: Expr, value: Expr, other: Expr) -> Expr:
    """One value or the other."""
    return Conditional(value.sort, NOWHERE, test, value, other)


def holds(tile: int, span: Span) -> Expr:
    """An expression: whether the player holds a tile of a kind; `span` is its place."""
    number = Call(Sort.NUMBER, NOWHERE, "held(tile)", (Lit(Sort.TILE, NOWHERE, tile),))
    return Call(Sort.TRUTH, span, ">(number,number)", (number, Lit(Sort.NUMBER, NOWHERE, 0)))


def counts(card: int, span: Span) -> Expr:
    """An expression: whether a card is in play; `span` is its place."""
    return Call(Sort.TRUTH, span, "in_play(card)", (Lit(Sort.CARD, NOWHERE, card),))


def call_word(key: str, sort: Sort, arguments: Iterable[Expr | None]) -> Expr:
    """A call of a word by its key; arguments that are None are left out."""
    values = [Lit(Sort.WORD, NOWHERE, None) if a is None else a for a in arguments]
    return Call(sort, NOWHERE, key, tuple(values))
