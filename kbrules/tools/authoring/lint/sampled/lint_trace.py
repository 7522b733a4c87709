"""The trace of the sampled lints: what of each expression ever mattered in some files.

The rules of the selected files are traced, all others run as they always do. An
expression of which nothing more can be learned runs as the others do from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Expr, Norm, parts_of
from kbrules.lang.typed.sorts import Sort
from kbrules.library.ruleset import Ruleset
from kbrules.plan.linking import Linker, default_linker
from kbrules.text import Span
from kbrules.tools.tracing.linker import TracingEvaluator, TracingLinker
from kbrules.tools.tracing.nodes import TemporarilyTracedNode
from kbrules.tools.tracing.trace import ALONE, EvaluationRecord, Trace

__all__ = ["LintTrace"]


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
        untraced, tracing = default_linker(ruleset), TracingLinker(ruleset, self)

        def link(expr: Expr) -> Node:
            if not self._concerns(expr):
                return untraced(expr)
            evaluator = tracing.evaluator({})
            node = evaluator.linked(expr)
            return (
                node
                if node.is_constant
                else TemporarilyTracedNode(node, _completion_checks(evaluator), untraced(expr))
            )

        return link

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
