"""The file of a balance: no game lost or played twice, whoever plays."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance import playing as seed_pool
from kbrules.tools.balance.measure import balance_report, measure
from kbrules.tools.balance.playing import (
    BalanceQuestion,
    PlayedSeeds,
    Results,
    SeedPayments,
    SeedPool,
    results_made_for,
    results_of_seeds,
    temporary_results,
)
from kbrules.tools.processes import RulesChanged
from kbrules.tools.reports.report import as_json
from kbrules.tools.simulate.results_file import MEMORY, OtherQuestion, UnusableFile
from kbrules.tools.simulate.run import NATIVE_METHOD, REFERENCE_METHOD
from tests.tools.balance.green import CARDS, green
from tests.tools.simulate.small import deals_done

DEALS = 20


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("green")
    green(folder, *CARDS)
    return folder


@pytest.fixture(scope="module")
def ruleset(home: Path) -> Ruleset:
    return load(folders=[home])


@pytest.fixture(scope="module")
def asked(home: Path) -> BalanceQuestion:
    """With seeds that are not the numbers of the deals."""
    return BalanceQuestion("dwellers", (), (str(home),), bots=("greedy", "random"), seed=5)


def part(ruleset: Ruleset, asked: BalanceQuestion, first: int, deals: int) -> PlayedSeeds:
    seeds = range(asked.seed + first, asked.seed + first + deals)
    return PlayedSeeds(seeds, tuple(results_of_seeds(ruleset, asked, seeds)), 0.1)


def report(ruleset: Ruleset, asked: BalanceQuestion, results: Results, deals: int = DEALS) -> str:
    return as_json(balance_report(measure(ruleset, asked, results, deals)))


def expected(ruleset: Ruleset, asked: BalanceQuestion, deals: int = DEALS) -> str:
    """What is told of games that were played one after the other."""
    with Results(MEMORY, asked, ruleset.digest) as results:
        return report(ruleset, asked, results, deals)


def test_what_was_kept_comes_back_as_it_was(ruleset: Ruleset, asked: BalanceQuestion) -> None:
    with Results(MEMORY, asked, ruleset.digest) as results:
        for first, deals in ((4, 3), (0, 4), (9, 1)):
            results.add(part(ruleset, asked, first, deals))
        assert [*results.first(7)] == [*results_of_seeds(ruleset, asked, range(5, 12))]
        assert results.done == 7 and results.games == sum(r.games for r in results.first(99))


def test_only_what_is_missing_is_played_and_the_report_is_the_same(
    tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, new = tmp_path / "games.sqlite", []
    with Results(path, asked, ruleset.digest) as results:
        for first, deals in ((4, 3), (12, 5), (30, 9)):
            results.add(part(ruleset, asked, first, deals))
    with Results(path, asked, ruleset.digest) as results:
        add = results.add
        monkeypatch.setattr(results, "add", lambda p: (new.extend(p.seeds), add(p)))
        assert report(ruleset, asked, results) == expected(ruleset, asked)
        assert sorted(new) == [*range(5, 9), *range(12, 17), *range(22, 25)]
        assert report(ruleset, asked, results, 10) == expected(ruleset, asked, 10)
        assert len(new) == 12


def test_a_deal_is_never_counted_twice(ruleset: Ruleset, asked: BalanceQuestion) -> None:
    with Results(MEMORY, asked, ruleset.digest) as results:
        results.add(part(ruleset, asked, 0, 5))
        before = [*results.first(9)]
        with pytest.raises(UnusableFile):
            results.add(part(ruleset, asked, 4, 2))
        assert [*results.first(9)] == before and results.done == 5


def test_a_file_about_something_else_is_refused(
    tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    path, other = tmp_path / "games.sqlite", tmp_path / "other.sqlite"
    Results(path, asked, ruleset.digest).__exit__(None, None, None)
    with pytest.raises(OtherQuestion, match="another question"):
        Results(path, replace(asked, seed=6), ruleset.digest)
    with pytest.raises(OtherQuestion, match="changed"):
        Results(path, asked, "0ther")
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE facts (name, value)")
    db.close()
    with pytest.raises(UnusableFile, match="something else than games of `kbrules balance`"):
        Results(other, asked, ruleset.digest)


@pytest.mark.parametrize(("deals", "stays"), [(0, False), (3, True)])
def test_a_passing_file_stays_only_if_games_in_it_were_broken_off(
    deals: int, stays: bool, tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    path = tmp_path / "games.sqlite"
    with (
        pytest.raises(KeyboardInterrupt),
        temporary_results(path, asked, ruleset.digest) as results,
    ):
        if deals:
            results.add(part(ruleset, asked, 0, deals))
        raise KeyboardInterrupt
    assert path.exists() is stays
    with temporary_results(path, asked, ruleset.digest) as results:
        assert report(ruleset, asked, results) == expected(ruleset, asked)
    assert not any(tmp_path.iterdir())


def test_a_file_that_somebody_named_is_never_deleted(
    tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    path = tmp_path / "games.sqlite"
    with Results(path, asked, ruleset.digest) as results:
        results.add(part(ruleset, asked, 0, 3))
    with temporary_results(path, asked, ruleset.digest) as results:
        assert results.games
    assert path.exists()


def test_a_passing_file_that_somebody_names_stays(
    tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    path = tmp_path / "games.sqlite"
    with pytest.raises(KeyboardInterrupt), temporary_results(path, asked, "one") as results:
        results.add(part(ruleset, asked, 0, 3))
        raise KeyboardInterrupt
    Results(path, asked, "one").__exit__(None, None, None)
    with temporary_results(path, asked, "one"):
        pass
    assert path.exists()


def named(path: Path, asked: BalanceQuestion, digest: str) -> None:
    with Results(path, asked, digest) as results:
        results.add(PlayedSeeds(range(asked.seed, asked.seed), (), 0.0))


OTHERS: dict[str, Callable[[Path, BalanceQuestion], None]] = {
    "the same question": lambda path, asked: named(path, asked, "now"),
    "another question": lambda path, asked: named(path, asked, "before"),
    "passing": lambda path, asked: Results(path, asked, "before", purpose="other")._db.close(),
    "a text": lambda path, _: path.write_text("mine") and None,
    "nothing": lambda path, _: path.touch(),
    "a folder": lambda path, _: path.mkdir(),
    "a link to nothing": lambda path, _: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_was_not_made_for_a_purpose_does_not_give_way(
    tmp_path: Path, asked: BalanceQuestion, other: str
) -> None:
    path = tmp_path / "dwellers.editor.sqlite"
    OTHERS[other](path, asked)
    before = path.read_bytes() if path.is_file() else None
    with results_made_for("editor", path, asked, "now") as results:
        assert results.path == MEMORY
    assert os.path.lexists(path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_was_made_for_a_purpose_gives_way(
    tmp_path: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    path = tmp_path / "dwellers.editor.sqlite"
    for digest, has_games in (("one", False), ("one", True), ("two", False), ("two", True)):
        with results_made_for("editor", path, asked, digest) as results:
            assert (results.path, results.games > 0) == (str(path), has_games)
            if not has_games:
                results.add(part(ruleset, asked, 0, 3))


KILLED = """\
import sys
from kbrules.library.load import load
from kbrules.tools.balance.playing import BalanceQuestion
from kbrules.tools.balance.measure import measure
from kbrules.tools.balance.playing import temporary_results

if __name__ == "__main__":
    asked = BalanceQuestion("dwellers", (), (sys.argv[1],), bots=("greedy", "random"), seed=5)
    ruleset = load(folders=[sys.argv[1]])
    with temporary_results(sys.argv[2], asked, ruleset.digest) as results:
        measure(ruleset, asked, results, 10**6, jobs=2)
"""


def test_who_is_killed_loses_nothing_that_was_done(
    tmp_path: Path, home: Path, ruleset: Ruleset, asked: BalanceQuestion
) -> None:
    program, path = tmp_path / "killed.py", tmp_path / "games.sqlite"
    program.write_text(KILLED)
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(program), str(home), str(path)]
    with subprocess.Popen(command, env=where, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 60
        while time.monotonic() < end and (reached := deals_done(path)) < DEALS:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    with Results(path, asked, ruleset.digest) as results:
        assert results.games == sum(each.games for each in results.first(10**6))
        assert deals_done(path) >= reached >= DEALS
        assert report(ruleset, asked, results, DEALS) == expected(ruleset, asked)


@pytest.fixture
def asked_of_pool(tmp_path: Path) -> BalanceQuestion:
    green(tmp_path, *CARDS)
    return BalanceQuestion("dwellers", (), (str(tmp_path),), bots=("greedy", "random"))


def by(asked: BalanceQuestion, jobs: int, digest: str = "") -> list[SeedPayments]:
    ruleset = load(folders=asked.folders)
    loaded = replace(ruleset, digest=digest) if digest else ruleset
    with SeedPool(loaded, asked, jobs) as pool:
        found = [each for part in pool.run(range(12)) for each in part.results]
    return sorted(found, key=lambda each: (each.seed, asked.bots.index(each.bot)))


def test_two_processes_give_what_one_does(
    asked_of_pool: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = by(asked_of_pool, 1)
    assert [each.seed for each in alone] == [seed for seed in range(12) for _ in asked_of_pool.bots]
    assert by(asked_of_pool, 2) == alone  # too little to call others
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    assert by(asked_of_pool, 2) == alone


@pytest.mark.parametrize("step", [0.0, -1.0])
def test_a_clock_that_stands_or_goes_backwards_changes_nothing(
    asked_of_pool: BalanceQuestion, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    alone, calls = by(asked_of_pool, 1), count()
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", -100.0)
    monkeypatch.setattr(seed_pool, "perf_counter", lambda: step * next(calls))
    assert by(asked_of_pool, 2) == alone


def test_rules_that_were_changed_meanwhile_are_not_mixed_with_the_old_ones(
    asked_of_pool: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    with pytest.raises(RulesChanged):
        by(asked_of_pool, 2, "0ther")


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
    asked_of_pool: BalanceQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(seed_pool, "_PARALLEL_SECONDS", 0.0)
    ruleset = load(folders=asked_of_pool.folders)
    with SeedPool(ruleset, asked_of_pool, 2, NATIVE_METHOD) as pool:
        found = [each for part in pool.run(range(6)) for each in part.results]
    found.sort(key=lambda each: (each.seed, asked_of_pool.bots.index(each.bot)))
    assert found == list(results_of_seeds(ruleset, asked_of_pool, range(6)))
