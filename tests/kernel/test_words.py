"""The words of kernels, natively and in plain Python, against the words of the engine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.diagnostics import RulesError
from kbrules.game.board import Board, Catalog
from kbrules.game.random import Random
from kbrules.hex.grid import Grid, disks
from kbrules.hex.sets import Part, bits, nth
from kbrules.kernel.runtime.names import GROUP_TOO_LARGE
from kbrules.primitives import (
    numbers as number_words,
    sets as hex_words,
)
from tests.kernel.asked import Asked, asked

pytest.importorskip("numba")


def _rhombus(side: int) -> Grid:
    cells = ((r, c + (r + 1) // 2) for r in range(side) for c in range(side))
    return Grid((Part("", frozenset(cells)),))


GRIDS = {
    "table": Grid((Part.rectangle(20, 20),)),
    "table and island": Grid((Part.rectangle(20, 20), Part.rectangle(10, 10, "island"))),
    "rhombus": _rhombus(11),
    "small rhombus": _rhombus(5),
}
WAYS = [*((name, True) for name in list(GRIDS)[:3]), ("small rhombus", False)]


def _set(grid: Grid, data: st.DataObject) -> int:
    """A set of hexes: thin, thick, or lumps."""
    random = Random(data.draw(st.integers(0, 2**32)), "set")
    shares = data.draw(st.sampled_from([1, 8, 40, 70]))
    found = 0
    for hex in bits(grid.full):
        if random.below(100) < shares:
            found |= 1 << hex
    lump = grid.within(found, 1) & ~grid.neighbours(grid.full & ~found)
    return data.draw(st.sampled_from([found, lump, found & -found]))


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: f"{way[0]} {way[1]}")
def kernel(request: pytest.FixtureRequest) -> Asked:
    name, is_native = request.param
    return asked(GRIDS[name], is_native)


def _board(grid: Grid) -> Board:
    return Board(Catalog(), grid, (), ())


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_words_of_hexes_answer_as_those_of_the_engine(kernel: Asked, data: st.DataObject) -> None:
    grid = kernel.grid
    a, b, k = _set(grid, data), _set(grid, data), data.draw(st.integers(0, 7))
    board, high = _board(grid), data.draw(st.integers(k, 8))
    assert kernel.hexes("neighbours", a) == grid.neighbours(a)
    assert kernel.hexes("within", a, 0, k) == grid.within(a, k)
    assert kernel.hexes("at_least", a, 0, k) == grid.at_least(a, k)
    assert kernel.hexes("touching", a, 0, k, high) == hex_words.touching(board, a, (k, high))
    assert kernel.hexes("inside", a) == hex_words.inside(board, a)
    assert kernel.hexes("narrowed", a, b) == (a & b or a)
    assert kernel.hexes("foremost", a) == a & -a
    assert kernel.hexes("straight", a, b, k) == hex_words.straight_over(board, a, k, b)
    assert kernel.hexes("slide", a, b) == hex_words.slide_over(board, a, b, ~a)
    assert kernel.hexes("next_in", a, b) == hex_words.next_in_over(board, a, b, ~a)
    assert kernel.hexes("reach", a, b, k) == hex_words.reach_over(board, a, k, b, ~a)
    assert kernel.hexes("connected", a, b) == hex_words.connected(board, a, b)
    assert kernel.hexes("invert", a) == grid.full & ~a
    for name, word in (("mirrored", hex_words.mirrored), ("flipped", hex_words.flipped)):
        assert kernel.hexes(name, a) == word(board, a)
    assert kernel.hexes("turned", a) == hex_words.turned(board, a)
    assert kernel.number("distance", a, b) == number_words.distance(board, a, b)
    assert kernel.number("span", a) == number_words.span(board, a)
    if all(group.bit_count() <= 40 for group in grid.groups(a)):
        assert kernel.number("longest_way", a) == number_words.longest_way(board, a)
    assert kernel.hexes("linked_hexes", a, b) == hex_words.linked(board, a, b)


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_words_of_bits(kernel: Asked, data: st.DataObject) -> None:
    a = _set(kernel.grid, data)
    last = kernel.bits - 1
    hex = data.draw(st.integers(0, last))
    assert kernel.number("count", a) == a.bit_count()
    assert kernel.number("lowest", a) == (a & -a).bit_length() - 1
    assert kernel.number("top", a) == a.bit_length() - 1
    assert kernel.number("has", a, 0, hex) == kernel.number("bit_at", a, 0, hex) == a >> hex & 1
    assert kernel.hexes("single", 0, 0, hex) == 1 << hex
    assert kernel.hexes("single", 0, 0, -1) == 0
    for k in range(0, a.bit_count(), 1 + a.bit_count() // 8):
        assert kernel.number("nth", a, 0, k) == nth(a, k)


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_words_of_groups(kernel: Asked, data: st.DataObject) -> None:
    grid = kernel.grid
    a, b, low = _set(grid, data), _set(grid, data), data.draw(st.integers(0, 5))
    board, high = _board(grid), data.draw(st.sampled_from([low, 5, 1_000_000]))
    lines = hex_words.lines(board, a, (low, high))
    assert kernel.groups("groups", a) == grid.groups(a)
    assert set(kernel.groups("lines", a, 0, low, high)) == set(lines)
    assert len(kernel.groups("lines", a, 0, low, high)) == len(lines)
    assert kernel.hexes("ends", a, 0, low, high) == hex_words.ends(board, lines)
    assert kernel.groups("triangles", a) == hex_words.triangles(board, a)
    assert kernel.groups("rings", a) == hex_words.rings(board, a)
    assert kernel.hexes("largest", a) == hex_words.largest(board, grid.groups(a))
    assert kernel.hexes("smallest", a) == hex_words.smallest(board, grid.groups(a))
    joined = hex_words.linked_(board, grid.groups(a), b)
    assert kernel.groups("linked_groups", a, b) == joined


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_the_star_that_covers_a_hex(kernel: Asked, data: st.DataObject) -> None:
    grid, a = kernel.grid, 0
    for hex in data.draw(st.lists(st.sampled_from(bits(grid.full)), max_size=6)):
        star = 1 << hex | grid.neighbours(1 << hex)
        if star.bit_count() == 7 and not star & a:
            a |= star
    centres, _ = disks(grid, a)
    for centre in centres:
        star = 1 << centre | grid.neighbours(1 << centre)
        assert kernel.hexes("star_of", a, 0, bits(star)[3]) == star


SEEDS = st.one_of(st.integers(-200, 200), st.integers(-(2**63) + 1, 2**63 - 1))


@settings(deadline=None, max_examples=25)
@given(seed=SEEDS, n=st.one_of(st.integers(1, 500), st.integers(1, 2**63 - 1)))
def test_chance_is_the_generator_of_the_engine(kernel: Asked, seed: int, n: int) -> None:
    kernel.put("PLAYERS", 3)
    for stream, name in enumerate(("deck", "bot 0", "bot 1", "bot 2")):
        kernel.do("streams", 0, 0, seed)
        state = kernel.get("STREAMS", stream)
        kernel.put("STREAMS", state)
        kernel.do("below", 0, 0, n)
        random = Random(seed, name)
        assert [kernel.get("R", i) for i in range(16)] == [random.below(n) for _ in range(16)]


@settings(deadline=None, max_examples=15)
@given(weights=st.lists(st.integers(0, 9), min_size=5, max_size=5).filter(any))
def test_weights_are_drawn_alike(kernel: Asked, weights: list[int]) -> None:
    kernel.put("PLAYERS", 1)
    kernel.do("streams", 0, 0, 7)
    random = Random(7, "deck")
    for _ in range(10):
        assert kernel.number("weighted", 0, 0, *weights) == random.weighted(weights)


@settings(deadline=None, max_examples=25)
@given(one=st.integers(-(10**9), 10**9), other=st.integers(-50, 50).filter(bool))
def test_division_rounds_down(kernel: Asked, one: int, other: int) -> None:
    kernel.do("divided", 0, 0, one, other)
    assert (kernel.get("R"), kernel.get("R", 1)) == divmod(one, other)


def _cluster(grid: Grid, size: int, random: Random) -> int:
    """A connected group, grown hex by hex; every other is sparse."""
    group, is_sparse = 1 << 5 * grid.stride + 5, random.below(2)
    for _ in range(size - 1):
        near = grid.neighbours(group) & ~group
        near = (near & grid.at_most(group, 1) or near) if is_sparse else near
        group |= 1 << nth(near, random.below(near.bit_count()))
    return group


@settings(deadline=None, max_examples=20)
@given(size=st.integers(1, 40), seed=st.integers(0, 2**32))
def test_the_longest_way_is_found_in_groups_of_all_sizes(size: int, seed: int) -> None:
    grid = GRIDS["table"]
    group = _cluster(grid, size, Random(seed, "cluster"))
    kernel = asked(grid, True)
    assert kernel.number("longest_way", group) == number_words.longest_way(_board(grid), group)
    assert kernel.get("FAULT") == 0


@pytest.mark.parametrize(
    ("size", "seed"),
    [
        (39, 3446551953), (40, 2923902751), (36, 4198383265), (31, 4102974941), (24, 1469913166),
        (16, 407474441),
    ],
)  # fmt: skip
def test_groups_with_very_many_cases_have_room(size: int, seed: int) -> None:
    grid = GRIDS["table"]
    group = _cluster(grid, size, Random(seed, "cluster"))
    found = asked(grid, True).number("longest_way", group)
    assert found == number_words.longest_way(_board(grid), group)


def test_larger_groups_are_a_fault_and_an_error() -> None:
    grid = GRIDS["table"]
    group = _cluster(grid, 41, Random(1, "cluster"))
    kernel = asked(grid, True)
    with pytest.raises(AssertionError):
        kernel.number("longest_way", group)
    assert kernel.get("FAULT") == GROUP_TOO_LARGE
    kernel.put("FAULT", 0)
    with pytest.raises(RulesError, match=r"KB513.*more than 40 hexes"):
        number_words.longest_way(_board(grid), group)
