"""Expressions linked so that every part of them notes what comes of it.

Parts are known by where they are written; what the engine puts together of several norms is
written nowhere, and is told apart by the norms it was made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kbrules.lang import evaluation as nodes
from kbrules.lang.evaluation import (
    DIFFERENCE,
    INTERSECTION,
    UNION,
    Evaluator,
    Node,
    fold_constants,
    known_key_of,
)
from kbrules.lang.typed import Award, Call, Conditional, Expr, Lit, Norm, QuantityChange, Sort, Step
from kbrules.library.ruleset import Ruleset
from kbrules.plan.norms import NOWHERE
from kbrules.primitives.registry import StepWord
from kbrules.primitives.vocabulary import FURTHER_VERBS
from kbrules.tools.tracing.nodes import (
    Parts,
    TracedForbids,
    TracedNode,
    TracedOperands,
    TracedPermits,
    TracedPreference,
    traced_step,
)
from kbrules.tools.tracing.operands import (
    AND,
    OR,
    Place,
    Places,
    operands_of,
    operator_kind,
    operators_of,
    place_of,
)
from kbrules.tools.tracing.trace import (
    ALONE,
    FORBIDS,
    PERMITS,
    PREFERS,
    EvaluationRecord,
    OperandRecords,
    Trace,
)

_NARROWED = "narrowed"


@dataclass(frozen=True, slots=True)
class LinkedTexts:
    """What of a rule set's text the linking needs.

    operators: the places of operators as written. norms: each norm by the places that tell of it.
    statements: the places of whole norms.
    """

    operators: Places
    norms: Mapping[Place, Norm]
    statements: Places

    @classmethod
    def of(cls, ruleset: Ruleset) -> LinkedTexts:
        """The texts of a rule set."""
        if cls not in ruleset.derived:
            ruleset.derived[cls] = cls._collect(ruleset)
        texts: LinkedTexts = ruleset.derived[cls]
        return texts

    @classmethod
    def _collect(cls, ruleset: Ruleset) -> LinkedTexts:
        norms = [norm for rule in ruleset.rules for norm in rule.norms]
        return cls(
            operators_of(ruleset.declarations),
            {place: norm for norm in norms for place in _places(norm)},
            frozenset(place_of(norm.span) for norm in norms),
        )


def _places(norm: Norm) -> Iterator[Place]:
    """The places that tell of a norm: its own, and that of its hexes or else of its guard."""
    yield place_of(norm.span)
    if (expr := norm.target or norm.guard) is not None:
        yield place_of(expr.span)


class TracingLinker:
    """Links the expressions of one rule set; it is a `plan.linking.Observer`."""

    def __init__(self, ruleset: Ruleset, trace: Trace) -> None:
        self._trace = trace
        self._implementations = ruleset.evaluate.implementations
        self._texts = LinkedTexts.of(ruleset)

    def __call__(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """Return the node of an expression that notes what comes of it."""
        return self.evaluator(known).linked(expr)

    def evaluator(self, known: Mapping[str, Any]) -> TracingEvaluator:
        """What links expressions, where the values of some words are known."""
        return TracingEvaluator(self._implementations, self._trace, self._texts, known)

    def word(self, step: Step, word: StepWord) -> StepWord:
        """The word of a step, which notes that it was done."""
        if word.is_offers or word.is_reuse:
            return word
        return replace(word, code=traced_step(word.code, self._trace.at(ALONE, step.span)))

    def record(self, statement: Award | QuantityChange | Step, outcome: bool) -> None:
        """Note what came of a statement."""
        self._trace.at(ALONE, statement.span).add(outcome)


class TracingEvaluator(Evaluator):
    """The reference evaluator, which traces what it links; `records` are those it notes in."""

    def __init__(
        self, implementations: Any, trace: Trace, texts: LinkedTexts, known: Mapping[str, Any]
    ) -> None:
        super().__init__(implementations)
        self._trace, self._texts, self._known = trace, texts, known
        self.expressions: list[tuple[Expr, EvaluationRecord]] = []
        self.norms: list[EvaluationRecord] = []
        self.operands: list[OperandRecords] = []

    def linked(self, expr: Expr) -> Node:
        """The expression ready to be asked, and traced."""
        node = self._untraced(expr)
        if self._is_traced(expr):
            record = self._trace.expression(expr)
            self.expressions.append((expr, record))
            node = TracedNode(node, record)
        norm = self._norm_of(expr)
        if norm is not None and expr.sort is Sort.HEXES and _is_evaluated_alone(norm):
            return self._traced_norm(ALONE, norm, node)
        return node

    def _is_traced(self, expr: Expr) -> bool:
        if isinstance(expr, Lit) or expr.span.source is NOWHERE.source:
            return False
        return place_of(expr.span) not in self._texts.statements and self._trace.selects(expr.span)

    def _untraced(self, expr: Expr) -> Node:
        """The expression untraced, its parts traced."""
        if isinstance(expr, Conditional) and expr.span.source is NOWHERE.source:
            test = self._waiver_node(expr.condition)
            return nodes.ConditionalNode(test, self.linked(expr.value), self.linked(expr.other))
        if not isinstance(expr, Call):
            return super().linked(expr)
        key = known_key_of(expr)
        if key in self._known:
            return nodes.ConstantNode(self._known[key])
        if expr.fixed and expr.sort is not Sort.TRUTH and not self._trace.evaluates_all:
            folded = fold_constants(expr, self._known, self.implementations)
            return Evaluator(self.implementations).linked(folded)
        return self._operands_node(expr) or self._call_node(expr)

    def _call_node(self, call: Call) -> Node:
        return super().linked(call) if self._trace.evaluates_all else self._call(call)

    # operands

    def _operands_node(self, call: Call) -> Node | None:
        """Words that join operands, each looked at beside the others; those that join norms."""
        if call.span.source is NOWHERE.source:
            return self._norms_node(call)
        kind = operator_kind(call.word)
        is_selected = kind and self._trace.selects(call.span)
        if not is_selected or (kind in (AND, OR) and not self._trace.evaluates_all):
            return None
        parts = [*operands_of(call, self._texts.operators)]
        records = self._trace.operand_records(call, parts)
        self.operands.append(records)
        return TracedOperands([self.linked(part.expr) for part in parts], records)

    # norms

    def _norms_node(self, call: Call) -> Node | None:
        if call.word == UNION:
            return TracedPermits(self._norm_parts(PERMITS, call, UNION))
        if call.word not in (DIFFERENCE, _NARROWED):
            return None
        legal, norms = call.arguments
        if call.word == DIFFERENCE:
            return TracedForbids(self.linked(legal), self._norm_parts(FORBIDS, norms, UNION))
        return TracedPreference(self.linked(legal), self._norm_parts(PREFERS, norms, INTERSECTION))

    def _norm_parts(self, kind: str, norms: Expr, word: str) -> Parts:
        parts = _joined_parts(norms, word)
        pairs = [(self.linked(p), self._trace.norm(kind, self._norm_of(p))) for p in parts]
        self.norms += [record for _, record in pairs if record is not None]
        return pairs

    def _norm_of(self, expr: Expr) -> Norm | None:
        """The norm that an expression says, perhaps only under a condition."""
        norm = self._texts.norms.get(place_of(expr.span))
        if norm is not None or expr.span.source is not NOWHERE.source:
            return norm
        if isinstance(expr, Conditional):
            return self._norm_of(expr.value) or self._norm_of(expr.condition)
        if isinstance(expr, Call) and expr.word == AND:
            return next(filter(None, map(self._norm_of, expr.arguments)), None)
        return None

    def _traced_norm(self, kind: str, norm: Norm, node: Node) -> Node:
        record = self._trace.norm(kind, norm)
        return node if record is None else TracedNode(node, record)

    def _waiver_node(self, test: Expr) -> Node:
        """The condition of what was put together; of several waivers, each looked at."""
        if isinstance(test, Call) and test.word == OR and test.span.source is NOWHERE.source:
            return nodes.Or(*map(self._waiver_node, test.arguments))
        norm, node = self._norm_of(test), self.linked(test)
        if norm is None or norm.kind != "waive":
            return node
        return self._traced_norm(ALONE, norm, node)


def _is_evaluated_alone(norm: Norm) -> bool:
    """Whether a norm's hexes are asked for as such: no step is judged by norms of further verbs."""
    return norm.kind == "permit" or not FURTHER_VERBS.keys().isdisjoint(norm.verbs)


def _joined_parts(expr: Expr, word: str) -> list[Expr]:
    """The parts that the engine joined by a word."""
    if isinstance(expr, Call) and expr.word == word and expr.span.source is NOWHERE.source:
        return [part for each in expr.arguments for part in _joined_parts(each, word)]
    return [expr]
