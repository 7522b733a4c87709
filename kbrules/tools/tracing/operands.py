"""Operands side by side, as in `a & b - c` or `a or b`: the parts as an author reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import TypeGuard

from kbrules.lang.evaluation import DIFFERENCE, INTERSECTION, UNION
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Call, Expr
from kbrules.text import Span

AND, OR, NOT = "and(truth,truth)", "or(truth,truth)", "not(truth)"
_KINDS = {INTERSECTION: INTERSECTION, DIFFERENCE: INTERSECTION, UNION: UNION, AND: AND, OR: OR}
"""The words that join operands, by what they do; `&` and `-` both cut down."""

Place = tuple[str, int, int]
"""The name of a source, and where a text begins and ends in it."""
Places = frozenset[Place]


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand, and whether it is taken away."""

    expr: Expr
    is_taken_away: bool = False


def place_of(span: Span) -> Place:
    """The place a span covers; the same however often its file is read."""
    return span.source.name, span.start, span.end


def operator_kind(word: str) -> str:
    """How a word joins its operands; empty if it does not."""
    return _KINDS.get(word, "")


def operands_of(call: Call, operator_places: Places) -> Iterator[Operand]:
    """The operands that stand side by side; what a definition says is one operand.

    operator_places: where operators are. What is cut down again on the right stands in brackets.
    """
    first, second = call.arguments
    kind = operator_kind(call.word)
    yield from (
        operands_of(first, operator_places)
        if _continues(first, kind, operator_places)
        else [Operand(first)]
    )
    if kind != INTERSECTION and _continues(second, kind, operator_places):
        yield from operands_of(second, operator_places)
    else:
        yield Operand(second, call.word == DIFFERENCE)


def _continues(expr: Expr, kind: str, operator_places: Places) -> TypeGuard[Call]:
    """Whether an operand is an operator of the same kind where it stands."""
    return (
        isinstance(expr, Call)
        and operator_kind(expr.word) == kind
        and place_of(expr.span) in operator_places
    )


def operators_of(declarations: Iterable[tree.Declaration]) -> Places:
    """Where operators are written, each from its first word to its last."""
    return frozenset(place_of(each.span) for each in _operators(tuple(declarations)))


def _operators(item: object) -> Iterator[tree.Operator]:
    if isinstance(item, tree.Operator):
        yield item
    for _, part in children(item):
        yield from _operators(part)


def children(item: object) -> Iterator[tuple[str, object]]:
    """The parts of a piece of syntax, each with its name there; wordings and examples left out."""
    if isinstance(item, tuple):
        parts = [part for part in item if not isinstance(part, tree.Wording | tree.Example)]
        yield from ((str(index), part) for index, part in enumerate(parts))
    elif is_dataclass(item) and not isinstance(item, Span | type):
        yield from ((field.name, getattr(item, field.name)) for field in fields(item))
