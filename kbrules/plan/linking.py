"""How the expressions of a rule set are made ready to be asked: by the walk over their tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from kbrules.lang.core import Award, Change, Expr, Step
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.registry import StepWord

Linker = Callable[[Expr], Node]
Linking = Callable[[Ruleset], Linker]
"""How the expressions of a rule set are made ready to be asked."""


@runtime_checkable
class Observer(Protocol):
    """A linker that is told what rules do: it sees all of an expression, and what came of it."""

    def linked(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """An expression of which nothing was worked out, and the values of what is known."""

    def word(self, step: Step, word: StepWord) -> StepWord:
        """The word by which a step is done."""

    def record(self, statement: Award | Change | Step, outcome: bool) -> None:
        """That an award paid, a change applied or a step began, or not."""


def reference(ruleset: Ruleset) -> Linker:
    """Every expression is walked, whenever it is asked."""
    return ruleset.evaluate.linked
