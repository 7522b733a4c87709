"""The longest way within a set of hexes that visits none twice, found exactly.

The hexes of a group are taken one after the other. What matters of the ways laid so far is how they
end at the frontier, the hexes with a neighbour to come; all cases of that are kept.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

__all__ = ["LARGEST", "Point", "longest_way"]

LARGEST = 40
"""So many hexes a group may have; there are too many cases for larger ones."""
Point = tuple[int, int, int]
"""A hex by the three lines through it: row, slant and fall."""
End = Point | int
UNTOUCHED, PASSED, FINAL = -1, -2, -3
"""No way touches a hex, one goes through it, or the way that ends there has its other end behind.

Where one ends whose other end is at the frontier too, its point stands instead.
"""


@lru_cache(maxsize=1024)
def longest_way(group: frozenset[Point]) -> int:
    """How many hexes the longest way within a connected group has; it may have `LARGEST`."""
    order, at_most = _in_lines(group), 0
    missed = _missed(order, at_most)
    while missed > at_most:  # the fewer may be missed, the fewer cases there are
        at_most = 2 * at_most + 1
        missed = _missed(order, at_most)
    return len(group) - missed


def _missed(order: list[Point], at_most: int) -> int:
    return 0 if len(order) == 1 else _WaySearch(order, at_most).missed


def _in_lines(group: frozenset[Point]) -> list[Point]:
    """The hexes line by line, along the axis on which the lines are shortest."""

    def longest_line(axis: int) -> int:
        return max(Counter(point[axis] for point in group).values())

    axis = min(range(3), key=longest_line)
    return sorted(group, key=lambda point: (point[axis], point))


def _are_near(one: Point, other: Point) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


class _WaySearch:
    """The ways that miss at most so many hexes. missed: by the best; one more if there is none."""

    def __init__(self, order: list[Point], at_most: int) -> None:
        self.missed = at_most + 1
        self._frontier: list[Point] = []
        self._cases: dict[tuple[End, ...], int] = {(): 0}
        for number, point in enumerate(order, 1):
            self._to_come = order[number:]
            self._take(point)
            for near in [each for each in self._frontier if _are_near(each, point)]:
                self._join(near, point)
            for each in [*self._frontier]:
                if not any(_are_near(each, other) for other in self._to_come):
                    self._leave(each)

    def _take(self, point: Point) -> None:
        self._frontier.append(point)
        self._cases = {(*ends, UNTOUCHED): missed for ends, missed in self._cases.items()}

    def _join(self, one: Point, other: Point) -> None:
        """Add the cases in which a way goes from one hex to the other."""
        at, beside = self._frontier.index(one), self._frontier.index(other)
        for ends, missed in [*self._cases.items()]:
            if PASSED in (ends[at], ends[beside]) or ends[at] == other:
                continue
            tail = one if ends[at] == UNTOUCHED else ends[at]
            head = other if ends[beside] == UNTOUCHED else ends[beside]
            after = [*ends]
            for spot in (at, beside):
                after[spot] = UNTOUCHED if ends[spot] == UNTOUCHED else PASSED
            for end, far in ((tail, head), (head, tail)):
                if isinstance(end, tuple):
                    after[self._frontier.index(end)] = far
            if tail == head == FINAL:
                self._end(after, missed)
            else:
                _keep(self._cases, after, missed)

    def _leave(self, point: Point) -> None:
        """Forget a hex with no neighbour to come."""
        at = self._frontier.index(point)
        del self._frontier[at]
        cases, self._cases = self._cases, {}
        for (*ends, last), missed in (
            ((*k[:at], *k[at + 1 :], k[at]), m) for k, m in cases.items()
        ):
            if last == FINAL:
                self._end(ends, missed)
                continue
            if isinstance(last, tuple):
                ends[self._frontier.index(last)] = FINAL
            missed += last == UNTOUCHED
            if missed < self.missed and ends.count(FINAL) <= 2:
                _keep(self._cases, ends, missed)

    def _end(self, ends: list[End], missed: int) -> None:
        """A way is at its end: it counts if there is no other."""
        if all(end in (UNTOUCHED, PASSED) for end in ends):
            missed += ends.count(UNTOUCHED) + len(self._to_come)
            self.missed = min(self.missed, missed)


def _keep(cases: dict[tuple[End, ...], int], ends: list[End], missed: int) -> None:
    key = tuple(ends)
    cases[key] = min(missed, cases.get(key, missed))
