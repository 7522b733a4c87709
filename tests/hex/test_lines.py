"""Runs, their ends, and the lines and rims of boards, each against the twin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kbrules.hex.sets import Part, bits
from tests.hex.boards import Board, board, boards, subsets
from tests.hex.twin import union

data = st.data()
lengths = st.integers(1, 6)


@given(boards(), lengths, data)
def test_runs(its: Board, n: int, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    mask, expected = its.mask(m), its.twin.runs_of(m, n)
    runs = its.groups(its.grid.runs_of(mask, n))
    assert len(runs) == len(expected)
    assert set(map(frozenset, runs)) == expected
    assert its.places(its.grid.runs(mask, n)) == union(expected)


@given(boards(), lengths, data)
def test_ends(its: Board, n: int, data: st.DataObject) -> None:
    m = data.draw(subsets(its))
    assert its.places(its.grid.ends(its.mask(m), n)) == its.twin.ends(m, n)


@given(boards(), st.integers(-1, 40))
def test_runs_of_a_full_board(its: Board, n: int) -> None:
    grid = its.grid
    expected = its.twin.runs_of(set(its.twin.hexes), n)
    assert its.places(grid.runs(grid.full, n)) == union(expected)
    assert grid.ends(grid.full, n) == 0


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
