"""Nodes that note what came of a question, beside answering it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from kbrules.lang.evaluation.nodes import Node
from kbrules.tools.tracing.trace import OperandRecords, Record

__all__ = [
    "TracedForbids",
    "TracedNode",
    "TracedOperands",
    "TracedPermits",
    "TracedPreference",
    "Warmup",
    "traced_step",
]

Parts = Sequence[tuple[Node, Record | None]]
"""The nodes of norms, and where to note what each did."""


class TracedNode(Node):
    """An expression whose values are noted."""

    __slots__ = ("_node", "_record")

    def __init__(self, node: Node, record: Record) -> None:
        self._node, self._record = node, record

    def value(self, view: Any) -> Any:
        value = self._node.value(view)
        self._record.see(value)
        return value


class TracedOperands(Node):
    """Operands side by side: all of them are asked, whatever the first ones decide.

    Once they have decided it, nothing more earns anything.
    """

    __slots__ = ("_nodes", "_operands")

    def __init__(self, nodes: Sequence[Node], operands: OperandRecords) -> None:
        self._nodes, self._operands = nodes, operands

    def value(self, view: Any) -> Any:
        operands, counted = self._operands, view.counted_sets
        full = 1 if operands.is_truth else view.board.grid.full
        whole, values = operands.start & full, []
        for node, part in zip(self._nodes, operands.parts, strict=True):
            value = node.value(view)
            value = bool(value) if operands.is_truth else value
            values.append(full & ~value if part.is_taken_away else value)
            whole = operands.join(whole, values[-1])
            if whole == operands.decided:
                view.counted_sets = None
        view.counted_sets = counted
        operands.see(values, whole, full)
        return bool(whole) if operands.is_truth else whole


class TracedPermits(Node):
    """Permits side by side: each is to add something to the others."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def value(self, view: Any) -> Any:
        values = [node.value(view) for node, _ in self._parts]
        for number, (_, record) in enumerate(self._parts):
            if record is not None:
                others = reduce(or_, values[:number] + values[number + 1 :], 0)
                record.see(values[number] & ~others, counts=bool(values[number]))
        return reduce(or_, values)


class TracedForbids(Node):
    """Legal hexes less what norms take away: each is to take some hex of them."""

    __slots__ = ("_legal", "_parts")

    def __init__(self, legal: Node, parts: Parts) -> None:
        self._legal, self._parts = legal, parts

    def value(self, view: Any) -> Any:
        left = legal = self._legal.value(view)
        for node, record in self._parts:
            value = node.value(view)
            left &= ~value
            if record is not None:
                record.see(legal & value, counts=bool(legal))
        return left


class TracedPreference(TracedForbids):
    """Legal hexes narrowed to what norms prefer, if that leaves any."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        left = legal = self._legal.value(view)
        values = [(node.value(view), record) for node, record in self._parts]
        for value, _ in values:
            left &= value
        for value, record in values:
            if record is not None:
                record.see(left and legal & ~value, counts=bool(legal))
        return left or legal


class Warmup(Node):
    """An expression that is traced until nothing more can be learned of it."""

    __slots__ = ("_open", "_plain", "_traced")

    def __init__(self, traced: Node, open: Sequence[Callable[[], bool]], plain: Node) -> None:
        self._traced, self._open, self._plain = traced, list(open), plain

    def value(self, view: Any) -> Any:
        waiting = self._open
        while waiting and waiting[-1]():
            waiting.pop()
        return self._traced.value(view) if waiting else self._plain.value(view)


def traced_step(code: Callable[..., Any], record: Record) -> Callable[..., Any]:
    """The code of a step, which notes that it was done, and whether anything came of it."""

    def done(table: Any, *arguments: Any) -> Any:
        known = len(table.events)
        found = code(table, *arguments)
        record.see(len(table.events) > known)
        return found

    return done
