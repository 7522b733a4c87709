"""Certainty put to the test: nothing is found where nothing is, and what is planted is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest
from scipy import stats

from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.measure import CardRanking, rank_card
from kbrules.tools.balance.playing import (
    BalanceQuestion,
    SeedPayments,
    dealt_games,
    results_of_seeds,
)
from kbrules.tools.simulate.figures import ERROR, Tally, power
from tests.tools.balance.green import CARDS, green

RUNS = 200
BAND = int(stats.binom.ppf(0.99, RUNS, ERROR))
"""As many false alarms as chance alone may raise in so many runs."""
MORE = "\n    gold 1 if any(mine - adjacent(mine))"


def games(ruleset: Ruleset, bot: str, deals: int) -> list[SeedPayments]:
    asked = BalanceQuestion("neighbours", ruleset.boxes, bots=(bot,))
    return list(results_of_seeds(ruleset, asked, range(deals)))


def runs(results: Sequence[SeedPayments], deals: int, *others: str) -> list[CardRanking]:
    """The same question asked again and again, each time with further games."""
    parts = (results[at : at + deals] for at in range(0, len(results), deals))
    return [rank_card(part, "neighbours", others, results[0].bot) for part in parts]


def alarms(found: Sequence[CardRanking], card: str) -> int:
    """How many runs say that a card pays another amount."""
    return sum(card not in {each.id for each in run.level} for run in found)


def test_a_card_beside_its_own_copy_raises_alarms_no_more_often_than_it_should(
    tmp_path: Path,
) -> None:
    """With the luck of the same seed both are paid the same; with that of another they are not."""
    results = games(green(tmp_path, "dwellers", "neighbours", room=1), "random", 16 * RUNS)
    assert all(mine.gold == theirs.gold for mine, theirs in (each.paid for each in results))
    assert alarms(runs(results, 16, "dwellers"), "dwellers") == 0
    pairs = zip(results[::2], results[1::2], strict=True)
    shifted = [replace(one, paid=(one.paid[0], two.paid[1])) for one, two in pairs]
    found = runs(shifted, 8, "dwellers")
    assert len(found) == RUNS
    assert 0 < alarms(found, "dwellers") <= BAND
    gaps = [run.others[0].gap for run in found]
    assert sum(gap.low <= 0 <= gap.high for gap in gaps) >= RUNS - BAND


@pytest.mark.slow
def test_nor_where_bots_that_look_at_the_cards_find_others_beside_it(tmp_path: Path) -> None:
    others = sorted({*CARDS} - {"neighbours"})
    found = runs(games(green(tmp_path, *CARDS), "greedy", 30 * RUNS), 30, *others)
    assert 0 < alarms(found, "dwellers") <= BAND
    assert alarms(found, "loners") > 0.9 * RUNS


@pytest.mark.parametrize(
    ("bot", "count"), [("random", 60), pytest.param("greedy", 200, marks=pytest.mark.slow)]
)
def test_a_copy_that_pays_a_gold_more_now_and_then_is_found_as_often_as_stated(
    tmp_path: Path, bot: str, count: int
) -> None:
    rules = green(tmp_path, "dwellers", room=1, neighbours=CARDS["dwellers"] + MORE)
    results = games(rules, bot, 18 * count)
    gap = Tally()
    for each in results:
        mine, theirs = (sum(paid.gold) for paid in each.paid)
        gap.add(mine - theirs, 2)
    stated = power(gap.mean, gap.deviation, 18)
    found = runs(results, 18, "dwellers")
    seen = sum([each.id for each in run.below] == ["dwellers"] for run in found)
    assert 0.3 < stated < 0.95
    assert abs(seen / count - stated) < 0.03 + 3 * sqrt(stated * (1 - stated) / count)
    assert not any(run.above for run in found)


def leads(folder: Path, beside: str, seeds: range) -> list[int]:
    """By how much the first player is ahead of the second."""
    rules = green(folder, "dwellers", "borderers", beside=beside)
    asked = BalanceQuestion("dwellers", rules.boxes)
    games = (
        next(dealt_games(rules, asked, ["borderers"], seed)).game.playout(seed) for seed in seeds
    )
    return [first - second for first, second in (each.totals for each in games)]


@pytest.mark.parametrize("gold", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_what_a_seat_is_given_is_found_as_often_as_stated(tmp_path: Path, gold: int) -> None:
    """Beside other games by the same rules, in which nobody is given anything."""
    start = 'rule start "Start":\n    "Who begins has it."\n    before setup:\n        gain 1\n'
    gaps = zip(
        leads(tmp_path, start * gold, range(15 * RUNS)),
        leads(tmp_path, "", range(15 * RUNS, 30 * RUNS)),
        strict=True,
    )
    whole, found = Tally(), [Tally() for _ in range(RUNS)]
    for at, (paid, fair) in enumerate(gaps):
        whole.add(paid - fair)
        found[at // 15].add(paid - fair)
    stated = power(gold, whole.deviation, 15) if gold else ERROR
    seen = sum(run.chance() < ERROR for run in found) / RUNS
    assert abs(seen - stated) < 0.02 + 3 * sqrt(stated * (1 - stated) / RUNS)
    assert whole.figure().low <= gold <= whole.figure().high
    assert 0.2 < stated < 0.95 or not gold
