"""The two evaluators: the walk over the tree, which is the reference, and generated code."""

from __future__ import annotations

from collections.abc import Callable

from kbrules.compile.late import Generator
from kbrules.lang.core import Expr
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import Ruleset

Linker = Callable[[Expr], Node]
Linking = Callable[[Ruleset], Linker]
"""How the expressions of a rule set are made ready to be asked."""


def reference(ruleset: Ruleset) -> Linker:
    """Every expression is walked, whenever it is asked."""
    return ruleset.evaluate.linked


def generated(ruleset: Ruleset) -> Linker:
    """What is asked often becomes Python; it answers the same."""
    found: Generator | None = ruleset.kept.get(Generator)
    if found is None:
        found = ruleset.kept[Generator] = Generator(ruleset.evaluate)
    return found.node
