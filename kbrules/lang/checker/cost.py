"""How long an expression can take at most, known before it runs: loops multiply, parts add."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.lang.typed.core import Call, Expr, Fold, parts_of
from kbrules.lang.typed.sorts import Sort

MAX_WORK = 500_000
"""The most steps one sentence may take, in the largest loops there can be."""
MAX_DEPTH = 150
MAX_PARTS = 2_000
_SIZES = {
    Sort.HEXES: 400, Sort.GROUPS: 60, Sort.PLAYERS: 6, Sort.TERRAINS: 12, Sort.PLACES: 12,
    Sort.PIECES: 12, Sort.TILES: 48, Sort.CARDS: 12,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cost:
    """What an expression costs: steps at most, levels, and parts as written out."""

    work: int = 1
    depth: int = 1
    parts: int = 1

    def exceeds_limit(self, times: int) -> bool:
        """Whether it is not to be run that many times, or not at all."""
        return self.work * times > MAX_WORK or self.depth > MAX_DEPTH or self.parts > MAX_PARTS


class CostModel:
    """Computes costs of expressions; what several share is computed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Expr, Cost]] = {}

    def cost_of(self, expr: Expr) -> Cost:
        """The cost of an expression."""
        found = self._known.get(id(expr))
        if found is not None:
            return found[1]
        own = self.of_call(expr) if isinstance(expr, Call) else Cost()
        work = depth = parts = 0
        for part in parts_of(expr):
            cost = self.cost_of(part)
            work += cost.work
            depth = max(depth, cost.depth)
            parts += cost.parts
        times = size_of(expr.domain.sort) if isinstance(expr, Fold) else 1
        total = Cost(own.work + times * work, max(own.depth, 1 + depth), own.parts + parts)
        self._known[id(expr)] = expr, total  # held, so that no other one takes its number
        return total

    def of_call(self, call: Call) -> Cost:
        """The cost of a word besides that of its arguments."""
        return Cost(call.work)


def size_of(sort: Sort) -> int:
    """How many things a loop over something of a sort runs over at most."""
    return _SIZES.get(sort, 1)
