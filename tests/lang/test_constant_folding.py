"""Expressions of sets with parts that are known to be empty, against the same worked out."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from kbrules.lang.evaluation import (
    DIFFERENCE,
    INTERSECTION,
    UNION,
    Implementation,
    fold_constants,
)
from kbrules.lang.typed import Call, Expr, Lit, Sort, Var
from kbrules.text import Span

SPAN = Span.none("a test")
NOBODY = "nobody()"
MEANINGS = {INTERSECTION: operator.and_, UNION: operator.or_, DIFFERENCE: lambda a, b: a & ~b}
CODES = {word: Implementation(code, "") for word, code in MEANINGS.items()} | {
    NOBODY: Implementation(lambda board: 0, "board")
}

leaves = st.sampled_from([Var(Sort.HEXES, SPAN, name) for name in "abc"]) | st.just(
    Call(Sort.HEXES, SPAN, NOBODY, ())
)
hexes = st.recursive(
    leaves,
    lambda part: st.builds(
        lambda word, one, other: Call(Sort.HEXES, SPAN, word, (one, other)),
        st.sampled_from(list(MEANINGS)), part, part,
    ),
)  # fmt: skip


@given(hexes, st.fixed_dictionaries({name: st.integers(0, 15) for name in "abc"}))
def test_what_is_left_without_empty_parts_means_the_same(
    expr: Expr, values: Mapping[str, int]
) -> None:
    left = fold_constants(expr, {NOBODY: 0}, CODES)
    assert _value(left, values) == _value(expr, values)
    assert isinstance(left, Lit) or not _has_empty(left)


def _value(expr: Expr, values: Mapping[str, int]) -> int:
    match expr:
        case Lit(value=value):
            return int(value)
        case Var(name=name):
            return values[name]
        case Call(word=word, arguments=(one, other)):
            found: int = MEANINGS[word](_value(one, values), _value(other, values))
            return found
    return 0


def _has_empty(expr: Expr) -> bool:
    return isinstance(expr, Lit) or (
        isinstance(expr, Call) and (expr.word == NOBODY or any(map(_has_empty, expr.arguments)))
    )
