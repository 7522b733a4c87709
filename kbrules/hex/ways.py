"""The longest way within a set of hexes that visits none twice, found exactly.

Steps to the hex with the fewest ways on are tried first, from each hex: they mostly lead through
all hexes that a way can visit at all. Where they do not, the hexes of the group are taken one after
the other. What matters of the ways laid so far is how they end at the frontier, the hexes with a
neighbour to come; all cases of that are kept.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from kbrules.hex.sets import Mask, bits

LARGEST = 40
"""So many hexes a group may have; there are too many cases for larger ones."""
Point = tuple[int, int, int]
"""A hex by the three lines through it: row, slant and fall."""
UNTOUCHED, PASSED, FINAL, PAIRED = 0, 1, 2, 3
"""How ways end at a slot of the frontier: in four bits of the number that stands for a case.

No way touches its hex, one goes through it, or the way that ends there has its other end behind.
Where the other end is at the frontier too, it is `PAIRED` more than the slot of that end.
"""
_CASES_PER_WORK = 4  # cases that take as long as a step of an expression


def longest_way(group: frozenset[Point]) -> tuple[int, int]:
    """How many hexes the longest way within a connected group has, and how much work it was.

    The group may have `LARGEST` hexes. The work is the same wherever the group lies, and however
    often it is asked.
    """
    row, slant, _ = min(group)
    return _longest(frozenset((r - row, s - slant, f - row - slant) for r, s, f in group))


@lru_cache(maxsize=4096)
def _longest(group: frozenset[Point]) -> tuple[int, int]:
    order = _in_lines(group)
    near = [sum(1 << i for i, other in enumerate(order) if _are_near(each, other))
            for each in order]  # fmt: skip
    size = len(order)
    ends = sum(mask.bit_count() <= 1 for mask in near)
    at_least = max(0, ends - 2)  # a hex with one neighbour is the first or last of a way
    missed, work = size, 0
    for start in range(size):
        missed = min(missed, size - _steps_from(start, near))
        work += size
        if missed <= at_least:
            break
    at_most = min(at_least, missed - 1)
    while at_least < missed:  # the fewer may be missed, the fewer cases there are
        search = WaySearch(near, at_most)
        work += search.cases_seen // _CASES_PER_WORK
        at_least = search.missed
        if at_least <= at_most:
            missed = at_least
        at_most = min(2 * at_most + 1, missed - 1)
    return size - missed, work


def _in_lines(group: frozenset[Point]) -> list[Point]:
    """The hexes line by line, along the axis on which the lines are shortest."""

    def longest_line(axis: int) -> int:
        return max(Counter(point[axis] for point in group).values())

    axis = min(range(3), key=longest_line)
    return sorted(group, key=lambda point: (point[axis], point))


def _are_near(one: Point, other: Point) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


def _steps_from(at: int, near: list[Mask]) -> int:
    """How many hexes are visited by always going to the one with the fewest ways on."""
    left = (1 << len(near)) - 1 & ~(1 << at)
    while onward := near[at] & left:
        at = min(bits(onward), key=lambda hex: (near[hex] & left).bit_count())
        left &= ~(1 << at)
    return len(near) - left.bit_count()


class WaySearch:
    """The ways that miss at most so many hexes of a group.

    near: the neighbours of each hex. missed: by the best way; one more than may be missed if there
    is none. cases_seen: how many cases were looked at for it.
    """

    def __init__(self, near: list[Mask], at_most: int) -> None:
        self.missed, self.cases_seen = at_most + 1, 0
        self._slots: list[int] = []
        self._cases = {0: 0}
        for hex, neighbours in enumerate(near):
            self._to_come = len(near) - 1 - hex
            slot = self._slot_for(hex)
            for other, there in enumerate(self._slots):
                if there >= 0 and neighbours >> there & 1:
                    self._join(other, slot)
            for other, there in enumerate(self._slots):
                if there >= 0 and not near[there] >> hex + 1:
                    self._leave(other)

    def _slot_for(self, hex: int) -> int:
        if -1 not in self._slots:
            self._slots.append(-1)
        slot = self._slots.index(-1)
        self._slots[slot] = hex
        return slot

    def _join(self, one: int, other: int) -> None:
        """Add the cases in which a way goes from the hex of one slot to that of the other."""
        cases, at, beside = self._cases, 4 * one, 4 * other
        self.cases_seen += len(cases)
        for case, missed in [*cases.items()]:
            a, b = case >> at & 15, case >> beside & 15
            if PASSED in (a, b) or a == PAIRED + other:
                continue
            after = case & ~(15 << at | 15 << beside)
            after |= (PASSED << at if a else 0) | (PASSED << beside if b else 0)
            tail, head = a or PAIRED + one, b or PAIRED + other
            for end, far in ((tail, head), (head, tail)):
                if end >= PAIRED:
                    after = _with_end(after, end - PAIRED, far)
            if tail == head == FINAL:
                self._end(after, missed)
            elif cases.get(after, LARGEST) > missed:
                cases[after] = missed

    def _leave(self, slot: int) -> None:
        """Free the slot of a hex with no neighbour to come."""
        self._slots[slot] = -1
        self.cases_seen += len(self._cases)
        cases, self._cases = self._cases, {}
        for case, missed in cases.items():
            last = case >> 4 * slot & 15
            after = _with_end(case, slot, UNTOUCHED)
            if last == FINAL:
                self._end(after, missed)
                continue
            if last >= PAIRED:
                after = _with_end(after, last - PAIRED, FINAL)
            missed += last == UNTOUCHED
            if missed < self.missed and self._number_of(FINAL, after) <= 2:
                self._cases[after] = min(missed, self._cases.get(after, missed))

    def _number_of(self, end: int, case: int) -> int:
        """How many slots in use have such an end."""
        return sum(
            there >= 0 and case >> 4 * slot & 15 == end for slot, there in enumerate(self._slots)
        )

    def _end(self, case: int, missed: int) -> None:
        """A way is at its end: it counts if there is no other."""
        untouched = self._number_of(UNTOUCHED, case)
        if untouched + self._number_of(PASSED, case) == self._number_of(0, 0):
            self.missed = min(self.missed, missed + untouched + self._to_come)


def _with_end(case: int, slot: int, end: int) -> int:
    """The case with another end in a slot."""
    return case & ~(15 << 4 * slot) | end << 4 * slot
