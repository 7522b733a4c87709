"""Sets put together by `&`, `-` and `|`: the parts as an author reads them, on one level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from kbrules.lang import tree
from kbrules.lang.core import Call, Expr
from kbrules.text import Span
from kbrules.tools.checking.coverage.outcome_bits import Place, place_of

BOTH, WITHOUT, EITHER = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
Places = frozenset[Place]
Parts = list[tuple[Expr, bool]]


def within(item: object) -> Iterator[tuple[str, object]]:
    """The parts of a piece of syntax, each with its name there; wordings and examples left out."""
    if isinstance(item, tuple):
        said = [part for part in item if not isinstance(part, tree.Wording | tree.Example)]
        yield from ((str(index), part) for index, part in enumerate(said))
    elif is_dataclass(item) and not isinstance(item, Span | type):
        yield from ((field.name, getattr(item, field.name)) for field in fields(item))


def operators_of(declarations: Iterable[tree.Declaration]) -> Places:
    """Where operators are written, each from its first word to its last."""
    return frozenset(place_of(each.span) for each in _operators(tuple(declarations)))


def _operators(item: object) -> Iterator[tree.Operator]:
    if isinstance(item, tree.Operator):
        yield item
    for _, part in within(item):
        yield from _operators(part)


def parts_of_chain(call: Call, operators: Places) -> Parts:
    """The sets that a call cuts down or puts together, and whether each is taken away."""
    if call.word == EITHER:
        return [(part, False) for part in _united(call, operators)]
    return _cut(call, operators) if call.word in (BOTH, WITHOUT) else []


def _united(expr: Expr, operators: Places) -> Iterator[Expr]:
    if not (isinstance(expr, Call) and expr.word == EITHER):
        yield expr
        return
    first, last = expr.arguments
    yield from _united(first, operators) if _is_written(first, operators) else (first,)
    yield last


def _cut(expr: Expr, operators: Places) -> Parts:
    if not (isinstance(expr, Call) and expr.word in (BOTH, WITHOUT)):
        return [(expr, False)]
    first, last = expr.arguments
    earlier = _cut(first, operators) if _is_written(first, operators) else [(first, False)]
    return [*earlier, (last, expr.word == WITHOUT)]


def _is_written(expr: Expr, operators: Places) -> bool:
    """Whether it is an operator where it stands, not a word that is defined by one."""
    return place_of(expr.span) in operators
