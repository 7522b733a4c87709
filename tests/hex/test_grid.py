"""Nearness, movement, groups, runs, stars and longest paths, each compared with a twin."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.hex.grid import SIZE, Grid, disks
from kbrules.hex.sets import Part, Point, bits, longest_way, lowest, mask_of, nth
from tests.hex import twin
from tests.hex.boards import LARGEST, Board, board, boards, place_of, rhombus, subsets
from tests.hex.twin import Hex, neighbours_in_words

data = st.data()


def test_the_twin_agrees_with_itself() -> None:
    for r, c in product(range(5), repeat=2):
        place = ("", r, c)
        assert {twin.step(place, d) for d in range(6)} == twin.neighbours_in_words(place)


@pytest.mark.parametrize("height", range(1, LARGEST + 1))
def test_every_hex_of_every_size_has_its_neighbours_and_jumps(height: int) -> None:
    for width in range(1, LARGEST + 1):
        grid = Grid((Part.rectangle(height, width), Part.rectangle(2, 2, "island")))
        at = {place_of(grid, index): 1 << index for index in bits(grid.full)}
        assert len(at) == grid.size == height * width + 4
        for place, hex_ in at.items():
            near = sum(at.get(other, 0) for other in twin.neighbours_in_words(place))
            assert grid.neighbours(hex_) == near
            jumps = [twin.step(place, d, 2) for d in range(6)]
            assert grid.straight(hex_, 2) == sum(at.get(other, 0) for other in jumps)


@given(boards())
def test_no_step_of_one_or_two_leads_from_part_to_part_unmasked(its: Board) -> None:
    grid = its.grid
    for part in grid.parts:
        here = grid.part(part.name)
        once = mask_of({i + s for i in bits(here) for s in _steps(grid) if i + s >= 0})
        twice = mask_of({i + s for i in bits(once) for s in _steps(grid) if i + s >= 0})
        assert once & grid.full & ~here == 0
        assert twice & grid.full & ~here == 0


def _steps(grid: Grid) -> list[int]:
    stride = grid.stride
    return [1, -1, stride, -stride, stride - 1, 1 - stride]


@given(boards(), data)
def test_nearness(its: Board, data: st.DataObject) -> None:
    m, n, d = data.draw(subsets(its)), data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
    mask = its.mask(m)
    assert its.places(mask) == m
    assert its.places(its.grid.neighbours(mask)) == its.twin.neighbours(m)
    assert its.places(its.grid.shift(mask, d)) == its.twin.shift(m, d)
    few = set(sorted(m)[:6])
    assert its.places(its.grid.within(its.mask(few), n)) == its.twin.within(few, n)


@given(boards(), data)
def test_neighbour_counts(its: Board, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    grid, mask, counts = its.grid, its.mask(m), its.twin.counts(m)
    for k in range(-1, 9):
        assert its.places(grid.at_least(mask, k)) == {p for p, n in counts.items() if n >= k}
        assert its.places(grid.at_most(mask, k)) == {p for p, n in counts.items() if n <= k}
        assert its.places(grid.exactly(mask, k)) == {p for p, n in counts.items() if n == k}


@given(boards(), data)
def test_movement(its: Board, data: st.DataObject) -> None:
    m, through = data.draw(subsets(its)), data.draw(subsets(its))
    n = data.draw(st.integers(-1, 6))
    grid, mask, way = its.grid, its.mask(m), its.mask(through)
    assert its.places(grid.straight(mask, n)) == its.twin.straight(m, n)
    assert its.places(grid.slide(mask, way)) == its.twin.slide(m, through)
    assert its.places(grid.next_free(mask, way)) == its.twin.next_free(m, through)
    assert its.places(grid.reach(mask, n, way)) == its.twin.reach(m, n, through)


@given(boards(), data)
def test_movement_over_hexes_of_a_set_only(its: Board, data: st.DataObject) -> None:
    m, through, over = (data.draw(subsets(its)) for _ in range(3))
    n = data.draw(st.integers(-1, 6))
    grid, mask, way, on = its.grid, its.mask(m), its.mask(through), its.mask(over)
    assert its.places(grid.straight_over(mask, n, on)) == its.twin.straight_over(m, n, over)
    assert its.places(grid.slide(mask, way, on)) == its.twin.slide(m, through, over)
    assert its.places(grid.next_free(mask, way, on)) == its.twin.next_free(m, through, over)
    assert its.places(grid.reach(mask, n, way, on)) == its.twin.reach(m, n, through, over)


@given(boards(), data)
def test_bits_that_are_no_hexes_are_no_way_through(its: Board, data: st.DataObject) -> None:
    m, taken = data.draw(subsets(its)), its.mask(data.draw(subsets(its)))
    grid, mask, free = its.grid, its.mask(m), its.grid.full & ~taken
    assert grid.slide(mask, ~taken) == grid.slide(mask, free)
    assert grid.next_free(mask, ~taken) == grid.next_free(mask, free)
    assert grid.reach(mask, 3, ~taken) == grid.reach(mask, 3, free)


def test_the_longest_jump_and_the_one_after() -> None:
    its = board(Part.rectangle(4, 9))
    a1, i1 = 1 << its.grid.index("a1"), 1 << its.grid.index("i1")
    assert its.grid.straight(a1, 8) == i1
    assert its.grid.straight(a1, 9) == its.grid.straight(a1, -1) == 0


@given(boards(), data)
def test_groups_partition(its: Board, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    mask = its.mask(m)
    groups = its.grid.groups(mask)
    assert sum(groups) == mask
    assert sum(group.bit_count() for group in groups) == len(m)
    assert [group & -group for group in groups] == sorted(group & -group for group in groups)
    for group in its.groups(groups):
        assert group == its.twin.group_of(m, {min(group)})


@given(boards(), data, st.booleans())
def test_what_groups_link(its: Board, data: st.DataObject, apart: bool) -> None:
    by, ends = data.draw(subsets(its)), data.draw(subsets(its))
    if apart:  # no two of them touch, and nothing of the second set lies on one
        kept: set[Hex] = set()
        for place in sorted(ends - by):
            kept |= set() if its.twin.neighbours({place}) & kept else {place}
        ends = kept
    groups = its.groups(its.grid.groups(its.mask(by)))
    touched = [its.twin.neighbours(group) & ends for group in groups]
    found = its.places(its.grid.linked(its.mask(ends), its.mask(by)))
    assert found == set().union(*(some for some in touched if len(some) > 1))


@given(boards(), data)
def test_the_group_of_a_seed(its: Board, data: st.DataObject) -> None:
    m, seed = data.draw(subsets(its)), data.draw(subsets(its))
    grown = its.grid.group_of(its.mask(m), its.mask(seed))
    assert its.places(grown) == its.twin.group_of(m, seed)


@given(boards(), data)
def test_distances(its: Board, data: st.DataObject) -> None:
    places = sorted(its.twin.hexes)
    one, other = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
    i, j = (its.grid.index_at(r, c, part) for part, r, c in (one, other))
    assert its.grid.distance(i, j) == its.grid.distance(j, i) == twin.distance(one, other)


@given(boards(12), data)
def test_diameter(its: Board, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    assert its.grid.diameter(its.mask(m)) == its.twin.diameter(m)


@given(boards(12), data)
def test_separation(its: Board, data: st.DataObject) -> None:
    m, other = data.draw(subsets(its)), data.draw(subsets(its))
    ways = [n for p in m for q in other if (n := twin.distance(p, q)) is not None]
    assert its.grid.separation(its.mask(m), its.mask(other)) == min(ways, default=0)


def test_a_hole_counts_for_distance_but_is_no_way() -> None:
    its = board(Part("", frozenset((0, c) for c in range(5) if c != 2)))
    a1, e1 = its.grid.index("a1"), its.grid.index("e1")
    assert its.grid.separation(1 << a1, 1 << e1) == 4
    assert its.grid.distance(a1, e1) == its.grid.diameter(its.grid.full) == 4
    assert its.grid.within(1 << a1, 4) == its.grid.full
    assert its.grid.within(1 << a1, 3) == its.grid.full & ~(1 << e1)
    assert its.grid.straight(1 << a1, 4) == its.grid.next_free(1 << a1, 1 << e1) == 0


@given(boards(6), data)
def test_a_distance_is_the_length_of_a_walk_where_there_are_no_holes(
    its: Board, data: st.DataObject
) -> None:
    grid = Grid(tuple(Part.rectangle(p.height, p.width, p.name) for p in its.grid.parts))
    i, j = (data.draw(st.sampled_from(bits(grid.full))) for _ in "ij")
    steps = grid.distance(i, j)
    walks = [n for n in range(20) if grid.within(1 << i, n) >> j & 1]
    assert steps == (walks[0] if walks else None)
    if steps:
        assert grid.reach(1 << i, steps, ~0) >> j & 1
        assert not grid.reach(1 << i, steps - 1, ~0) >> j & 1


@pytest.mark.parametrize(("row", "column"), [(0, 0), (10, 0), (0, 10), (10, 10)])
def test_a_block_turned_round_keeps_its_neighbours(row: int, column: int) -> None:
    grid = board(Part.rectangle(20, 20)).grid
    rows, columns = range(row, row + 10), range(column, column + 10)
    block = mask_of(grid.index_at(r, c) for r, c in product(rows, columns))
    for r, c in product(range(10), repeat=2):
        here = 1 << grid.index_at(row + r, column + c)
        turned = 1 << grid.index_at(row + 9 - r, column + 9 - c)
        around = bits(grid.neighbours(here) & block)
        places = [grid.address(index) for index in around]
        opposite = mask_of(
            grid.index_at(2 * row + 9 - p.row, 2 * column + 9 - p.column) for p in places
        )
        assert grid.neighbours(turned) & block == opposite


def test_a_rhombus_is_the_board_of_a_connection_game() -> None:
    its = board(rhombus(11))
    top, bottom, left, right = its.grid.edges()
    assert [side.bit_count() for side in (top, bottom, left, right)] == [11] * 4
    assert its.grid.edge().bit_count() == 40
    rims = [bits(its.grid.neighbours(1 << i)) for i in bits(its.grid.full & ~its.grid.edge())]
    assert {len(near) for near in rims} == {6}


def test_grids_are_values() -> None:
    one, other = Grid((Part.rectangle(3, 4),)), Grid([Part.rectangle(3, 4)])  # type: ignore[arg-type]
    assert one == other and hash(one) == hash(other) and one != Grid((Part.rectangle(4, 3),))
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)).neighbours(1) == one.neighbours(1)
    assert repr(Grid((Part.rectangle(3, 4), Part.rectangle(1, 2, "b")))) == "<Grid 3 x 4, b 1 x 2>"
    with pytest.raises(FrozenInstanceError):
        one.full = 0  # type: ignore[misc]


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (Part.rectangle(2, 2, "island"),),
        (Part.rectangle(2, 2), Part.rectangle(2, 2)),
        (Part.rectangle(2, 2), Part.rectangle(2, 2, "b"), Part.rectangle(1, 1, "b")),
    ],
)
def test_parts_need_names_of_their_own(parts: tuple[Part, ...]) -> None:
    with pytest.raises(ValueError, match="name"):
        Grid(parts)


@pytest.mark.parametrize(
    ("name", "hexes", "reason"),
    [("", (), "at least one"), ("", ((0, -1),), "from 0"), ("a:b", ((0, 0),), "a:b")],
)
def test_parts_that_cannot_be(name: str, hexes: tuple[tuple[int, int], ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Part(name, frozenset(hexes))


lengths = st.integers(1, 6)


@given(boards(), lengths, data)
def test_runs(its: Board, n: int, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    mask, expected = its.mask(m), its.twin.runs_of(m, n)
    runs = its.groups(its.grid.runs_of(mask, n))
    assert len(runs) == len(expected)
    assert set(map(frozenset, runs)) == expected


@given(boards(), st.integers(-1, 40))
def test_runs_of_a_full_board(its: Board, n: int) -> None:
    grid = its.grid
    expected = its.twin.runs_of(set(its.twin.hexes), n)
    assert set(map(frozenset, its.groups(grid.runs_of(grid.full, n)))) == expected


@given(boards())
def test_lines_of_the_board(its: Board) -> None:
    grid = its.grid
    for axis, lines in enumerate((grid.rows(), *grid.diagonals())):
        assert sum(lines) == grid.full
        assert len(set(lines)) == len(lines)
        assert set(map(frozenset, its.groups(lines))) == its.twin.lines(axis)


def test_lines_come_in_order() -> None:
    grid = board(Part.rectangle(3, 2), Part.rectangle(1, 2, "b")).grid
    named = [
        [[grid.name(i) for i in bits(m)] for m in lines]
        for lines in (grid.rows(), *grid.diagonals())
    ]
    assert named[0] == [["a1", "b1"], ["a2", "b2"], ["a3", "b3"], ["b:a1", "b:b1"]]
    assert named[1] == [["a3"], ["a1", "a2", "b3"], ["b1", "b2"], ["b:a1"], ["b:b1"]]
    assert named[2] == [["a1"], ["b1", "a2", "a3"], ["b2", "b3"], ["b:a1"], ["b:b1"]]


@given(boards())
def test_edges(its: Board) -> None:
    for part in its.grid.parts:
        edges = its.twin.edges(part.name)
        assert tuple(its.groups(its.grid.edges(part.name))) == edges
        assert its.places(its.grid.edge(part.name)) == set().union(*edges)


@given(st.integers(1, 23), st.integers(1, 23))
def test_the_edge_of_a_rectangle_is_its_rim(height: int, width: int) -> None:
    its = board(Part.rectangle(height, width), Part.rectangle(2, 2, "b"))
    rim = {
        ("", r, c)
        for r in range(height)
        for c in range(width)
        if r in (0, height - 1) or c in (0, width - 1)
    }
    assert its.places(its.grid.edge()) == rim


def test_a_part_that_is_not_there_has_no_edge() -> None:
    assert board(Part.rectangle(3, 3)).grid.edges("b") == (0, 0, 0, 0)


members = st.one_of(
    st.sets(st.integers(0, 700), max_size=20),
    st.sets(st.integers(0, 700), min_size=60, max_size=200),
)


@given(members)
def test_a_set_gives_back_its_members_in_order(indexes: set[int]) -> None:
    m = mask_of(indexes)
    assert m.bit_count() == len(indexes)
    assert bits(m) == sorted(indexes)
    assert lowest(m) == min(indexes, default=-1)


@given(members)
def test_each_member_has_its_number(indexes: set[int]) -> None:
    m = mask_of(indexes)
    assert [nth(m, k) for k in range(len(indexes))] == sorted(indexes)


@given(members, st.integers(0, 2000))
def test_there_is_no_member_beyond_the_last(indexes: set[int], beyond: int) -> None:
    for k in (len(indexes) + beyond, -1 - beyond):
        with pytest.raises(IndexError):
            nth(mask_of(indexes), k)


HEIGHT, WIDTH = 9, 12
GRID = Grid((Part.rectangle(HEIGHT, WIDTH), Part.rectangle(3, 3, "isle")))
INSIDE = [("", r, c) for r in range(1, HEIGHT - 1) for c in range(1, WIDTH - 1)] + [("isle", 1, 1)]


def bit(place: Hex) -> int:
    part, row, column = place
    return GRID.index_at(row, column, part)


def put_down(wanted: list[Hex]) -> list[tuple[Hex, set[Hex]]]:
    """A star around each of these hexes, as far as no two have a hex in common."""
    laid: list[tuple[Hex, set[Hex]]] = []
    for centre in wanted:
        star = {centre} | neighbours_in_words(centre)
        if all(not star & other for _, other in laid):
            laid.append((centre, star))
    return laid


@given(st.lists(st.sampled_from(INSIDE), max_size=30))
def test_stars_are_found_again(wanted: list[Hex]) -> None:
    laid = put_down(wanted)
    everything = mask_of(bit(place) for _, star in laid for place in star)
    centres, rest = disks(GRID, everything)
    assert sorted(centres) == sorted(bit(centre) for centre, _ in laid)
    assert rest == 0


@given(st.lists(st.sampled_from(INSIDE), min_size=1, max_size=12), st.data())
@settings(max_examples=60)
def test_a_star_without_one_hex_is_none(wanted: list[Hex], data: st.DataObject) -> None:
    laid = put_down(wanted)
    everything = mask_of(bit(place) for _, star in laid for place in star)
    lost = data.draw(st.sampled_from(sorted(place for _, star in laid for place in star)))
    centres, rest = disks(GRID, everything & ~(1 << bit(lost)))
    assert len(centres) < len(laid) and rest
    assert len(centres) * SIZE + rest.bit_count() == len(laid) * SIZE - 1


def test_at_the_rim_there_is_no_star() -> None:
    corner = GRID.index("a1")
    assert disks(GRID, 1 << corner | GRID.neighbours(1 << corner))[0] == ()
    assert disks(GRID, 0) == ((), 0)


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
