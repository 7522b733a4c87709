"""Streams side by side draw, each of them, what `Random` draws of the same seed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kbrules.game.random import Random

pytest.importorskip("numpy")

from kbrules.game.streams import Streams

SEEDS = st.lists(st.integers(-(2**70), 2**70), min_size=1, max_size=8)
GAMMA = 0x9E3779B97F4A7C15


@given(SEEDS, st.text("abc 1", max_size=8), st.lists(st.integers(1, 2**32), max_size=6))
def test_numbers_are_those_of_each_seed(seeds: list[int], name: str, sizes: list[int]) -> None:
    streams, alone = Streams(seeds, name), [Random(seed, name) for seed in seeds]
    for n in sizes:
        assert streams.below(n).tolist() == [random.below(n) for random in alone]


@given(SEEDS, st.integers(1, 40), st.integers(0, 40))
def test_samples_are_those_of_each_seed(seeds: list[int], size: int, wanted: int) -> None:
    k, items = min(size, wanted), range(size)
    drawn = Streams(seeds, "cards").sample(items, k)
    alone = [Random(seed, "cards").sample(items, k) for seed in seeds]
    assert [each.tolist() for each in drawn] == [list(each) for each in zip(*alone, strict=True)]


@pytest.mark.parametrize("n", [3, 7, 10**9, 2**32 - 1])
def test_a_number_that_would_not_be_fair_is_drawn_again(n: int) -> None:
    streams, alone = Streams([1, 2], "board"), [Random(seed, "board") for seed in (1, 2)]
    streams._states[1] = -GAMMA % 2**64  # the next raw number is 0, too small for any such n
    alone[1].go_to(-GAMMA % 2**64)
    assert streams.below(n).tolist() == [random.below(n) for random in alone]
    assert streams.below(n).tolist() == [random.below(n) for random in alone]


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_numbers_that_are_too_large_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Streams([1], "board").below(n)
