"""Figures and goals of the benchmarks, and bytecodes per decision, which never flake."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.games import BASE, TABLES, boxes, games_of
from benchmarks.measurement import Absent, Goal, Row, bench_report, measure_in_turns, seconds
from benchmarks.speed import SLACK, bytecodes, counts, recorded_counts
from kbrules.tools.reports.report import as_text


def test_no_decision_costs_more_than_is_recorded() -> None:
    """Where one costs less by now, `python -m benchmarks --record` keeps that."""
    record = recorded_counts()
    if not record:
        pytest.skip("nobody has recorded the counts of this Python")
    found = counts()
    assert found.keys() == record.keys()
    slower = {what: (found[what], kept) for what, kept in record.items()
              if found[what] > kept * SLACK}  # fmt: skip
    assert not slower, "bytecodes per decision: now, recorded"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the counts are those of Python 3.11")
def test_bytecodes_are_counted_wherever_they_run() -> None:
    def inner(times: int) -> int:
        return sum([number * 2 for number in range(times)])

    few, many = bytecodes(lambda: inner(10)), bytecodes(lambda: inner(1010))
    assert 4_000 < many - few < 12_000
    assert bytecodes(lambda: inner(10)) == few


def test_the_tables_have_every_tile_between_them() -> None:
    ruleset = boxes(*BASE)
    tables = games_of(ruleset, 2)
    assert len(tables) == TABLES
    laid = {kind for game in tables for kind in game.board.tiles.values()}
    assert laid == set(range(len(ruleset.catalog.tiles)))


def test_a_goal_is_met_or_missed_by_so_much() -> None:
    at_least, at_most = Goal(10, 13), Goal(30, is_most=True)
    assert [at_least.verdict_on(figure) for figure in (5, 11, 13)] == [
        "missed by 50%", "met, the aim is not", "aim met"
    ]  # fmt: skip
    assert [at_most.verdict_on(figure) for figure in (45, 30)] == ["missed by 50%", "met"]


def test_a_goal_is_about_the_ratio_if_there_is_one() -> None:
    row = Row("games", 500, "per s", Goal(1), 0.25, "others")
    assert row.verdict == "missed by 75%"
    assert row.cells == ("games", "500 per s", "0.25 x others", "at least 1: missed by 75%")
    assert row.to_json()["verdict"] == row.verdict
    assert Absent("games", "not here").to_json() == {"what": "games", "why": "not here"}


def test_the_report_of_a_part_is_one_table() -> None:
    rows = [Row("perft", 13_056_333, "per s", Goal(5), 23.61, "python-chess"), Absent("g", "no")]
    head, first, second = as_text(bench_report("speed", rows)).splitlines()
    assert first.index("23.61 x") == head.index("ratio") - len("23.61 x python-chess") + 5
    assert first.endswith("at least 5: met") and second.split() == ["g", "no"]


def test_time_is_that_of_processes_waited_for_too() -> None:
    busy = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"]
    assert seconds(lambda: subprocess.run(busy, check=True)) > 0.25


def test_work_is_done_in_turns() -> None:
    done: list[str] = []

    def work(name: str) -> int:
        done.append(name)
        return sum(range(1000)) and 1

    rates = measure_in_turns({name: lambda name=name: work(name) for name in "ab"}, 3)  # type: ignore[misc]
    assert done == [*"abababab"]
    assert rates.rate("a") > 0 and rates.ratio("a", "a") == 1
