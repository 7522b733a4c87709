"""The names that all that is written for one configuration shares."""

from __future__ import annotations

from functools import partial
from typing import Any

from kbrules.compile.steps.plan import Plan
from kbrules.compile.writing import identity
from kbrules.game.moves import Group
from kbrules.lang.core import Call, Expr
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import TURN


class Names:
    """Names of values, and of what a board alone decides; the groups that are always the same."""

    def __init__(self, plan: Plan, known: dict[str, Any]) -> None:
        self.known = known
        self.end = Group("end", TURN)
        self._stops: dict[str, Group] = {}
        self._identities: dict[int, tuple[Expr, Any]] = {}
        self._plan = plan
        self._by_value: dict[int, str] = {}
        self._fixed: dict[Any, str] = {}
        self._wanted: dict[str, None] = {}
        self.nodes: dict[str, Node] = {}
        self._floods = 0

    def bound(self, value: Any) -> str:
        """A name for a value that is no number."""
        found = self._by_value.get(id(value))
        if found is None:
            found = self._by_value[id(value)] = f"k{len(self._by_value)}"
            self.known[found] = value
        return found

    def identity(self, expr: Expr) -> Any:
        """What makes two expressions say the same; worked out once for each."""
        found = self._identities.get(id(expr))
        if found is None:
            found = self._identities[id(expr)] = expr, identity(expr)
        return found[1]

    def stop(self, rule: str) -> Group:
        """The move that ends an `up to` loop of a rule."""
        return self._stops.setdefault(rule, Group("stop", rule))

    def fixed(self, call: Call) -> str:
        """The name of what a board alone decides."""
        key = self.identity(call)
        found = self._fixed.get(key)
        if found is None:
            found = self._fixed[key] = f"f{len(self._fixed)}"
            self.nodes[found] = self._plan.ruleset.evaluate.linked(call)
        self._wanted[found] = None
        return found

    def flood(self) -> int:
        """The number of another place where a flood is asked for."""
        self._floods += 1
        return self._floods

    def wanted(self) -> tuple[str, ...]:
        """The names of what a board decides that were used since this was asked last."""
        found = tuple(self._wanted)
        self._wanted.clear()
        return found

    def fixed_node(self, call: Call) -> Node:
        """The node of what a board alone decides."""
        return self.nodes[self.fixed(call)]

    def pieces_tagged(self, call: Call) -> tuple[int, ...] | None:
        """The kinds of pieces that a word of a tag speaks of; None for any other word."""
        pieces = self._plan.ruleset.catalog.pieces
        if not isinstance(self._plan.ruleset.evaluate.implementations[call.word].code, partial):
            return None
        tag = call.word.removesuffix("()")
        return tuple(i for i, piece in enumerate(pieces) if tag in piece.tags)
