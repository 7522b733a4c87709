"""What `int` cannot say: the members of a set, one by one or by number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.hex.sets import bits, lowest, mask_of, nth

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
