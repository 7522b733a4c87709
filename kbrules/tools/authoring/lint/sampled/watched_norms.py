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
from kbrules.plan.expressions import NOWHERE
from kbrules.tools.authoring.lint.sampled.chains import JOIN, LESS, MEET

__all__ = ["ADDS", "NARROWED", "NARROWS", "TAKES", "Effect", "norms_in"]

ADDS, TAKES, NARROWS = "adds", "takes", "narrows"
"""What a norm can do: permit what no other does, take away, leave only what is preferred."""
NARROWED = "narrowed"


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


def norms_in(expr: Expr, word: str) -> list[Expr]:
    """The operands the engine joined by a word, or the one there is."""
    if isinstance(expr, Call) and expr.word == word and expr.span == NOWHERE:
        return [*norms_in(expr.arguments[0], word), *norms_in(expr.arguments[1], word)]
    return [expr]


def anchor(expr: Expr) -> Expr:
    """What an author wrote of a norm: its set, also where that hangs on a condition."""
    if isinstance(expr, Choice) and expr.span == NOWHERE:
        return expr.value if expr.value.span != NOWHERE else expr.condition
    return expr


def is_joined(expr: Expr) -> bool:
    """Whether the engine put it together of norms."""
    return isinstance(expr, Call) and expr.span == NOWHERE and expr.word in (JOIN, LESS, NARROWED)


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
        parts = norms_in(expr, JOIN)
        return WatchedUnion([link(part) for part in parts], [effect(ADDS, part) for part in parts])
    own, others = expr.arguments
    if expr.word == LESS:
        parts = norms_in(others, JOIN)
        return WatchedForbids(
            link(own), [link(p) for p in parts], [effect(TAKES, p) for p in parts]
        )
    parts = norms_in(others, MEET)
    effects = [effect(NARROWS, part) for part in parts]
    return WatchedPreference(code, link(own), [link(part) for part in parts], effects)
