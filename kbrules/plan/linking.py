"""Linkers: what turns expressions into nodes that can be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Award, Expr, QuantityChange, Step
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.registry import StepWord

Linker = Callable[[Expr], Node]
LinkerFactory = Callable[[Ruleset], Linker]
"""Makes the linker of a rule set."""


@runtime_checkable
class Observer(Protocol):
    """A linker that observes evaluation: it links whole expressions and records outcomes."""

    def linked(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """An expression of which nothing was worked out, and the values of what is known."""

    def word(self, step: Step, word: StepWord) -> StepWord:
        """The word by which a step is done."""

    def record(self, statement: Award | QuantityChange | Step, outcome: bool) -> None:
        """That an award paid, a change applied or a step began, or not."""


def default_linker(ruleset: Ruleset) -> Linker:
    """The usual linker: the nodes of the evaluator, without an observer."""
    return ruleset.evaluate.linked
