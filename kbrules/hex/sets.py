"""Sets of hexes as numbers: where they lie, neighbour counts, distances, groups, longest ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count
from typing import NamedTuple

# A set of hexes as one `int`: bit `i` is set when the hex with index `i` is in the set.
#
# Union, intersection, difference and size are Python's own `|`, `&`, `& ~` and `bit_count`; here
# is only what `int` cannot say by itself. Which hex a bit stands for is the business of a grid.

Mask = int
ANYTHING: Mask = -1
"""Every bit."""

# If there is a hex in so many bits, looking at every digit is as fast as clearing the lowest bit
# again and again (measured).
DENSE = 8

_TRUTHS = bytes(byte == ord("1") for byte in range(256))


def mask_of(indexes: Iterable[int]) -> Mask:
    """The set of the hexes with these indexes."""
    mask = 0
    for index in indexes:
        mask |= 1 << index
    return mask


def lowest(m: Mask) -> int:
    """The smallest index in a set; -1 if the set is empty."""
    return (m & -m).bit_length() - 1


def bits(m: Mask) -> list[int]:
    """The indexes in a set, in ascending order."""
    if m.bit_count() * DENSE > m.bit_length():
        return [*compress(count(), bin(m)[:1:-1].encode().translate(_TRUTHS))]
    indexes = []
    while m:
        low = m & -m
        indexes.append(low.bit_length() - 1)
        m ^= low
    return indexes


def nth(m: Mask, k: int) -> int:
    """The index of the `k`-th hex of a set, counted from 0 in ascending order.

    Raises `IndexError` if the set has no more than `k` hexes, or `k` is negative.
    """
    if not 0 <= k < m.bit_count():
        raise IndexError("the set has no hex of that number")
    return nth_unchecked(m, k)


def nth_unchecked(m: Mask, k: int) -> int:
    """The same, unchecked: the set must have such a hex."""
    if k < 4:
        if k:
            m &= m - 1
            if k > 1:
                m &= m - 1
                if k > 2:
                    m &= m - 1
        return (m & -m).bit_length() - 1
    # Written out in digits, those of the hexes above it are replaced: the fastest way (measured).
    digits = bin(m)
    return len(digits) + ~digits.replace("1", "0", m.bit_count() + ~k).find("1")


# Where each hex of a grid sits in the int.
#
# Rows are staggered: odd rows (counted from 0) lie half a hex to the right. Hex (row, column) of a
# part gets bit `base + row * stride + column - row // 2`. Taking off half the row number
# straightens one diagonal into a constant step, so that the six neighbours of any hex are the same
# six shifts on every row. `stride` is the widest part's width plus 2, which leaves one free bit
# after every odd row and two after every even one.
#
# INVARIANT: a shift by one step takes a hex to its neighbour or onto a bit that is no hex. Parts
# lie more than two strides apart, so that even two steps unmasked never lead from one to another.
# Two steps along a row *can* jump the single free bit: whoever goes further than one step masks
# after each, or uses the jumps below.


class Address(NamedTuple):
    """Where a hex is for people: the part's name, row and column, both counted from 0."""

    part: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Part:
    """One connected table of a grid: its name and the (row, column) of each of its hexes.

    The first part of a grid has the name ``""``. What is missing from the rectangle is a hole.
    """

    name: str
    hexes: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        if not self.hexes:
            raise ValueError("a part needs at least one hex")
        if min(map(min, self.hexes)) < 0:
            raise ValueError("rows and columns are counted from 0")
        if any(letter == ":" or letter.isspace() for letter in self.name):
            raise ValueError(f"`{self.name}` cannot name a part: no colons, no spaces")

    @staticmethod
    def rectangle(height: int, width: int, name: str = "") -> Part:
        """The full part of that many rows and columns."""
        return Part(name, frozenset((r, c) for r in range(height) for c in range(width)))

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.hexes)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.hexes)


def lay_out(parts: Sequence[Part]) -> tuple[int, dict[int, Address]]:
    """Return the stride, and the address of each hex by its index, in ascending order.

    Raises `ValueError` if the names of the parts are not one ``""`` and then others.
    """
    names = [part.name for part in parts]
    if names[:1] != [""]:
        raise ValueError("the first part of a grid has no name")
    if len(set(names)) < len(names):
        raise ValueError("the other parts of a grid need names, each its own")
    stride = 2 + max(part.width for part in parts)
    addresses: dict[int, Address] = {}
    base = 0
    for part in parts:
        for row, column in sorted(part.hexes):
            addresses[base + row * stride + column - row // 2] = Address(part.name, row, column)
        base += (part.height + 2) * stride + 1
    return stride, addresses


# How many of its six neighbours are in a set, for all hexes of a board at once.
#
# The six shifted sets are added like numbers, bit by bit: the count of a hex is then spread over
# three masks, its ones, twos and fours.


Tally = tuple[Mask, Mask, Mask]


def tally(m: Mask, stride: int) -> Tally:
    """The neighbour counts as masks of their ones, twos and fours, off the board included."""
    a, b, c = m << 1, m >> 1, m << stride
    d, e, f = m >> stride, m << stride - 1, m >> stride - 1
    ab, de = a ^ b, d ^ e
    one, two = ab ^ c, de ^ f
    both = one & two
    first, second = a & b | ab & c, d & e | de & f
    either = first ^ second
    return one ^ two, either ^ both, first & second | either & both


def at_least(sums: Tally, k: int, full: Mask) -> Mask:
    """The hexes of the board that count `k` or more."""
    ones, twos, fours = sums
    match k:
        case 1:
            found = ones | twos | fours
        case 2:
            found = twos | fours
        case 3:
            found = fours | ones & twos
        case 4:
            found = fours
        case 5:
            found = fours & (ones | twos)
        case 6:
            found = fours & twos
        case _:
            found = full if k < 1 else 0
    return found & full


def exactly(sums: Tally, k: int, full: Mask) -> Mask:
    """The hexes of the board that count `k`."""
    found = full if 0 <= k <= 6 else 0
    for place, digit in enumerate(sums):
        found &= digit if k >> place & 1 else ~digit
    return found


# How far apart hexes are: plain steps, whatever lies between, holes included.
#
# With the slant taken out of the rows, a hex has three coordinates that each change by at most 1
# per step; the distance is the largest of their differences.

Point = tuple[int, int, int]
"""A hex by the three lines through it: row, slant and fall."""
AxialCoordinates = tuple[Mask, Mapping[int, Point]]
"""The hexes of a part, and where each of them is."""


def axial(address: Address) -> Point:
    """Return the three lines on which a hex is."""
    slant = address.column - address.row // 2
    return address.row, slant, address.row + slant


def axial_coordinates(addresses: Mapping[int, Address]) -> list[AxialCoordinates]:
    """The points of the hexes, part by part."""
    by_part: dict[str, dict[int, Point]] = {}
    for index, address in addresses.items():
        by_part.setdefault(address.part, {})[index] = axial(address)
    return [(mask_of(points), points) for points in by_part.values()]


def extent(points: Iterable[Point]) -> int:
    """Return the largest distance between two of some points."""
    # It is reached along one axis, so no pairs are needed.
    axes: Iterable[tuple[int, ...]] = zip(*points, strict=True)
    return max(max(axis) - min(axis) for axis in axes)


# Connected groups of a set, found by flooding it from one hex after another.
#
# A flood goes right, left and down until that leads no further, and only then one step up: from
# the lowest hex of a group most others lie down the board, and a step is a third shorter so.


def groups(m: Mask, stride: int) -> Iterator[Mask]:
    """Yield the connected groups of a set, in order of their lowest hex."""
    less = stride - 1
    base, later = 0, 2 | 1 << less | 1 << stride
    while m:
        # What is left is moved down to its lowest hex: short numbers are quicker.
        gap = (m & -m).bit_length() - 1
        m >>= gap
        base += gap
        grown = 1 | later & m
        while True:
            group = grown
            t = group | group << 1
            grown = (t | t << less | group >> 1) & m
            if grown == group:
                grown |= t >> stride & m
                if grown == group:
                    break
        m ^= group
        yield group << base


# The longest way within a set of hexes that visits none twice, found exactly.
#
# Steps to the hex with the fewest ways on are tried first, from each hex: they mostly lead through
# all hexes that a way can visit at all. Where they do not, the hexes of the group are taken one
# after the other. What matters of the ways laid so far is how they end at the frontier, the hexes
# with a neighbour to come; all cases of that are kept.

LARGEST = 40
"""So many hexes a group may have; there are too many cases for larger ones."""
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
    near = [sum(1 << i for i, other in enumerate(order) if extent((each, other)) == 1)
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
            if -1 not in self._slots:
                self._slots.append(-1)
            slot = self._slots.index(-1)
            self._slots[slot] = hex
            for other, there in enumerate(self._slots):
                if there >= 0 and neighbours >> there & 1:
                    self._join(other, slot)
            for other, there in enumerate(self._slots):
                if there >= 0 and not near[there] >> hex + 1:
                    self._leave(other)

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
