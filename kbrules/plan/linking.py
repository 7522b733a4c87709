"""Linkers: what turns expressions into nodes that can be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from kbrules.lang.evaluation.constant_folding import fold_constants
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Award, Expr, QuantityChange, Step
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.registry import StepWord

Linker = Callable[[Expr, Mapping[str, Any]], Node]
"""Makes the node of an expression, given the values of what is known (`fold_constants`)."""
LinkerFactory = Callable[[Ruleset], Linker]
"""Makes the linker of a rule set."""


@runtime_checkable
class Observer(Protocol):
    """A linker that observes evaluation: it records outcomes."""

    def word(self, step: Step, word: StepWord) -> StepWord:
        """The word by which a step is done."""

    def record(self, statement: Award | QuantityChange | Step, outcome: bool) -> None:
        """That an award paid, a change applied or a step began, or not."""


def default_linker(ruleset: Ruleset) -> Linker:
    """Return the usual linker: the nodes of the evaluator, without an observer."""
    evaluate = ruleset.evaluate
    return lambda expr, known: evaluate.linked(
        fold_constants(expr, known, evaluate.implementations)
    )
