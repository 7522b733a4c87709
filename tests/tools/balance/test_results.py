"""Files of a card and of a ladder: cut off, resumed and on two processes they equal a whole run."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools import processes
from kbrules.tools.balance import balance_report
from kbrules.tools.ladder import ladder_report, pairings
from kbrules.tools.processes import Growing, RulesChanged, WorkerPool
from kbrules.tools.reports.report import Report, as_json
from kbrules.tools.simulate import run
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.ranking import payments
from kbrules.tools.simulate.report import Answer, answer_in_file, report_on
from kbrules.tools.simulate.results_file import (
    MEMORY,
    DamagedFile,
    DealSpan,
    OtherQuestion,
    PlayedSpan,
    Store,
)
from kbrules.tools.simulate.run import (
    NATIVE_METHOD,
    REFERENCE_METHOD,
    PlayMethod,
    SpanPool,
    play,
    prepare,
)
from tests.tools.balance.green import CARDS, green
from tests.tools.balance.measured import alone, paid, tables_of, told
from tests.tools.simulate.small import deals_done

DEALS = 20
KINDS: dict[str, Callable[[Answer], Report]] = {
    "balance": balance_report,
    "ladder": ladder_report,
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("green")
    green(folder, *CARDS)
    return folder


@pytest.fixture(scope="module")
def ruleset(home: Path) -> Ruleset:
    return load(folders=[home])


@pytest.fixture(scope="module")
def asked(ruleset: Ruleset) -> dict[str, QuestionTables]:
    """Two questions, with seeds that are not the numbers of the deals."""
    lineups = pairings(("random", "greedy"))
    ladder = Question((Side((), tuple(map(str, ruleset.folders))),), 2, lineups, seed=5)
    card = tables_of(ruleset, "dwellers", "greedy", "random", seed=5)
    return {"balance": card, "ladder": QuestionTables(ladder, [ruleset])}


@pytest.fixture(scope="module")
def whole(asked: dict[str, QuestionTables]) -> dict[str, tuple[str, list[tuple[object, ...]]]]:
    """The report and the rows of a run by one process, from the first deal to the last."""
    return {kind: _run(kind, tables, MEMORY, alone(tables)) for kind, tables in asked.items()}


def _run(
    kind: str, tables: QuestionTables, file: str | Path, pool: SpanPool, deals: int = DEALS
) -> tuple[str, list[tuple[object, ...]]]:
    rows: list[tuple[object, ...]] = []

    def report(answer: Answer) -> Report:
        order = "ORDER BY deal, side, lineup, rotation, player"
        rows[:] = [*answer.store.rows(f"SELECT * FROM results {order}")]
        return KINDS[kind](answer)

    return as_json(report_on(tables, deals, file, pool, report)), rows


def growing(
    tables: QuestionTables, jobs: int = 2, method: PlayMethod = REFERENCE_METHOD
) -> Growing[DealSpan, PlayedSpan]:
    job = jobs, prepare, tables.question, tables.digests, method
    return Growing(lambda span: play(tables, span, method), *job)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_cut_off_and_resumed_is_the_whole_run(
    kind: str,
    tmp_path: Path,
    asked: dict[str, QuestionTables],
    whole: dict[str, tuple[str, list[tuple[object, ...]]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, tables = tmp_path / "games.sqlite", asked[kind]
    monkeypatch.setattr(run, "SPAN_SECONDS", 0.0)  # a deal at a time
    with pytest.raises(KeyboardInterrupt):
        _run(kind, tables, path, WorkerPool(_stopping(tables, 7)))
    assert deals_done(path) == 7
    with Store(path) as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(12, 3)))  # as another process may have
    played: list[DealSpan] = []
    assert _run(kind, tables, path, WorkerPool(_noting(tables, played))) == whole[kind]
    assert sum(span.deals for span in played) == DEALS - 10
    with Store(path) as store:
        assert as_json(KINDS[kind](answer_in_file(store))) == whole[kind][0]


def _stopping(tables: QuestionTables, deals: int) -> Callable[[DealSpan], PlayedSpan]:
    def play_or_stop(span: DealSpan) -> PlayedSpan:
        if span.first >= deals:
            raise KeyboardInterrupt
        return play(tables, span)

    return play_or_stop


def _noting(tables: QuestionTables, played: list[DealSpan]) -> Callable[[DealSpan], PlayedSpan]:
    def play_and_note(span: DealSpan) -> PlayedSpan:
        played.append(span)
        return play(tables, span)

    return play_and_note


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_give_what_one_does(
    kind: str,
    asked: dict[str, QuestionTables],
    whole: dict[str, tuple[str, list[tuple[object, ...]]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = growing(asked[kind])
    assert _run(kind, asked[kind], MEMORY, pool) == whole[kind]
    assert pool._others is None  # too little to call others
    monkeypatch.setattr(processes, "PARALLEL_SECONDS", 0.0)
    pool = growing(asked[kind])
    assert _run(kind, asked[kind], MEMORY, pool) == whole[kind]
    assert pool._others is not None


def test_fewer_deals_of_a_file_are_told_as_if_there_were_no_more(
    tmp_path: Path, asked: dict[str, QuestionTables]
) -> None:
    path, tables = tmp_path / "games.sqlite", asked["balance"]
    told(tables, 9, path)
    assert told(tables, 4, path) == told(tables, 4)


@pytest.mark.parametrize("step", [0.0, -1.0])
def test_a_clock_that_stands_or_goes_backwards_changes_nothing(
    asked: dict[str, QuestionTables],
    whole: dict[str, tuple[str, list[tuple[object, ...]]]],
    monkeypatch: pytest.MonkeyPatch,
    step: float,
) -> None:
    calls = count()
    monkeypatch.setattr(processes, "PARALLEL_SECONDS", -100.0)
    monkeypatch.setattr(run, "perf_counter", lambda: step * next(calls))
    assert _run("balance", asked["balance"], MEMORY, growing(asked["balance"])) == whole["balance"]


def test_rules_that_were_changed_meanwhile_are_not_mixed_with_the_old_ones(
    ruleset: Ruleset, asked: dict[str, QuestionTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PARALLEL_SECONDS", 0.0)
    other = QuestionTables(asked["balance"].question, [replace(ruleset, digest="0ther")])
    with pytest.raises(RulesChanged):
        _run("balance", other, MEMORY, growing(other))


def test_the_native_kernel_gives_the_same_results(
    ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here, and in other processes, which play in the way that was asked for."""
    pytest.importorskip("numba")
    tables = tables_of(ruleset, "dwellers", "random", "mc:4")
    plainly = paid(tables, 4)
    assert paid(tables, 4, NATIVE_METHOD) == plainly and plainly
    monkeypatch.setattr(processes, "PARALLEL_SECONDS", 0.0)
    assert told(tables, 4, pool=growing(tables, 2, NATIVE_METHOD)) == told(tables, 4)


KILLED = """\
import sys
from kbrules.library.load import load
from kbrules.tools.balance import balance_report
from kbrules.tools.simulate.report import simulate
from tests.tools.balance.measured import tables_of

if __name__ == "__main__":
    tables = tables_of(load(folders=[sys.argv[1]]), "dwellers", "greedy", "random", seed=5)
    simulate(tables.question, 10**6, sys.argv[2], jobs=2, report=balance_report)
"""


def test_who_is_killed_loses_nothing_that_was_done(
    tmp_path: Path,
    home: Path,
    asked: dict[str, QuestionTables],
    whole: dict[str, tuple[str, list[tuple[object, ...]]]],
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
    assert deals_done(path) >= reached >= DEALS
    assert told(asked["balance"], DEALS, path) == whole["balance"][0]


def test_a_file_about_another_card_or_kind_of_question_is_refused(
    tmp_path: Path, ruleset: Ruleset, asked: dict[str, QuestionTables]
) -> None:
    path = tmp_path / "games.sqlite"
    told(asked["balance"], 2, path)
    for tables in (tables_of(ruleset, "loners", "greedy", "random", seed=5), asked["ladder"]):
        with pytest.raises(OtherQuestion, match="another question"), Store(path) as store:
            store.begin(tables)


COMPANIES = {
    "none": None,
    "of no room": {"others": ["loners"], "room": 0, "kind": "official"},
    "with the card itself": {"others": ["dwellers"], "room": 2, "kind": "official"},
    "with a card twice": {"others": ["loners", "loners"], "room": 2, "kind": "official"},
    "of other cards": {"others": ["loners"], "room": 2, "kind": "official"},
    "of numbers": [1, 2],
}


@pytest.mark.parametrize("company", COMPANIES)
def test_a_file_with_a_company_that_cannot_be_is_damaged(
    company: str, tmp_path: Path, asked: dict[str, QuestionTables]
) -> None:
    path = tmp_path / "games.sqlite"
    told(asked["balance"], 3, path)
    text = json.dumps(COMPANIES[company])
    for change in _changes(path):
        change.execute("DELETE FROM facts WHERE name = 'company'")
        if COMPANIES[company] is not None:
            change.execute("INSERT INTO facts VALUES ('company', ?)", [text])
    with pytest.raises(DamagedFile, match="is damaged"), Store(path) as store:
        answer_in_file(store)


def test_a_deal_without_one_of_its_tables_is_damage(
    tmp_path: Path, asked: dict[str, QuestionTables]
) -> None:
    """Though the file has as many rows as it should."""
    path = tmp_path / "games.sqlite"
    told(asked["balance"], 3, path)
    for change in _changes(path):
        change.execute("UPDATE results SET deal = 9 WHERE deal = 1 AND side = 1")
    with pytest.raises(DamagedFile, match="some of its games"), Store(path) as store:
        store.check()
        list(payments(store, 3))


def _changes(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the file, to be changed as a stranger could."""
    with sqlite3.connect(path) as db:
        yield db
    db.close()
