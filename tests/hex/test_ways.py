"""The longest way within a set, against trying all ways."""

from __future__ import annotations

from random import Random

import pytest

from kbrules.hex.sets import Point, longest_way

STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]


def near(point: Point) -> set[Point]:
    return {(point[0] + a, point[1] + b, sum(point[:2]) + a + b) for a, b in STEPS}


def cluster(random: Random, size: int) -> frozenset[Point]:
    """A connected group, thick or thin."""
    found, thickness = {(0, 0, 0)}, random.choice([-3, 0, 3])
    while len(found) < size:
        beside = sorted({each for point in found for each in near(point)} - found)
        weights = [len(near(each) & found) ** thickness for each in beside]
        found |= {*random.choices(beside, weights)}
    return frozenset(found)


def by_trying(group: frozenset[Point], way: tuple[Point, ...] = ()) -> int:
    onward = (near(way[-1]) & group) - {*way} if way else group
    return max([by_trying(group, (*way, each)) for each in onward], default=len(way))


@pytest.mark.parametrize("size", range(1, 11))
def test_it_is_what_trying_all_finds(size: int) -> None:
    random = Random(size)
    for _ in range(20):
        group = cluster(random, size)
        assert longest_way(group)[0] == by_trying(group)


def test_a_way_may_be_drawn_in_the_largest_group() -> None:
    rows = frozenset((r, c, r + c) for r in range(5) for c in range(8))
    assert longest_way(rows)[0] == 40
    comb = {(0, c, c) for c in range(20)} | {(1, c, 1 + c) for c in range(0, 20, 2)}
    assert longest_way(frozenset(comb))[0] == len(comb)
    star = {(k * a, k * b, k * a + k * b) for a, b in STEPS for k in range(1, 6)} | {(0, 0, 0)}
    assert (
        longest_way(frozenset(star))[0] == 15
    )  # two arms, the middle and the foot of each other arm
