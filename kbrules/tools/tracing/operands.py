"""The operands of expressions, for all that records their evaluation: coverage and sampled lints.

`a & b - c` has three operands on one level. What the plan joins of several norms has the norms as
operands; its span is `NOWHERE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass

from kbrules.lang import tree
from kbrules.lang.core import Call, Expr, parts_of
from kbrules.plan.expressions import NOWHERE
from kbrules.text import Span

Place = tuple[str, int, int]
"""The name of a source, and where a text begins and ends in it."""
Places = frozenset[Place]

MEET, LESS, JOIN = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
EVERY, SOME = "and(truth,truth)", "or(truth,truth)"
NARROWED = "narrowed"
"""By what word the plan narrows legal hexes to what norms prefer."""
KINDS = {MEET: MEET, LESS: MEET, JOIN: JOIN, EVERY: EVERY, SOME: SOME}
"""The words that join operands, by what they do; `&` and `-` both cut down."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand, and whether it is taken away."""

    expr: Expr
    is_taken_away: bool = False


def place_of(span: Span) -> Place:
    """The place a span covers, the same however often its file is read."""
    return span.source.name, span.start, span.end


def kind_of(expr: Expr) -> str:
    """How an expression joins its operands; empty if it does not."""
    return KINDS.get(expr.word, "") if isinstance(expr, Call) and expr.arguments[1:] else ""


def operands(
    call: Call, is_written: Callable[[Expr], bool], opens_right: bool = False
) -> Iterator[Operand]:
    """The operands of a call whose `kind_of` is not empty, in the order in which they are written.

    is_written: whether an operand is an operator where it stands, not a definition that is named.
    opens_right: whether the operands of a right operand count as well, where order is all the same.
    """
    first, second = call.arguments
    kind = kind_of(call)
    for expr, opens in ((first, True), (second, opens_right and kind != MEET)):
        if opens and isinstance(expr, Call) and kind_of(expr) == kind and is_written(expr):
            yield from operands(expr, is_written, opens_right)
        else:
            yield Operand(expr, expr is second and call.word == LESS)


def holds_its_parts(expr: Expr) -> bool:
    """Whether the parts of an expression stand inside it, and not in a definition it names."""
    return all(expr.span.holds(part.span) for part in parts_of(expr))


def is_of_plan(expr: Expr) -> bool:
    """Whether the plan put an expression together, so that it is written nowhere."""
    return expr.span.source is NOWHERE.source


def joined_by_plan(expr: Expr, word: str) -> list[Expr]:
    """The operands that the plan joined by a word, or the one there is."""
    if isinstance(expr, Call) and expr.word == word and is_of_plan(expr):
        return [part for each in expr.arguments for part in joined_by_plan(each, word)]
    return [expr]


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
