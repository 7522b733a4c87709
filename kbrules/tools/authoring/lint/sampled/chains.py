"""Operands side by side, as in `a & b - c` or `a or b`, and whether each ever made a difference.

An operand makes one if without it the whole would have been another set or another answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import Any

from kbrules.lang.core import Call
from kbrules.tools.tracing.operands import MEET, Operand, holds_its_parts, kind_of, operands


def parts_in(call: Call) -> Iterator[Operand]:
    """The operands that stand side by side; what a definition says is one operand."""
    return operands(call, holds_its_parts, opens_right=True)


@dataclass(slots=True, eq=False)
class Chain:
    """Operands, with those that never made a difference yet, and how often they were asked."""

    call: Call
    parts: tuple[Operand, ...]
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
