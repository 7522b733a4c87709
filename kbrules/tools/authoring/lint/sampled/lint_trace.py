"""The trace of the sampled lints: what of each expression ever mattered in some files.

The rules of the selected files are traced, all others run as they always do. An
expression of which nothing more can be learned runs as the others do from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kbrules.lang.evaluation import WORK, Node, fold_constants, known_key_of
from kbrules.lang.typed import Expr, Norm, Sort, calls_in, parts_of
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Linker
from kbrules.text import Span
from kbrules.tools.tracing.linker import TracingEvaluator, TracingLinker
from kbrules.tools.tracing.nodes import TemporarilyTracedNode
from kbrules.tools.tracing.trace import ALONE, EvaluationRecord, Trace

_LINKING_WORK = 10  # steps of expressions that take as long as linking one to be traced


class LintTrace(Trace):
    """Links rules so that what stands in some files is traced, in all games alike."""

    evaluates_all = True

    def __init__(self, is_selected: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_selected = is_selected
        self._linkers: dict[int, tuple[Ruleset, Linker]] = {}

    def __call__(self, ruleset: Ruleset) -> Linker:
        """A linker for one rule set."""
        if id(ruleset) not in self._linkers:
            self._linkers[id(ruleset)] = ruleset, self._new_linker(ruleset)
        return self._linkers[id(ruleset)][1]

    def _new_linker(self, ruleset: Ruleset) -> Linker:
        """Return a linker that links an expression once for all plans that know the same of it."""
        tracing, nodes = TracingLinker(ruleset, self), dict[Any, Node]()
        questions: dict[int, tuple[Expr, list[str]]] = {}

        def link(expr: Expr, known: Mapping[str, Any]) -> Node:
            if id(expr) not in questions:
                questions[id(expr)] = expr, [*map(known_key_of, calls_in(expr))]
            key = id(expr), *map(known.get, questions[id(expr)][1])
            if key not in nodes:
                folded = fold_constants(expr, known, ruleset.evaluate.implementations)
                nodes[key] = self._linked(folded, tracing, ruleset.evaluate.linked(folded))
            return nodes[key]

        return link

    def _linked(self, expr: Expr, tracing: TracingLinker, untraced: Node) -> Node:
        """Return the node that traces an expression as long as there is more to learn of it."""
        if not self._concerns(expr):
            return untraced
        evaluator = tracing.evaluator({})
        node = evaluator.linked(expr)
        WORK.steps += _LINKING_WORK * len(evaluator.expressions)
        WORK.check()
        if node.is_constant:
            return node
        return TemporarilyTracedNode(node, _completion_checks(evaluator), untraced)

    def _concerns(self, expr: Expr) -> bool:
        return self.selects(expr.span) or any(map(self._concerns, parts_of(expr)))

    def selects(self, span: Span) -> bool:
        """Whether a text stands in a selected file."""
        return self._is_selected(span.source.name)

    def norm(self, kind: str, norm: Norm | None) -> EvaluationRecord | None:
        """What a norm does beside others is of interest, not what its own hexes are."""
        return None if kind == ALONE else super().norm(kind, norm)


def _completion_checks(evaluator: TracingEvaluator) -> list[Callable[[], bool]]:
    """For each record whether nothing that is still to come could matter to it."""
    expressions = [
        partial(_is_complete, record, expr.sort is Sort.TRUTH)
        for expr, record in evaluator.expressions
    ]
    norms = [partial(_is_complete, record, False) for record in evaluator.norms]
    return [
        *expressions,
        *norms,
        *(partial(getattr, each, "is_settled") for each in evaluator.operands),
    ]


def _is_complete(record: EvaluationRecord, is_truth: bool) -> bool:
    """Whether it was true or not empty once and, if it is a truth, false as well."""
    return record.yes and (record.no or not is_truth)
