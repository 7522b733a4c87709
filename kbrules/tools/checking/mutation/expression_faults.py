"""The faults of expressions: the kind of each, and its replacement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kbrules.lang.syntax import tree
from kbrules.tools.checking.mutation.mutation_points import MutationPoint
from kbrules.tools.checking.mutation.swaps import Swaps

Replacement = tuple[str, object]
_OTHER_OPERATORS: Mapping[str, tuple[str, tuple[str, ...]]] = {
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
_CONNECTIVES = ("and", "or", "&", "|")
_BOARD = "board"


def expression_faults(point: MutationPoint, swaps: Swaps) -> Iterator[Replacement]:
    """The faults at a place where an expression stands."""
    match point.node:
        case tree.Number(value=value, span=span):
            yield from (("number", tree.Number(n, span)) for n in neighbouring_numbers(value))
        case tree.Truth(value=value, span=span):
            yield "truth", tree.Truth(not value, span)
        case tree.Name():
            yield from _name(point.node, swaps)
        case tree.Call():
            yield from _call(point.node, swaps)
        case tree.Fold():
            yield from _fold(point.node, swaps)
        case tree.Operator():
            yield from _operator(point.node)
        case tree.Choice(value=value, other=other):
            yield "branch", value
            if other is not None:
                yield "branch", other


def neighbouring_numbers(value: int) -> tuple[int, ...]:
    """The numbers one more and, if there is such a number of the language, one less."""
    return (value + 1, value - 1) if value > 0 else (value + 1,)


def _name(node: tree.Name, swaps: Swaps) -> Iterator[Replacement]:
    if node.text in swaps.constants:
        yield "thing", replace(node, text=swaps.constants[node.text])
    elif node.text in swaps.names:
        yield "word", replace(node, text=swaps.names[node.text])


def _call(node: tree.Call, swaps: Swaps) -> Iterator[Replacement]:
    if node.name in swaps.calls:
        yield "word", replace(node, name=swaps.calls[node.name])
    if node.name in swaps.neighbour_words:
        yield "freed", tree.Name(_BOARD, node.span)


def _fold(node: tree.Fold, swaps: Swaps) -> Iterator[Replacement]:
    if node.name in swaps.folds:
        yield "word", replace(node, name=swaps.folds[node.name])
    if node.condition is not None:
        yield "condition", replace(node, condition=None)


def _operator(node: tree.Operator) -> Iterator[Replacement]:
    kind, others = _OTHER_OPERATORS.get(node.symbol, ("", ()))
    yield from ((kind, replace(node, symbol=other)) for other in others)
    if node.symbol == "not":
        yield "negation", node.operands[0]
    elif node.symbol in _CONNECTIVES:
        yield from (("clause", operand) for operand in node.operands)
    elif node.symbol in ("+", "-") and len(node.operands) == 2:
        yield "clause", node.operands[0]
        if node.symbol == "+":
            yield "clause", node.operands[1]
