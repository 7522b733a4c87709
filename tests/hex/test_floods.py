"""Floods that go on from the last one, against floods that begin anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.hex.floods import Floods, flooded
from kbrules.hex.grid import Grid
from tests.hex.boards import Board, boards, subsets
from tests.hex.changing import TABLES, WAYS, changing

data = st.data()


@pytest.mark.parametrize("grid", TABLES, ids=repr)
@pytest.mark.parametrize("way", WAYS)
def test_a_flood_that_goes_on_reaches_what_one_that_begins_anew_does(grid: Grid, way: str) -> None:
    for row in changing(grid, way):
        floods = Floods()
        for turn, (seeds, within) in enumerate(row):
            found = flooded(grid, floods, turn // 3 % 2, seeds, within)
            assert found == grid.group_of(within, seeds)


@given(boards(), data)
def test_what_is_watched_is_all_that_was_reached_or_could_be_next(
    its: Board, data: st.DataObject
) -> None:
    grid, floods = its.grid, Floods()
    for _ in range(3):
        seeds, within = (its.mask(data.draw(subsets(its))) for _ in range(2))
        found = flooded(grid, floods, 0, seeds, within)
        _, reached, watched = floods[0]
        assert found == reached
        assert watched & grid.full & ~(seeds | found) == grid.neighbours(found) & ~(seeds | found)
        assert watched & within == found
        assert not (found | seeds) & ~watched


@given(boards(), data)
def test_what_is_still_so_is_not_looked_for(its: Board, data: st.DataObject) -> None:
    grid, floods = its.grid, Floods()
    seeds, within = (its.mask(data.draw(subsets(its))) for _ in range(2))
    found = flooded(grid, floods, 0, seeds, within)
    kept = floods[0]
    away = grid.full & ~(seeds | grid.neighbours(found))
    assert flooded(grid, floods, 0, seeds, within | away) == found
    assert floods[0] is kept
