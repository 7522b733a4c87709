"""Whoever plays: the same results, and rules that change are noticed."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from kbrules.library.load import load
from kbrules.tools.balance import playing as seed_pool
from kbrules.tools.balance.playing import BalanceQuestion, SeedPayments, SeedPool, results_of_seeds
from kbrules.tools.processes import RulesChanged
from kbrules.tools.simulate.run import NATIVE_METHOD, REFERENCE_METHOD
from tests.tools.balance.green import CARDS, green


@pytest.fixture
def asked(tmp_path: Path) -> BalanceQuestion:
    green(tmp_path, *CARDS)
    return BalanceQuestion("dwellers", (), (str(tmp_path),), bots=("greedy", "random"))


def by(asked: BalanceQuestion, jobs: int, digest: str = "") -> list[SeedPayments]:
    ruleset = load(folders=asked.folders)
    loaded = replace(ruleset, digest=digest) if digest else ruleset
    with SeedPool(loaded, asked, jobs) as pool:
        found = [each for part in pool.run(range(12)) for each in part.results]
    return sorted(found, key=lambda each: (each.seed, asked.bots.index(each.bot)))


def test_two_processes_give_what_one_does(
    asked: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = by(asked, 1)
    assert [each.seed for each in alone] == [seed for seed in range(12) for _ in asked.bots]
    assert by(asked, 2) == alone  # too little to call others
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    assert by(asked, 2) == alone


@pytest.mark.parametrize("step", [0.0, -1.0])
def test_a_clock_that_stands_or_goes_backwards_changes_nothing(
    asked: BalanceQuestion, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    alone, calls = by(asked, 1), count()
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", -100.0)
    monkeypatch.setattr(seed_pool, "perf_counter", lambda: step * next(calls))
    assert by(asked, 2) == alone


def test_rules_that_were_changed_meanwhile_are_not_mixed_with_the_old_ones(
    asked: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    with pytest.raises(RulesChanged):
        by(asked, 2, "0ther")


def test_the_native_kernel_gives_the_same_results(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    green(tmp_path, *CARDS)
    asked = BalanceQuestion("dwellers", (), (str(tmp_path),), bots=("random", "mc:4"))
    ruleset = load(folders=asked.folders)
    plainly, natively = (
        list(results_of_seeds(ruleset, asked, range(4), way))
        for way in (REFERENCE_METHOD, NATIVE_METHOD)
    )
    assert plainly == natively and plainly


def test_others_play_in_the_way_that_was_asked_for(
    asked: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    ruleset = load(folders=asked.folders)
    with SeedPool(ruleset, asked, 2, NATIVE_METHOD) as pool:
        found = [each for part in pool.run(range(6)) for each in part.results]
    found.sort(key=lambda each: (each.seed, asked.bots.index(each.bot)))
    assert found == list(results_of_seeds(ruleset, asked, range(6)))
