"""The faults of expressions: the kind of each, and its replacement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kbrules.lang import tree
from kbrules.tools.checking.mutation.places import Place
from kbrules.tools.checking.mutation.swaps import Swaps

__all__ = ["planted_in_expression"]

Planted = tuple[str, object]
_OTHER: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "and": ("connective", ("or",)),
    "or": ("connective", ("and",)),
    "&": ("connective", ("|",)),
    "|": ("connective", ("&",)),
    "<": ("comparison", ("<=",)),
    "<=": ("comparison", ("<",)),
    ">": ("comparison", (">=",)),
    ">=": ("comparison", (">",)),
    "=": ("comparison", ("!=",)),
    "!=": ("comparison", ("=",)),
    "at least": ("range", ("exactly", "at most")),
    "at most": ("range", ("exactly", "at least")),
    "exactly": ("range", ("at least", "at most")),
}
_JOINS = ("and", "or", "&", "|")
_BOARD = "board"


def planted_in_expression(place: Place, swaps: Swaps) -> Iterator[Planted]:
    """The faults at a place where an expression stands."""
    match place.node:
        case tree.Number(value=value, span=span):
            yield from (("number", tree.Number(n, span)) for n in beside(value))
        case tree.Truth(value=value, span=span):
            yield "truth", tree.Truth(not value, span)
        case tree.Name():
            yield from _name(place.node, swaps)
        case tree.Call():
            yield from _call(place.node, swaps)
        case tree.Fold():
            yield from _fold(place.node, swaps)
        case tree.Operator():
            yield from _operator(place.node)
        case tree.Choice(value=value, other=other):
            yield "branch", value
            if other is not None:
                yield "branch", other


def beside(value: int) -> tuple[int, ...]:
    """The numbers one more and, if there is such a number of the language, one less."""
    return (value + 1, value - 1) if value > 0 else (value + 1,)


def _name(node: tree.Name, swaps: Swaps) -> Iterator[Planted]:
    if node.text in swaps.things:
        yield "thing", replace(node, text=swaps.things[node.text])
    elif node.text in swaps.names:
        yield "word", replace(node, text=swaps.names[node.text])


def _call(node: tree.Call, swaps: Swaps) -> Iterator[Planted]:
    if node.name in swaps.calls:
        yield "word", replace(node, name=swaps.calls[node.name])
    if node.name in swaps.near:
        yield "freed", tree.Name(_BOARD, node.span)


def _fold(node: tree.Fold, swaps: Swaps) -> Iterator[Planted]:
    if node.name in swaps.folds:
        yield "word", replace(node, name=swaps.folds[node.name])
    if node.condition is not None:
        yield "condition", replace(node, condition=None)


def _operator(node: tree.Operator) -> Iterator[Planted]:
    kind, others = _OTHER.get(node.symbol, ("", ()))
    yield from ((kind, replace(node, symbol=other)) for other in others)
    if node.symbol == "not":
        yield "negation", node.operands[0]
    elif node.symbol in _JOINS:
        yield from (("clause", operand) for operand in node.operands)
    elif node.symbol in ("+", "-") and len(node.operands) == 2:
        yield "clause", node.operands[0]
        if node.symbol == "+":
            yield "clause", node.operands[1]
