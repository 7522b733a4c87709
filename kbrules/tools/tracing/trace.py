"""A trace: what came of all evaluations of each expression, operand, norm and statement.

Each reader has its own `Trace`: it says which expressions it selects, and whether operands
are evaluated whose value decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_, or_
from typing import Any

from kbrules.lang.evaluation import INTERSECTION
from kbrules.lang.typed import Call, Expr, Norm
from kbrules.text import Span
from kbrules.tools.tracing.operands import AND, OR, Operand, Place, operator_kind, place_of

EVALUATED, YES, NO, PASSED, EXCLUDED = 1, 2, 4, 8, 16
"""Evaluated at all; held, was not empty, paid or changed something; did not; as an operand: let
something through, or added something; kept something out."""
PERMITS, FORBIDS, PREFERS, ALONE = "permits", "forbids", "prefers", "alone"
"""What a part of the norms can do: permit what no other does, forbid, leave only what is preferred;
and what a norm or a statement comes to where it is evaluated alone."""

Key = tuple[str, int, int, str]


def key_of(expr: Expr) -> Key:
    """Where an expression stands, and which of those that stand there it is."""
    return *place_of(expr.span), str(getattr(expr, "word", type(expr).__name__))


class EvaluationRecord:
    """How often something was evaluated, and whether it was ever true or not empty, and false."""

    __slots__ = ("_evaluated", "_no_bit", "_yes_bit", "count", "is_evaluated", "no", "place", "yes")

    def __init__(
        self, place: Place, evaluated: list[EvaluationRecord], bits: tuple[int, int]
    ) -> None:
        self.place, self._evaluated = place, evaluated
        self._yes_bit, self._no_bit = bits
        self.clear()

    def clear(self) -> None:
        """Forget everything seen."""
        self.count = 0
        self.is_evaluated = self.yes = self.no = False

    def add(self, value: Any, counts: bool = True) -> None:
        """Note a value; counts: whether it could have been another."""
        if self.yes if value else self.no:
            self.count += counts  # nothing new, as most often
        else:
            self.add_outcome(bool(value), not value, counts)

    def add_outcome(self, yes: bool, no: bool, counts: bool = True) -> None:
        """Note that something was evaluated, and what came of it."""
        if not self.is_evaluated:
            self.is_evaluated = True
            self._evaluated.append(self)
        self.count += counts
        self.yes = self.yes or yes
        self.no = self.no or no

    @property
    def bits(self) -> int:
        """The same as bits."""
        yes, no = self.yes and self._yes_bit, self.no and self._no_bit
        return self.is_evaluated and EVALUATED | yes | no


class OperandRecords:
    """Operands side by side: of each whether it let something through, and kept something out.

    Truths are sets of nothing or one thing here. join, start: how their values come together, and
    from what on. absorbing: the value after which no operand changes anything, if there is one.
    """

    def __init__(
        self, call: Call, parts: Sequence[Operand], records: Sequence[EvaluationRecord]
    ) -> None:
        self.call, self.parts, self.records = call, parts, records
        kind = operator_kind(call.word)
        self.is_cut, self.is_truth = kind in (INTERSECTION, AND), kind in (AND, OR)
        self.join, self.start = (and_, -1) if self.is_cut else (or_, 0)
        self.absorbing = 0 if self.is_cut else 1 if self.is_truth else None
        self.count = 0

    @property
    def idle(self) -> list[Operand]:
        """The operands without which the whole would always have been the same."""
        pairs = zip(self.parts, self.records, strict=True)
        return [part for part, record in pairs if not self._is_effective(record)]

    @property
    def effective(self) -> list[Operand]:
        """The operands that made a difference at least once."""
        pairs = zip(self.parts, self.records, strict=True)
        return [part for part, record in pairs if self._is_effective(record)]

    @property
    def is_settled(self) -> bool:
        """Whether each operand has mattered."""
        return all(map(self._is_effective, self.records))

    def _is_effective(self, record: EvaluationRecord) -> bool:
        return record.no if self.is_cut else record.yes

    def add(self, values: Sequence[int], whole: int, full: int) -> None:
        """Note what each operand did beside the others; full: all hexes."""
        self.count += 1
        for record, value, others in zip(self.records, values, self._others(values), strict=True):
            if self.is_cut:
                yes, no = full & others & value, full & others & ~int(value)
            else:
                yes, no = value & ~int(others), whole & ~int(value)
            record.add_outcome(bool(yes), bool(no))

    def _others(self, values: Sequence[int]) -> list[int]:
        """For each operand what the others come to together."""
        before, after = [self.start], [self.start]
        for value in values[:-1]:
            before.append(self.join(before[-1], value))
        for value in reversed(values[1:]):
            after.append(self.join(after[-1], value))
        return [self.join(*pair) for pair in zip(before, reversed(after), strict=True)]


class Trace:
    """What came of the parts of rules in all games that are traced, by where they are written.

    evaluates_all: whether all operands of `and` and `or` are asked whatever the first ones decide,
    and what is inside a set that never changes.
    """

    evaluates_all = False

    def __init__(self) -> None:
        self.expressions: dict[Key, EvaluationRecord] = {}
        self.operands: dict[tuple[object, ...], OperandRecords] = {}
        self.norms: dict[tuple[str, Place], EvaluationRecord] = {}
        self._evaluated: list[EvaluationRecord] = []

    def selects(self, span: Span) -> bool:
        """Whether what stands there is traced."""
        return True

    def expression(self, expr: Expr) -> EvaluationRecord:
        """The record of an expression, one for all places where a definition is used."""
        key = key_of(expr)
        return self.expressions.get(key) or self.expressions.setdefault(key, self._new(expr.span))

    def operand_records(self, call: Call, parts: Sequence[Operand]) -> OperandRecords:
        """The records of operands side by side."""
        key = (*(place_of(part.expr.span) for part in parts), operator_kind(call.word))
        if key not in self.operands:
            records = [self._new(part.expr.span, (PASSED, EXCLUDED)) for part in parts]
            self.operands[key] = OperandRecords(call, parts, records)
        return self.operands[key]

    def norm(self, kind: str, norm: Norm | None) -> EvaluationRecord | None:
        """The record of what a norm does, if it is traced."""
        if norm is None or not self.selects(norm.span):
            return None
        return self.at(kind, norm.span)

    def at(self, kind: str, span: Span) -> EvaluationRecord:
        """The record of a statement or of what a norm does."""
        key = kind, place_of(span)
        return self.norms.get(key) or self.norms.setdefault(key, self._new(span))

    def _new(self, span: Span, bits: tuple[int, int] = (YES, NO)) -> EvaluationRecord:
        return EvaluationRecord(place_of(span), self._evaluated, bits)

    def take(self) -> dict[Place, int]:
        """The bits of each place since the last time; then they are forgotten."""
        bits_by_place: dict[Place, int] = {}
        for record in self._evaluated:
            bits_by_place[record.place] = bits_by_place.get(record.place, 0) | record.bits
            record.clear()
        self._evaluated.clear()
        return bits_by_place
