"""How long an expression can take at most, known before it runs: loops multiply, parts add."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.lang.core import Call, Choice, Expr, Fold
from kbrules.lang.sorts import Sort

MAX_WORK = 500_000
"""The most steps one sentence may take, in the largest loops there can be."""
MAX_DEPTH = 150
MAX_PARTS = 2_000
_SIZES = {Sort.HEXES: 400, Sort.GROUPS: 60, Sort.PLAYERS: 6}


@dataclass(frozen=True, slots=True)
class Weight:
    """What an expression costs: steps at most, levels, and parts as written out."""

    work: int = 1
    depth: int = 1
    parts: int = 1

    def is_too_much(self, times: int) -> bool:
        """Whether it is not to be run that many times, or not at all."""
        return self.work * times > MAX_WORK or self.depth > MAX_DEPTH or self.parts > MAX_PARTS


class Scales:
    """Weighs expressions; what several share is weighed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Expr, Weight]] = {}

    def weigh(self, expr: Expr) -> Weight:
        """The weight of an expression."""
        found = self._known.get(id(expr))
        if found is None:
            # The expression is kept, so that its number is not given to another one.
            found = self._known[id(expr)] = (expr, self._weigh(expr))
        return found[1]

    def _weigh(self, expr: Expr) -> Weight:
        match expr:
            case Call(arguments=arguments) if arguments:
                return self._sum(1, *arguments)
            case Choice(condition=condition, value=value, other=other):
                return self._sum(1, condition, value, other)
            case Fold(domain=domain, condition=condition, body=body):
                inner = (body,) if condition is None else (condition, body)
                return self._sum(size_of(domain.sort), domain, *inner)
            case _:
                return Weight()

    def _sum(self, times: int, *parts: Expr) -> Weight:
        weights = [self.weigh(part) for part in parts]
        return Weight(
            1 + times * sum(w.work for w in weights),
            1 + max(w.depth for w in weights),
            1 + sum(w.parts for w in weights),
        )


def size_of(sort: Sort) -> int:
    """How many things a loop over something of a sort runs over at most."""
    return _SIZES.get(sort, 1)
