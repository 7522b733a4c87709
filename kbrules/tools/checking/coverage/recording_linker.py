"""Expressions linked so that every part of them notes what comes of it.

Parts are known by where they are written; what the engine puts together of several norms is
written nowhere, and is told apart by the norms it was made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kbrules.lang import nodes
from kbrules.lang.constant_folding import fold_constants, known_key
from kbrules.lang.core import Award, Call, Change, Choice, Expr, Lit, Norm, Step
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import ELEMENT, Sort
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.registry import StepWord
from kbrules.primitives.vocabulary import SCORE
from kbrules.tools.checking.coverage.outcome_bits import ASKED, NO, YES, OutcomeBits
from kbrules.tools.checking.coverage.recorded_nodes import (
    RecordedForbids,
    RecordedMembers,
    RecordedNode,
    RecordedPreference,
    RecordedTruth,
    RecordedUnion,
    recording,
)
from kbrules.tools.tracing.operands import (
    EVERY,
    JOIN,
    LESS,
    MEET,
    NARROWED,
    SOME,
    Place,
    Places,
    is_of_plan,
    joined_by_plan,
    kind_of,
    operands,
    operators_of,
    place_of,
)


@dataclass(frozen=True, slots=True)
class Texts:
    """What of a rule set's text the linking needs.

    operators: the places of set operators as written. norms: each norm by the places that tell
    of it. statements: the places of whole norms.
    """

    operators: Places
    norms: Mapping[Place, Norm]
    statements: Places

    @classmethod
    def of(cls, ruleset: Ruleset) -> Texts:
        """The texts of a rule set."""
        norms = [norm for rule in ruleset.rules for norm in rule.norms]
        return cls(
            operators_of(ruleset.declarations),
            {place: norm for norm in norms for place in _said(norm)},
            frozenset(place_of(norm.span) for norm in norms),
        )


def _said(norm: Norm) -> Iterator[Place]:
    """The places that tell of a norm: its own, and that of its hexes or else of its guard."""
    yield place_of(norm.span)
    said = norm.on or norm.guard
    if said is not None:
        yield place_of(said.span)


class RecordingLinker:
    """Links the expressions of one rule set; it is an `engine.evaluators.Watch`."""

    def __init__(self, ruleset: Ruleset, marks: OutcomeBits) -> None:
        self._marks = marks
        self._implementations = ruleset.evaluate.implementations
        self._texts = Texts.of(ruleset)

    def __call__(self, expr: Expr) -> Node:
        return self.linked(expr, {})

    def linked(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """An expression that notes what comes of it."""
        return RecordingEvaluator(self._implementations, self._marks, self._texts, known).linked(
            expr
        )

    def word(self, step: Step, word: StepWord) -> StepWord:
        """The word of a step, which notes that it was done."""
        if word.is_offers or word.is_reuse:
            return word
        at = self._marks.index(step.span)
        return replace(word, code=recording(word.code, self._marks.bits, at))

    def record(self, statement: Award | Change | Step, outcome: bool) -> None:
        """Note what came of a statement."""
        self._marks.bits[self._marks.index(statement.span)] |= ASKED | (YES if outcome else NO)


class RecordingEvaluator(Evaluator):
    """The reference evaluator, looked at by everything it links."""

    def __init__(
        self, implementations: Any, marks: OutcomeBits, texts: Texts, known: Mapping[str, Any]
    ) -> None:
        super().__init__(implementations)
        self._marks, self._texts, self._known = marks, texts, known

    def linked(self, expr: Expr) -> Node:
        """The expression ready to be asked, and watched."""
        node = self._watched(expr, self._bare(expr))
        norm = self._norm_of(expr)
        if norm is not None and expr.sort is Sort.HEXES and _is_asked_alone(norm):
            return RecordedTruth(node, self._marks.bits, self._marks.index(norm.span))
        return node

    def _watched(self, expr: Expr, node: Node) -> Node:
        place = place_of(expr.span)
        if is_of_plan(expr) or place in self._texts.statements:
            return node
        if isinstance(expr, Lit):
            return node
        answers = expr.sort is Sort.TRUTH or expr.sort in ELEMENT
        kind = RecordedTruth if answers else RecordedNode
        return kind(node, self._marks.bits, self._marks.index(expr.span))

    def _bare(self, expr: Expr) -> Node:
        """The expression unwatched, its parts watched."""
        if isinstance(expr, Choice) and is_of_plan(expr):
            test = self._waiving(expr.condition)
            return nodes.Choose(test, self.linked(expr.value), self.linked(expr.other))
        if not isinstance(expr, Call):
            return super().linked(expr)
        key = _known_key(expr)
        if key in self._known:
            return nodes.Constant(self._known[key])
        if expr.fixed and expr.sort is not Sort.TRUTH:
            whole = fold_constants(expr, self._known, self.implementations)
            return Evaluator(self.implementations).linked(whole)
        return self._sets(expr) or self._call(expr)

    # sets

    def _sets(self, call: Call) -> Node | None:
        """Words that put sets together, each part looked at beside the others."""
        if is_of_plan(call):
            if call.word == LESS:
                return self._of_norms(RecordedForbids, call, JOIN)
            return self._of_norms(RecordedPreference, call, MEET) if call.word == NARROWED else None
        if kind_of(call) not in (MEET, JOIN):
            return None
        kind = RecordedUnion if call.word == JOIN else RecordedMembers
        index = self._marks.index
        linked = [
            (self.linked(part.expr), part.is_taken_away, index(part.expr.span))
            for part in operands(call, self._is_written)
        ]
        return kind(linked, self._marks.bits)

    def _is_written(self, expr: Expr) -> bool:
        return place_of(expr.span) in self._texts.operators

    def _of_norms(self, kind: type[RecordedForbids], call: Call, joined: str) -> Node:
        legal, said = call.arguments
        parts = [(self.linked(part), self._index_of(part)) for part in joined_by_plan(said, joined)]
        return kind(self.linked(legal), parts, self._marks.bits)

    # norms

    def _index_of(self, expr: Expr) -> int:
        norm = self._norm_of(expr)
        return -1 if norm is None else self._marks.index(norm.span)

    def _norm_of(self, expr: Expr) -> Norm | None:
        """The norm that an expression says, perhaps only under a condition."""
        found = self._texts.norms.get(place_of(expr.span))
        if found is not None or not is_of_plan(expr):
            return found
        if isinstance(expr, Choice):
            return self._norm_of(expr.value) or self._norm_of(expr.condition)
        if isinstance(expr, Call) and expr.word == EVERY:
            return next(filter(None, map(self._norm_of, expr.arguments)), None)
        return None

    def _waiving(self, test: Expr) -> Node:
        """The condition of what was put together; of several waivers, each looked at."""
        if isinstance(test, Call) and test.word == SOME and is_of_plan(test):
            return nodes.Or(*map(self._waiving, test.arguments))
        norm, node = self._norm_of(test), self.linked(test)
        if norm is None or norm.kind != "waive":
            return node
        return RecordedTruth(node, self._marks.bits, self._marks.index(norm.span))


def _is_asked_alone(norm: Norm) -> bool:
    """Whether a norm's hexes are asked for as such: no step is judged by norms about `score`."""
    return norm.kind == "permit" or SCORE in norm.verbs


def _known_key(call: Call) -> str:
    """By what name the value of a call may be known."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], Lit):
        return known_key(call.word, str(call.arguments[0].value))
    return call.word if not call.arguments else ""
