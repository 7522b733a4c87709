"""Norms watched where the engine puts them together: what each permits, takes away, prefers.

The engine says all norms about a verb as one expression, of which the operands are the norms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from kbrules.lang.core import Call, Choice, Expr
from kbrules.lang.nodes import Node
from kbrules.tools.tracing.operands import (
    JOIN,
    LESS,
    MEET,
    NARROWED,
    is_of_plan,
    joined_by_plan,
)

__all__ = ["ADDS", "NARROWED", "NARROWS", "TAKES", "Effect"]

ADDS, TAKES, NARROWS = "adds", "takes", "narrows"
"""What a norm can do: permit what no other does, take away, leave only what is preferred."""


class Effect:
    """How often a norm had its say, and whether it ever did what it is for."""

    __slots__ = ("looks", "mattered")

    def __init__(self) -> None:
        self.looks = 0
        self.mattered = False

    @property
    def is_settled(self) -> bool:
        """Whether nothing that is still to come could matter."""
        return self.mattered

    def see(self, mattered: bool) -> None:
        """Note an occasion."""
        self.looks += 1
        self.mattered = self.mattered or mattered


def anchor(expr: Expr) -> Expr:
    """What an author wrote of a norm: its set, also where that hangs on a condition."""
    if isinstance(expr, Choice) and is_of_plan(expr):
        return expr.value if not is_of_plan(expr.value) else expr.condition
    return expr


def is_joined(expr: Expr) -> bool:
    """Whether the engine put it together of norms."""
    return isinstance(expr, Call) and is_of_plan(expr) and expr.word in (JOIN, LESS, NARROWED)


Effects = Sequence["Effect | None"]


class WatchedUnion(Node):
    """Permits side by side: each is to add something to the others."""

    __slots__ = ("_effects", "_parts")

    def __init__(self, parts: Sequence[Node], effects: Effects) -> None:
        self._parts, self._effects = parts, effects

    def value(self, view: Any) -> Any:
        values = [part.value(view) for part in self._parts]
        for index, effect in enumerate(self._effects):
            if effect is not None and values[index]:
                others = reduce(or_, values[:index] + values[index + 1 :], 0)
                effect.see(bool(values[index] & ~others))
        return reduce(or_, values)


class WatchedForbids(Node):
    """A set from which norms take something: each is to take some hex of it."""

    __slots__ = ("_effects", "_own", "_parts")

    def __init__(self, own: Node, parts: Sequence[Node], effects: Effects) -> None:
        self._own, self._parts, self._effects = own, parts, effects

    def value(self, view: Any) -> Any:
        own = self._own.value(view)
        values = [part.value(view) for part in self._parts] if own else []
        for effect, value in zip(self._effects, values, strict=False):
            if effect is not None:
                effect.see(bool(own & value))
        return own & ~reduce(or_, values, 0)


class WatchedPreference(Node):
    """A set of which only what norms prefer is left, if anything is."""

    __slots__ = ("_code", "_effects", "_own", "_parts")

    def __init__(
        self, code: Callable[..., Any], own: Node, parts: Sequence[Node], effects: Effects
    ) -> None:
        self._code, self._own, self._parts, self._effects = code, own, parts, effects

    def value(self, view: Any) -> Any:
        own = self._own.value(view)
        wanted = view.board.grid.full
        for part, effect in zip(self._parts, self._effects, strict=True):
            liked = part.value(view)
            wanted &= liked
            if effect is not None and own:
                effect.see(bool(own & liked) and bool(own & ~liked))
        return self._code(own, wanted)


def joined(
    expr: Call,
    link: Callable[[Expr], Node],
    effect: Callable[..., Effect | None],
    code: Callable[..., Any],
) -> Node:
    """The node of what the engine put together; `effect` answers where to note what a norm did."""
    if expr.word == JOIN:
        parts = joined_by_plan(expr, JOIN)
        return WatchedUnion([link(part) for part in parts], [effect(ADDS, part) for part in parts])
    own, others = expr.arguments
    if expr.word == LESS:
        parts = joined_by_plan(others, JOIN)
        return WatchedForbids(
            link(own), [link(p) for p in parts], [effect(TAKES, p) for p in parts]
        )
    parts = joined_by_plan(others, MEET)
    effects = [effect(NARROWS, part) for part in parts]
    return WatchedPreference(code, link(own), [link(part) for part in parts], effects)
