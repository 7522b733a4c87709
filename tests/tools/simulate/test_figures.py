"""Intervals, p-values and interim analyses: against scipy, laws, and chance itself."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kbrules.tools.simulate.figures import (
    ERROR,
    Estimate,
    Tally,
    games_needed,
    holm,
    interim_analyses,
    power,
    quantile,
    share,
    tail_probability,
)

GOLD = st.integers(-40, 60)
GAMES = st.lists(st.tuples(GOLD, st.integers(1, 5)), min_size=2, max_size=30)


def tally(games: list[tuple[int, int]]) -> Tally:
    found = Tally()
    for total, players in games:
        found.add(total, players)
    return found


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 31, 500, 99_999])
@pytest.mark.parametrize("error", [0.5, 0.05, 0.05 / 6, 1e-4, 1e-8])
def test_students_distribution_is_the_one_of_scipy(freedom: int, error: float) -> None:
    there = float(stats.t.isf(error / 2, freedom))
    assert quantile(error, freedom) == pytest.approx(there, rel=1e-8)
    assert tail_probability(there, freedom) == pytest.approx(error, rel=1e-8)


@given(st.lists(GOLD, min_size=2, max_size=30).filter(lambda gold: len(set(gold)) > 1))
def test_where_each_game_counts_once_it_is_the_usual_test(gold: list[int]) -> None:
    found, there = tally([(each, 1) for each in gold]), stats.ttest_1samp(gold, 3)
    figure, interval = found.figure(), there.confidence_interval(0.95)
    assert (figure.low, figure.high) == pytest.approx((interval.low, interval.high), abs=1e-7)
    coins = 2.0 ** (1 - len(gold))
    assert found.chance(of=3) == pytest.approx(max(coins, float(there.pvalue)), rel=1e-7)


@given(GAMES)
def test_the_spread_of_a_mean_is_that_of_its_games_with_their_players(
    games: list[tuple[int, int]],
) -> None:
    """The textbook's sum for a ratio, in fractions and by another way."""
    found, count = tally(games), len(games)
    players = sum(seats for _, seats in games)
    mean = sum(gold for gold, _ in games) / players
    off = sum((gold - mean * seats) ** 2 for gold, seats in games)
    strays = sqrt(off * count / (count - 1)) / players
    assert found.mean == pytest.approx(mean)
    assert found.deviation / sqrt(count) == pytest.approx(strays, abs=1e-6)


@given(GAMES, st.randoms(use_true_random=False), st.integers(0, 30))
def test_games_give_the_same_figures_in_any_order_and_in_any_parts(
    games: list[tuple[int, int]], chance: random.Random, cut: int
) -> None:
    other = chance.sample(games, len(games))
    assert tally(other[:cut]) + tally(other[cut:]) == tally(games)


def test_no_game_and_a_single_one_tell_nothing_of_the_others() -> None:
    assert Tally().figure() == Estimate(0.0, -inf, inf, 0)
    assert tally([(6, 2)]).figure() == Estimate(3.0, -inf, inf, 1)
    assert tally([(6, 2)]).chance() == Tally().chance() == 1.0
    assert tally([(6, 2)]).figure().text() == "3.00"


def test_what_never_changed_is_as_sure_as_so_many_coins() -> None:
    same = tally([(6, 2), (9, 3), (6, 2)])
    assert same.figure() == Estimate(3.0, -inf, inf, 3)
    assert (same.chance(), same.chance(of=3)) == (0.25, 1.0)
    for count in range(1, 12):
        many = tally([(6, 2)] * count)
        assert many.chance() == 2.0 ** (1 - count)
        assert many.figure().text(1) == ("3.0 (each time)" if many.chance() < ERROR else "3.0")
    assert not many.figure().has_ends


def test_what_hardly_ever_changes_is_missed_no_more_often_than_said() -> None:
    """Three of four games pay the same: whoever has seen no other must not be sure of that."""
    chance, missed, runs = random.Random(3), 0, 1000
    for _ in range(runs):
        figure = tally([(36 + 6 * (chance.random() < 0.25), 1) for _ in range(8)]).figure()
        missed += figure.has_ends and not figure.low <= 37.5 <= figure.high
    assert missed / runs < 2 * ERROR


def test_what_never_changed_is_known_only_after_many_games() -> None:
    assert Estimate(1, 0.8, 1.2, 40).is_known(0.25) and not Estimate(1, 0.8, 1.2, 40).is_known(0.1)
    assert not Estimate(1, 1, 1, 400).is_known(0.5) and Estimate(1, 1, 1, 512).is_known(0.5)
    assert not Estimate(1, -inf, inf, 1).is_known(9)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_has_the_interval_of_wilson(pair: tuple[int, int]) -> None:
    hits, games = pair
    there = stats.binomtest(hits, games).proportion_ci(0.95, "wilson")
    found = share(hits, games)
    assert (found.low, found.high) == pytest.approx((there.low, there.high), abs=1e-9)


def test_of_no_games_any_share_may_be_true() -> None:
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


@given(st.lists(st.floats(0, 1), max_size=6))
def test_holm_believes_what_no_group_of_questions_can_explain(chances: list[float]) -> None:
    """It is the closure of Bonferroni's rule, and that is what makes it right."""
    numbers = range(len(chances))
    groups = [group for n in numbers for group in combinations(numbers, n + 1)]
    for one, found in zip(numbers, holm(chances), strict=True):
        there = max(
            min(1.0, len(group) * min(chances[each] for each in group))
            for group in groups
            if one in group
        )
        assert found == pytest.approx(there)


@pytest.mark.parametrize("most", [1, 20, 32, 33, 1000, 10**6])
def test_looks_double_end_where_they_should_and_never_spend_too_much(most: int) -> None:
    found = list(interim_analyses(most))
    games = [look.games for look in found]
    assert games[-1] == most and games == sorted(set(games))
    assert all(later <= 2 * before for before, later in pairwise(games))
    assert sum(look.error for look in found) < ERROR


def test_whoever_looks_again_and_again_is_wrong_no_more_often_than_said() -> None:
    """Nothing is there to be found; some stop as soon as they believe they have found it."""
    chance, runs = random.Random(1), 600
    alarms, naive = 0, 0
    for _ in range(runs):
        found, seen, told = Tally(), False, False
        for look in interim_analyses(1024):
            while found.games < look.games:
                found.add(round(chance.gauss(0, 1000)))
            seen = seen or found.chance() < look.error
            told = told or found.chance() < ERROR
        alarms, naive = alarms + seen, naive + told
    assert alarms / runs <= ERROR
    assert naive / runs > 2 * ERROR


@pytest.mark.parametrize(("gap", "games"), [(300, 20), (300, 100), (100, 400)])
def test_a_gap_is_found_as_often_as_stated(gap: int, games: int) -> None:
    chance, runs = random.Random(gap), 400
    stated, seen = power(gap, 1000, games), 0
    for _ in range(runs):
        found = tally([(round(chance.gauss(gap, 1000)), 1) for _ in range(games)])
        seen += found.chance() < ERROR
    strays = sqrt(stated * (1 - stated) / runs)
    assert abs(seen / runs - stated) < 0.02 + 3 * strays


@pytest.mark.parametrize("gap", [0.1, 0.5, 2.0, -2.0, 50.0])
def test_as_many_games_as_needed_and_not_one_less(gap: float) -> None:
    games = games_needed(gap, 3.0)
    assert power(gap, 3.0, games) >= 0.8 > power(gap, 3.0, games - 1)


def test_of_nothing_no_number_of_games_shows_anything() -> None:
    with pytest.raises(ValueError, match="nothing"):
        games_needed(0, 3.0)
    assert (power(0, 0, 9), power(1, 0, 9), power(1, 1, 1)) == (0.0, 1.0, 0.0)
