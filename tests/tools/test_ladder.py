"""The ladder: paired deals in a file that goes on, and ratings of known players."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from itertools import combinations
from math import exp, inf, log
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.app import program
from kbrules.game.random import Random
from kbrules.tools.ladder import ELO, Meeting, Standings, fit_ratings
from tests.tools.simulate.small import fell

ASKED = "random", "greedy", "--games", "12", "--jobs", "1", "--into", "games.sqlite"


def run(*words: str) -> Result:
    return CliRunner().invoke(program(["ladder", "simulate"]), list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return fell(tmp_path / "fell")


def ladder(*words: str) -> Result:
    return run("ladder", *words, "--with", "fell")


@pytest.mark.usefixtures("folder")
def test_every_two_bots_play_each_deal_from_both_seats() -> None:
    found = ladder("random,greedy", "careful:1", "--games", "3", "-j", "1", "--into", "g.sqlite")
    assert found.exit_code == 0, found.output
    told = sqlite3.connect("g.sqlite").execute(
        "SELECT deal, lineup, bot, count(*), count(DISTINCT player) FROM results GROUP BY 1, 2, 3"
    )
    rows = [*told]
    assert {row[1] for row in rows} == {"random,greedy", "random,careful:1", "greedy,careful:1"}
    assert len(rows) == 3 * 3 * 2 and all(row[3:] == (2, 2) for row in rows)


@pytest.mark.usefixtures("folder")
def test_it_goes_on_where_it_was_and_says_the_same() -> None:
    whole = ladder(*ASKED, "--output-format", "json")
    Path("games.sqlite").unlink()
    assert ladder(*ASKED, "--games", "5").exit_code == 0
    again = ladder(*ASKED, "--output-format", "json")
    assert again.stdout == whole.stdout
    seen = run("ladder", "--report", "games.sqlite", "--output-format", "json")
    assert seen.stdout == whole.stdout


@pytest.mark.usefixtures("folder")
def test_the_report_has_all_forms() -> None:
    forms = "--html", "page.html", "--svg", "chart.svg"
    full = ladder(*ASKED, *forms).stdout
    assert "greedy is stronger than random" in full and "over the next" in full
    assert "again: kbrules ladder random,greedy --with fell --seed 0 --games 12" in full
    data = json.loads(ladder(*ASKED, "--output-format", "json").stdout)
    assert [place["bot"] for place in data["places"]] == ["greedy", "random"]
    assert data["anchor"] == "random" and data["places"][1]["elo"]["value"] == 0
    (met,) = data["meetings"]
    assert met["games"] == 24 and met["wins"] < 12
    for file in ("page.html", "chart.svg"):
        assert "greedy" in Path(file).read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_a_file_of_other_games_is_refused() -> None:
    asked = "--with", "fell", "--bots", "random", "--games", "2", "--into", "other.sqlite"
    assert run("simulate", *asked).exit_code == 0
    for words in (("--report", "other.sqlite"), (*ASKED[:-1], "other.sqlite", "--with", "fell")):
        found = run("ladder", *words)
        assert found.exit_code == 2 and "KB05" in found.stderr


@pytest.mark.parametrize("bots", ["random", "random,random", "random,nobody"])
def test_what_is_no_ladder_is_told(bots: str) -> None:
    found = run("ladder", bots, "--games", "2", "--no-file")
    assert found.exit_code == 2 and "KB009" in found.stderr


SCALE = 2**32


def chance(gap: float) -> float:
    return 1 / (1 + exp(-gap))


def played(strengths: Sequence[float], tables: int, seed: int, luck: float = 0.0) -> list[Meeting]:
    """Every two play every table twice. luck: by how much a table favours each of them."""
    random, found = Random(seed, "ladder"), []
    for table in range(tables):
        favours = [luck * (random.below(3) - 1) for _ in strengths]
        for one, other in combinations(range(len(strengths)), 2):
            gap = strengths[one] + favours[one] - strengths[other] - favours[other]
            wins = sum(random.below(SCALE) < SCALE * chance(gap) for _ in range(2))
            found.append(Meeting(table, (one, other), float(wins), 2))
    return found


def slow_fit(meetings: Sequence[Meeting], players: int) -> tuple[list[float], Any]:
    """Ratings and their robust covariance, with nothing but a general minimiser and differences."""
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    pairs = {each.pair for each in meetings}
    added = [Meeting(-1, pair, 0.5, 1) for pair in sorted(pairs)]

    def surprise(free: Any, of: Sequence[Meeting]) -> float:
        values = [0.0, *free]
        return -sum(
            m.wins * log(chance(values[m.pair[0]] - values[m.pair[1]]))
            + (m.games - m.wins) * log(chance(values[m.pair[1]] - values[m.pair[0]]))
            for m in of
        )

    def slope(free: Any, of: Sequence[Meeting]) -> Any:
        return optimize.approx_fprime(free, lambda x: surprise(x, of), 1e-6)

    every = [*meetings, *added]
    top = optimize.minimize(
        surprise, numpy.zeros(players - 1), (every,), "Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000},
    ).x  # fmt: skip
    step = 1e-4
    curve = numpy.array(
        [
            (slope(top + step * unit, every) - slope(top - step * unit, every)) / (2 * step)
            for unit in numpy.eye(players - 1)
        ]
    )
    tables = sorted({m.table for m in meetings})
    slopes = [slope(top, [m for m in meetings if m.table == table]) for table in tables]
    meat = sum(numpy.outer(each, each) for each in slopes) * len(tables) / (len(tables) - 1)
    inverse = numpy.linalg.inv(curve)
    return [0.0, *top], inverse @ meat @ inverse


@pytest.mark.parametrize("seed", range(2))
def test_ratings_and_intervals_are_those_of_a_slow_fit(seed: int) -> None:
    meetings = played([0.0, 0.8, -0.5, 1.6], 40, seed, luck=0.5)
    fast = fit_ratings(meetings, 4)
    values, covariance = slow_fit(meetings, 4)
    assert fast.values == pytest.approx(values, abs=1e-5)
    told = [row[1:] for row in fast.robust[1:]]
    for row, slow in zip(told, covariance, strict=True):
        assert row == pytest.approx(list(slow), rel=2e-3, abs=1e-5)


STRENGTHS = (0.0, 0.3, 0.9, 1.5)


def missed(tables: int, ladders: int, luck: float, strengths: Sequence[float] = STRENGTHS) -> float:
    """In what share of simulated ladders the interval of a gap misses that of some strengths."""
    misses = tried = 0
    for seed in range(ladders):
        found = Standings(tuple("abcd"), tuple(played([*STRENGTHS], tables, seed, luck)))
        for one, other in combinations(range(4), 2):
            gap, true = found.gap(one, other), ELO * (strengths[one] - strengths[other])
            misses += not gap.low <= true <= gap.high
            tried += 1
    return misses / tried


def test_intervals_hold_the_true_strengths_of_a_simulated_ladder() -> None:
    assert missed(tables=60, ladders=40, luck=0.0) < 0.09


@pytest.mark.slow
def test_intervals_hold_where_tables_favour_players() -> None:
    """Luck of tables brings ratings nearer to each other; intervals are about what is left."""
    on_many_tables = fit_ratings(played([*STRENGTHS], 20_000, 10**6, 0.6), len(STRENGTHS)).values
    assert on_many_tables[3] < STRENGTHS[3]
    assert 0.02 < missed(100, 300, 0.6, on_many_tables) < 0.08
    assert 0.02 < missed(100, 300, 0.0) < 0.08


def test_tables_that_favour_players_make_intervals_wider() -> None:
    """Whoever took games of a table as independent would claim to know more."""
    meetings = [
        each._replace(games=20, wins=20.0 * (each.table % 3 > 0))
        for each in played([0.0, 0.0], 30, 1)
    ]
    found = fit_ratings(meetings, 2)
    assert found.variance(0, 1) > 10 * found.curvature[1][1]


def test_who_won_everything_has_a_rating_and_a_wide_interval() -> None:
    sure = fit_ratings([Meeting(table, (0, 1), 0.0, 2) for table in range(20)], 2)
    assert 2 < sure.values[1] < 6 and sure.one_sided == {0, 1}
    assert sure.variance(1, 0) >= sure.curvature[1][1] > 0.5


def test_of_one_table_nothing_is_known() -> None:
    assert fit_ratings([Meeting(0, (0, 1), 1.0, 2)], 2).variance(0, 1) == inf


def test_the_order_of_players_only_shifts_ratings() -> None:
    meetings = played([0.0, 0.8, -0.5], 30, 3)
    turned = [
        Meeting(table, (2 - other, 2 - one), games - wins, games)
        for table, (one, other), wins, games in meetings
    ]
    here, there = fit_ratings(meetings, 3), fit_ratings(turned, 3)
    for one, other in combinations(range(3), 2):
        assert here.gap(one, other) == pytest.approx(there.gap(2 - one, 2 - other))
        assert here.variance(one, other) == pytest.approx(there.variance(2 - one, 2 - other))
