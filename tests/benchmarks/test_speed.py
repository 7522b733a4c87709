"""The recorded costs of decisions, what environments cost, and the figures of the structure."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import envs, structure
from benchmarks.games import BASE, TABLES, boxes, games_of
from benchmarks.measurement import Absent, Goal, Row, bench_report, measure_in_turns, seconds
from benchmarks.speed import SLACK, bytecodes, counts, recorded_counts
from benchmarks.structure import figures, loaded_by, source_files
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


@pytest.mark.slow
def test_every_pair_is_measured_or_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "STEPS", 12)
    monkeypatch.setattr(envs, "SIDE_BY_SIDE", 8)
    found = [*envs.rows(rounds=1)]
    assert len(found) == len(envs.PAIRS)
    for row, (name, peer) in zip(found, envs.PAIRS, strict=True):
        assert row.what.startswith(name)
        if isinstance(row, Row):
            assert row.of == peer and row.value > 0 and row.ratio
        else:
            assert row.why


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Any:
        raise ImportError(name="pettingzoo")
        yield

    def other() -> Any:
        yield "OpenSpiel, native", partial(int, 1)

    monkeypatch.setattr(envs, "_pettingzoo", absent)
    monkeypatch.setattr(envs, "_openspiel", other)
    monkeypatch.setattr(envs, "_gymnasium", absent)
    found = [*envs.rows(rounds=1)]
    assert all(isinstance(row, Absent) for row in found)
    assert "pettingzoo" in found[0].why  # type: ignore[union-attr]


LONG = "def long():\n" + '    """Help.\n\n    More."""\n' + "    x = 1\n" * 40
TREE = {
    "kbrules/__init__.py": '"""Door."""\n',
    "kbrules/lang/__init__.py": '"""Door."""\n\nfrom .tree import Node\n\n__all__ = ["Node"]\n',
    "kbrules/lang/tree.py": "# why\nfrom kbrules.text import (\n    a,\n    b,\n)\n\nNode = a\n",
    "kbrules/text.py": "import sys\n\na = b = '# text'  # a note\n",
    "kbrules/late.py": "def f():\n    from kbrules import text\n",
    "kbrules/types.py": "if TYPE_CHECKING:\n    from kbrules import text\nx = 1\n",
    "cli/app.py": "from . import other\nfrom kbrules.lang import Node\n\n" + LONG,
    "cli/other.py": LONG.replace("long", "command") + "\n" * 900,
    "tests/test_text.py": "import kbrules\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_figures_are_those_counted_by_hand(tree: Path) -> None:
    found = {row.what: (row.value, list(row.names)) for row in figures(source_files(tree))}
    lines = 1 + 5 + 7 + 3 + 2 + 3 + 47 + 944
    assert found == {
        "lines": (lines, []),
        "modules: more than a docstring and re-exports": (6, []),
        "files": (8, []),
        "folders": (3, []),
        "comment lines": (1, []),
        "lines that import, %": (100 * (1 + 4 + 1 + 1 + 1 + 2) / lines, []),
        "lists `__all__`": (1, ["kbrules/lang/__init__.py"]),
        "files that a median module loads": (1, []),  # of 0, 1, 1, 1, 3 and 5
        "functions over 40 lines": (1, ["cli/app.py:4: long: 41"]),
        "modules over 900 lines": (1, ["cli/other.py: 944"]),
        "modules under 60 lines, doors aside": (
            5,
            [
                "kbrules/lang/tree.py: 7",
                "kbrules/late.py: 2",
                "kbrules/text.py: 3",
                "kbrules/types.py: 3",
                "cli/app.py: 47",
            ],
        ),
    }


def test_a_module_loads_the_packages_on_the_way_and_nothing_for_types_or_later(tree: Path) -> None:
    loaded = loaded_by(source_files(tree))
    assert loaded["kbrules.types"] == loaded["kbrules.late"] == {"kbrules"}
    assert loaded["kbrules.lang.tree"] == {"kbrules", "kbrules.lang", "kbrules.text"}
    assert loaded["cli.app"] == loaded["kbrules.lang.tree"] | {"cli.other", "kbrules.lang.tree"}


def test_the_table_has_a_row_for_each_figure_and_names_follow(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["structure", str(tree), "--names"])
    structure.main()
    head, first, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["now", "floor", "aim"]
    assert first.split() == ["lines", "1,012", "83,000", "80,000"]
    assert "  cli/app.py:4: long: 41" in lines and max(map(len, [first, *lines])) < 80
