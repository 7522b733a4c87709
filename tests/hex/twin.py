"""The slow twin of a grid: hexes are tuples, sets are sets, steps are taken one at a time.

Written from the description of the board alone: rows, odd ones half a hex to the right. A hex is
(part, row, column). Directions go clockwise from the right, as cube coordinates say; that these
agree with the plain list of neighbours is itself a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

Hex = tuple[str, int, int]
Cube = tuple[int, int, int]

DIRECTIONS: list[Cube] = [(1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0), (0, 1, -1), (1, 0, -1)]


def neighbours_in_words(place: Hex) -> set[Hex]:
    part, r, c = place
    beside = {(r, c - 1), (r, c + 1)}
    if r % 2:
        beside |= {(r - 1, c), (r - 1, c + 1), (r + 1, c), (r + 1, c + 1)}
    else:
        beside |= {(r - 1, c - 1), (r - 1, c), (r + 1, c - 1), (r + 1, c)}
    return {(part, row, column) for row, column in beside}


def cube(place: Hex) -> Cube:
    _, r, c = place
    x = c - (r - r % 2) // 2
    return x, -x - r, r


def step(place: Hex, direction: int, steps: int = 1) -> Hex:
    x, _, z = cube(place)
    dx, _, dz = DIRECTIONS[direction]
    x, r = x + dx * steps, z + dz * steps
    return place[0], r, x + (r - r % 2) // 2


def distance(one: Hex, other: Hex) -> int | None:
    if one[0] != other[0]:
        return None
    return sum(abs(a - b) for a, b in zip(cube(one), cube(other), strict=True)) // 2


@dataclass(frozen=True)
class Twin:
    hexes: frozenset[Hex]

    def neighbours(self, m: set[Hex]) -> set[Hex]:
        return {near for place in m for near in neighbours_in_words(place)} & self.hexes

    def shift(self, m: set[Hex], direction: int) -> set[Hex]:
        return {step(place, direction) for place in m} & self.hexes

    def within(self, m: set[Hex], n: int) -> set[Hex]:
        return {
            place
            for place in self.hexes
            if any((d := distance(place, other)) is not None and d <= n for other in m)
        }

    def counts(self, m: set[Hex]) -> dict[Hex, int]:
        return {place: len(neighbours_in_words(place) & m) for place in self.hexes}

    def ray(self, place: Hex, direction: int) -> Iterator[Hex]:
        while (place := step(place, direction)) in self.hexes:
            yield place

    def rays(self, m: set[Hex]) -> Iterator[list[Hex]]:
        return (list(self.ray(place, d)) for place in m for d in range(6))

    def straight(self, m: set[Hex], n: int) -> set[Hex]:
        if n < 1:
            return set()
        return {ray[n - 1] for ray in self.rays(m) if len(ray) >= n}

    def straight_over(self, m: set[Hex], n: int, over: set[Hex]) -> set[Hex]:
        if n < 1:
            return set()
        long = (ray[:n] for ray in self.rays(m) if len(ray) >= n)
        return {ray[-1] for ray in long if over.issuperset(ray[:-1])}

    def slide(self, m: set[Hex], through: set[Hex], over: set[Hex] | None = None) -> set[Hex]:
        found = set()
        for ray in self.rays(m):
            last = None
            for place in ray:
                if place not in through:
                    break
                last = place
                if over is not None and place not in over:
                    break
            if last:
                found.add(last)
        return found

    def next_free(self, m: set[Hex], through: set[Hex], over: set[Hex] | None = None) -> set[Hex]:
        found = set()
        for ray in self.rays(m):
            before = list(takewhile(lambda place: place not in through, ray))
            if len(before) < len(ray) and (over is None or over.issuperset(before)):
                found.add(ray[len(before)])
        return found

    def reach(
        self, m: set[Hex], n: int, through: set[Hex], over: set[Hex] | None = None
    ) -> set[Hex]:
        reached: set[Hex] = set()
        standing = m
        for _ in range(n):
            stepped_on = self.neighbours(standing) & through
            reached |= stepped_on
            standing = stepped_on if over is None else stepped_on & over
        return reached

    def group_of(self, m: set[Hex], seed: set[Hex]) -> set[Hex]:
        waiting, seen = list(m & seed), m & seed
        while waiting:
            new = (neighbours_in_words(waiting.pop()) & m) - seen
            seen = seen | new
            waiting += new
        return seen

    def runs_along(self, m: set[Hex], axis: int) -> set[frozenset[Hex]]:
        runs = set()
        for place in m:
            run = [place]
            for direction in (axis, axis + 3):
                here = place
                while (here := step(here, direction)) in m:
                    run.append(here)
            runs.add(frozenset(run))
        return runs

    def runs_of(self, m: set[Hex], at_least: int) -> set[frozenset[Hex]]:
        runs = set().union(*(self.runs_along(m, axis) for axis in range(3)))
        return {run for run in runs if len(run) >= at_least}

    def lines(self, axis: int) -> set[frozenset[Hex]]:
        """Hexes are on one line if whole steps along the axis, over holes too, join them."""
        lines: dict[tuple[str, int], set[Hex]] = {}
        for place in self.hexes:
            constant = next(i for i in range(3) if DIRECTIONS[axis][i] == 0)
            lines.setdefault((place[0], cube(place)[constant]), set()).add(place)
        return set(map(frozenset, lines.values()))

    def diameter(self, m: set[Hex]) -> int:
        return max((distance(a, b) or 0 for a in m for b in m), default=0)

    def edges(self, part: str) -> tuple[set[Hex], set[Hex], set[Hex], set[Hex]]:
        rows: dict[int, list[Hex]] = {}
        for place in sorted(self.hexes):
            if place[0] == part:
                rows.setdefault(place[1], []).append(place)
        top, bottom = rows[min(rows)], rows[max(rows)]
        return set(top), set(bottom), {r[0] for r in rows.values()}, {r[-1] for r in rows.values()}


def union(sets: Iterable[frozenset[Hex]]) -> set[Hex]:
    return set().union(*sets)
