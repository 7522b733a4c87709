"""Nodes that note what came of a question, beside answering it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from kbrules.lang.evaluation import WORK, Node
from kbrules.tools.tracing.trace import EvaluationRecord, OperandRecords

Parts = Sequence[tuple[Node, EvaluationRecord | None]]
"""The nodes of norms, and where to note what each did."""

_TRACING_WORK = 2  # steps of expressions that take as long as noting one value


class TracedNode(Node):
    """An expression whose values are noted."""

    __slots__ = ("_node", "_record")

    def __init__(self, node: Node, record: EvaluationRecord) -> None:
        self._node, self._record = node, record

    def value(self, view: Any) -> Any:
        WORK.steps += _TRACING_WORK
        value = self._node.value(view)
        self._record.add(value)
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
            WORK.steps += _TRACING_WORK
            value = node.value(view)
            value = bool(value) if operands.is_truth else value
            values.append(full & ~value if part.is_taken_away else value)
            whole = operands.join(whole, values[-1])
            if whole == operands.absorbing:
                view.counted_sets = None
        view.counted_sets = counted
        operands.add(values, whole, full)
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
                record.add(values[number] & ~others, counts=bool(values[number]))
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
                record.add(legal & value, counts=bool(legal))
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
                record.add(left and legal & ~value, counts=bool(legal))
        return left or legal


class TemporarilyTracedNode(Node):
    """An expression that is traced until nothing more can be learned of it."""

    __slots__ = ("_traced", "_unfinished", "_untraced")

    def __init__(
        self, traced: Node, completion_checks: Sequence[Callable[[], bool]], untraced: Node
    ) -> None:
        self._traced, self._unfinished, self._untraced = traced, list(completion_checks), untraced

    def value(self, view: Any) -> Any:
        unfinished = self._unfinished
        while unfinished and unfinished[-1]():
            unfinished.pop()
        return self._traced.value(view) if unfinished else self._untraced.value(view)


def traced_step(code: Callable[..., Any], record: EvaluationRecord) -> Callable[..., Any]:
    """The code of a step, which notes that it was done, and whether anything came of it."""

    def run(table: Any, *arguments: Any) -> Any:
        event_count = len(table.events)
        result = code(table, *arguments)
        record.add(len(table.events) > event_count)
        return result

    return run
