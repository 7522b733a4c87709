"""Operands side by side, as in `a & b - c` or `a or b`, and whether each ever made a difference.

An operand makes one if without it the whole would have been another set or another answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import Any

from kbrules.lang.core import Call, Expr, parts_of

MEET, LESS, JOIN = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
EVERY, SOME = "and(truth,truth)", "or(truth,truth)"
KINDS = {MEET: MEET, LESS: MEET, JOIN: JOIN, EVERY: EVERY, SOME: SOME}
"""The words that join operands, by what they do; `&` and `-` both cut down."""


@dataclass(frozen=True, slots=True)
class Part:
    """An operand, and whether it is taken away."""

    expr: Expr
    is_taken_away: bool = False


def kind_of(expr: Expr) -> str:
    """How an expression joins its operands; empty if it does not."""
    return KINDS.get(expr.word, "") if isinstance(expr, Call) and expr.arguments[1:] else ""


def parts_in(call: Call) -> Iterator[Part]:
    """The operands that stand side by side; what a definition says is one operand."""
    first, second = call.arguments
    if kind_of(first) == kind_of(call) and _is_written_out(first):
        assert isinstance(first, Call)
        yield from parts_in(first)
    else:
        yield Part(first)
    if kind_of(second) == kind_of(call) != MEET and _is_written_out(second):
        assert isinstance(second, Call)
        yield from parts_in(second)
    else:
        yield Part(second, call.word == LESS)


def _is_written_out(expr: Expr) -> bool:
    """Whether the parts of an expression stand inside it, and not in a definition it names."""
    return all(expr.span.holds(part.span) for part in parts_of(expr))


@dataclass(slots=True, eq=False)
class Chain:
    """Operands, with those that never made a difference yet, and how often they were asked."""

    call: Call
    parts: tuple[Part, ...]
    idle: set[int] = field(default_factory=set)
    looks: int = 0

    def __post_init__(self) -> None:
        self.idle = set(range(len(self.parts)))

    @property
    def is_settled(self) -> bool:
        """Whether nothing that is still to come could matter."""
        return not self.idle

    def whole(self, values: Sequence[Any]) -> Any:
        """The value of the whole, from those of its operands."""
        match kind_of(self.call):
            case "&(hexes,hexes)":
                return reduce(and_, self._signed(values))
            case "|(hexes,hexes)":
                return reduce(or_, values)
            case "and(truth,truth)":
                return all(values)
        return any(values)

    def look(self, values: Sequence[Any], board: int) -> None:
        """Note which operands made a difference; `board` are all hexes."""
        self.looks += 1
        if not self.idle:
            return
        kind = kind_of(self.call)
        signed = list(self._signed(values)) if kind == MEET else list(values)
        for index in sorted(self.idle):
            others = signed[:index] + signed[index + 1 :]
            if _differs(kind, signed[index], others, board):
                self.idle.discard(index)

    def _signed(self, values: Sequence[int]) -> Iterator[int]:
        for part, value in zip(self.parts, values, strict=True):
            yield ~value if part.is_taken_away else value


def _differs(kind: str, value: Any, others: Sequence[Any], board: int) -> bool:
    match kind:
        case "&(hexes,hexes)":
            return bool(reduce(and_, others) & ~value & board)
        case "|(hexes,hexes)":
            return bool(value & ~reduce(or_, others))
        case "and(truth,truth)":
            return not value and all(others)
    return bool(value) and not any(others)
