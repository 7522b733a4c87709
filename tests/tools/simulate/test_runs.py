"""Runs: the same games by any number of processes, none lost, and files read as from a stranger."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from kbrules.engine.matches import outcome
from kbrules.engine.setup import choose_table, game_at, with_cards
from kbrules.tools.bots import bot_named
from kbrules.tools.ladder import ladder_report, pairings
from kbrules.tools.processes import RulesChanged, WorkerLost, WorkerPool
from kbrules.tools.simulate import results_file, run
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.report import simulate
from kbrules.tools.simulate.results_file import (
    DamagedFile,
    DealSpan,
    OtherQuestion,
    PlayedSpan,
    Store,
    UnusableFile,
)
from kbrules.tools.simulate.run import NATIVE_METHOD, REFERENCE_METHOD, play
from tests.tools.simulate.small import alone, fell, many, play_into, question, told

DEALS = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fell(tmp_path_factory.mktemp("games") / "fell")


@pytest.fixture(scope="module")
def tables(folder: Path) -> QuestionTables:
    return QuestionTables(question(folder, ("rowers",), ("gulls",)))


@pytest.fixture(scope="module")
def expected(tables: QuestionTables) -> list[tuple[object, ...]]:
    """All rows, played one after the other by this process."""
    with Store() as store:
        play_into(store, tables, DEALS)
        return told(store)


@pytest.mark.parametrize("jobs", [2, pytest.param(16, marks=pytest.mark.slow)])
def test_any_number_of_processes_plays_the_same_games(
    jobs: int, tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    pool = many(tables, jobs)
    try:
        with Store() as store:
            play_into(store, tables, DEALS, pool)
            assert told(store) == expected
            assert store.done == DEALS and not [*store.missing(DEALS)]
    finally:
        pool.close()


def test_every_deal_is_played_once_by_everybody_on_every_side(
    expected: list[tuple[object, ...]],
) -> None:
    seen = [row[:5] for row in expected]
    assert len({*seen}) == len(seen)
    lineups = [("greedy,random", 0), ("greedy,random", 1), ("random", 0)]
    assert seen == [
        (deal, side, *lineup, player)
        for deal in range(DEALS)
        for side in range(2)
        for lineup in lineups
        for player in range(2)
    ]


def test_what_is_there_already_is_not_played_again(
    tmp_path: Path, tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    """Spans that came in any order, and a file that is opened anew."""
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.begin(tables)
        for span in (DealSpan(40, 7), DealSpan(0, 3), DealSpan(10, 20)):
            store.add(play(tables, span))
        assert store.done == 3
        assert [*store.missing(50)] == [DealSpan(3, 7), DealSpan(30, 10), DealSpan(47, 3)]
        assert [*store.missing(12)] == [DealSpan(3, 7)]
    played: list[DealSpan] = []

    def counting(span: DealSpan) -> PlayedSpan:
        played.append(span)
        return play(tables, span)

    with Store(path) as store:
        play_into(store, tables, DEALS, WorkerPool(counting))
        assert told(store) == expected
    assert sum(span.deals for span in played) == DEALS - 30


def test_a_game_is_never_counted_twice(tmp_path: Path, tables: QuestionTables) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(0, 5)))
        before = told(store)
        with pytest.raises(UnusableFile):
            store.add(play(tables, DealSpan(4, 3)))
        assert told(store) == before and store.done == 5


def test_a_file_about_another_question_is_refused(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "games.sqlite"
    asked = question(folder, ("rowers",))
    with Store(path) as store:
        store.begin(QuestionTables(asked))
    with Store(path) as store:
        store.begin(QuestionTables(asked))
        assert store.question == asked
        with pytest.raises(OtherQuestion, match="another question"):
            store.begin(QuestionTables(question(folder, ("rowers",), seed=1)))


def test_rules_that_changed_are_another_question(tmp_path: Path) -> None:
    home, path = fell(tmp_path / "fell"), tmp_path / "games.sqlite"
    with Store(path) as store:
        store.begin(QuestionTables(question(home)))
    rules = home / "rules" / "fell.kb"
    rules.write_text(rules.read_text().replace("gold 2 per", "gold 3 per"))
    with Store(path) as store, pytest.raises(OtherQuestion, match="changed"):
        store.begin(QuestionTables(question(home)))


def test_what_is_no_simulation_is_refused_and_left_alone(tmp_path: Path) -> None:
    import sqlite3

    notes, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    notes.write_text("The heath is dull without a lake.\n")
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE facts (name, value)")
    db.close()
    for path in (notes, other):
        before = path.read_bytes()
        with pytest.raises(UnusableFile):
            Store(path)
        assert path.read_bytes() == before


def test_a_question_comes_back_from_plain_data(folder: Path) -> None:
    asked = question(folder, ("rowers",), (), seed=-4, per_table=3, grids={"north": "fell"})
    assert TypeAdapter(Question).validate_json(json.dumps(asked.to_json())) == asked
    assert asked.is_possible


def test_a_deal_is_the_game_of_its_seed(
    tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    """Of the table that anybody would lay by that seed, with the card that was asked for."""
    (ruleset, _), bots = tables.rulesets, [bot_named("random")] * 2
    mine = [row for row in expected if row[1] == 0 and row[2] == "random"]
    for deal in range(10):
        table = choose_table(ruleset, 2, deal)
        if "gulls" in table.cards:
            continue  # a card of the other side is not drawn
        found = outcome(game_at(ruleset, with_cards(ruleset, table, ["rowers"])), deal, bots)
        assert tuple(row[10] for row in mine if row[0] == deal) == found.totals


def test_both_sides_have_the_same_table_but_for_their_own_cards(folder: Path) -> None:
    tables = QuestionTables(question(folder, ("rowers",), ("gulls",)))
    for number in range(20):
        deal = tables.question.deal(number)
        one, two = (tables.table(deal, side) for side in range(2))
        assert one.layout == two.layout and one.tiles == two.tiles
        assert (one.cards, two.cards) == (("rowers", "watchers"), ("gulls", "watchers"))


def test_without_a_card_nothing_lies_in_its_place(folder: Path) -> None:
    tables = QuestionTables(question(folder, (), ("rowers",)))
    for number in range(20):
        without, with_ = (tables.table(tables.question.deal(number), side) for side in range(2))
        assert with_.cards == ("rowers", *without.cards) and len(with_.cards) == 2


def test_deals_on_one_table_differ(folder: Path) -> None:
    tables = QuestionTables(question(folder, per_table=5))
    deals = [tables.question.deal(number) for number in range(10)]
    assert [deal.table for deal in deals] == [0] * 5 + [5] * 5
    assert [deal.seed for deal in deals] == [*range(10)]
    games = [tables.game(deal, 0) for deal in deals]
    assert len({id(game) for game in games}) == 2


KILLED = """\
import sys, time
from pathlib import Path
from kbrules.tools.simulate.results_file import Store
from kbrules.tools.simulate.run import QuestionTables
from tests.tools.simulate.small import many, play_into, question

if __name__ == "__main__":
    tables = QuestionTables(question(Path(sys.argv[1]), ("rowers",), ("gulls",)))
    with Store(sys.argv[2]) as store:
        play_into(store, tables, 10**6, many(tables, 2))
"""


def test_rules_that_change_while_they_are_played_are_noticed(
    tables: QuestionTables, folder: Path
) -> None:
    rules = folder / "rules" / "fell.kb"
    text = rules.read_text()
    for changed in (text.replace("gold 2 per", "gold 3 per"), f"{text}rule nothing"):
        rules.write_text(changed)
        pool = many(tables, 1)
        try:
            with Store() as store, pytest.raises(RulesChanged):
                play_into(store, tables, 3, pool)
        finally:
            pool.close()
            rules.write_text(text)


def test_a_process_that_is_ended_by_others_is_missed(tables: QuestionTables) -> None:
    pool = many(tables, 1)
    try:
        with Store() as store:
            play_into(store, tables, 3, pool)
            done = store.done
            for process in active_children():
                process.kill()
            with pytest.raises(WorkerLost):
                play_into(store, tables, 6, pool)
            assert store.done >= done
    finally:
        pool.close()


def test_what_takes_too_long_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that needs an hour for its first move has no say in when a run ends."""
    monkeypatch.setattr(run, "MIN_GRACE_SECONDS", 0.2)
    tables = QuestionTables(replace(question(folder), lineups=(("mc:999999",) * 2,)))
    pool, begun = many(tables, 1), time.perf_counter()
    try:
        with Store() as store:
            store.begin(tables)
            run.play_until(store, pool, 5, 1, lambda _: None, begun + 0.2)
            assert store.done == 0 and time.perf_counter() - begun < 60
    finally:
        pool.close()


INTERRUPTED = pytest.param(signal.SIGINT, marks=pytest.mark.slow)


@pytest.mark.parametrize("how", [signal.SIGKILL, INTERRUPTED])
def test_who_is_killed_loses_nothing_that_was_done(
    how: signal.Signals, tmp_path: Path, folder: Path, tables: QuestionTables
) -> None:
    program, path = tmp_path / "killed.py", tmp_path / "games.sqlite"
    program.write_text(KILLED)
    command = [sys.executable, str(program), str(folder), str(path)]
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=where, stderr=subprocess.DEVNULL) as process:
        reached = max(_reached(path, 40))
        pool = _children(process.pid)
        process.send_signal(how)
        process.wait(20)
    with Store(path) as store:
        assert store.done >= reached
        deals = store.done
        assert store.games == 6 * sum(
            span for _, span in store.rows("SELECT first, deals FROM spans")
        )
        play_into(store, tables, deals)
        rows = told(store)
    with Store() as store:
        play_into(store, tables, deals)
        assert [row for row in rows if int(str(row[0])) < deals] == told(store)
    _gone(pool)


def _reached(path: Path, wanted: int) -> Iterator[int]:
    """How many deals are done, again and again, until they are enough."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists():
            with Store(path) as store:
                done = store.done if store.facts else 0
            yield done
            if done >= wanted:
                return
        time.sleep(0.05)
    raise AssertionError("nothing was played")


def _children(pid: int) -> list[int]:
    folder = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in folder.read_text().split()] if folder.exists() else []


def _gone(pids: list[int]) -> None:
    """The pool goes home with whoever called it."""
    end = time.monotonic() + 15
    left = pids
    while left and time.monotonic() < end:
        time.sleep(0.05)
        left = [pid for pid in left if Path(f"/proc/{pid}").exists() and _runs(pid)]
    assert not left


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_the_native_program_plays_the_same_games(
    tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    pytest.importorskip("numba")
    with Store() as store:
        play_into(store, tables, DEALS, alone(tables, NATIVE_METHOD))
        assert told(store) == expected


def test_bots_that_look_ahead_natively_play_the_same_games(folder: Path) -> None:
    pytest.importorskip("numba")
    asked = replace(question(folder), lineups=(("mc:6", "greedy"), ("mc:4", "mc:6")))
    rows = []
    for way in (REFERENCE_METHOD, NATIVE_METHOD):
        with Store() as store:
            tables = QuestionTables(asked)
            play_into(store, tables, 3, alone(tables, way))
            rows.append(told(store))
    assert rows[0] == rows[1] and rows[0]


class CountingExecutor(ThreadPoolExecutor):
    """Counts what it was given to do."""

    submitted = 0

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        """Count it, and do it."""
        self.submitted += 1
        return super().submit(*given, **named)


@pytest.fixture
def asked(tmp_path: Path) -> Question:
    return question(fell(tmp_path / "fell"), ("rowers",))


def test_an_executor_plays_the_same_games_and_stays_open(asked: Question, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with CountingExecutor(2) as executor:
        report = simulate(asked, 12, file, executor, jobs=2)
        assert executor.submitted > 0
        assert executor.submit(len, report.lines).result() > 0
    assert report.data == simulate(asked, 12).data
    with Store(file) as store, Store() as expected:
        play_into(expected, QuestionTables(asked), 12)
        assert told(store) == told(expected)


def test_what_a_file_has_is_not_played_again(asked: Question, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    simulate(asked, 5, file)
    with ThreadPoolExecutor(1) as executor:
        executor.shutdown()
        assert simulate(asked, 5, file, executor).data.deals == 5
    with pytest.raises(OtherQuestion):
        simulate(question(tmp_path / "fell", ("gulls",)), 5, file)


def test_another_report_can_be_made_of_the_answer(asked: Question) -> None:
    bots = Question((Side((), asked.sides[0].folders),), 2, pairings(("random", "greedy")))
    assert "8 games" in simulate(bots, 4, report=ladder_report).lines[0]


@pytest.mark.parametrize("is_database", [False, True])
def test_a_file_of_other_things_is_closed(
    is_database: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.13 tells connections that are left open."""
    path = tmp_path / "games.db"
    if is_database:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE birds (name TEXT)")
        other.close()
    else:
        path.write_text("no database at all, however long it may be\n" * 40, encoding="utf-8")
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def recorded(*words: str, **options: float) -> sqlite3.Connection:
        opened.append(connect(words[0], **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", recorded)
    with pytest.raises(UnusableFile):
        Store(path)
    (connection,) = opened
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"
FOREIGN = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON spans BEGIN DELETE FROM facts; END",
    "a view": "CREATE VIEW more AS SELECT * FROM facts",
    "a view without an end": f"DROP TABLE facts; CREATE VIEW facts (name, value) AS {ENDLESS}",
    "an index": "CREATE INDEX i ON results (total)",
    "another table": "CREATE TABLE more (name TEXT)",
    "no table of games": "DROP TABLE results",
    "a table of other columns": "DROP TABLE results; CREATE TABLE results (deal INTEGER)",
    "a column that is worked out": "DROP TABLE spans; CREATE TABLE spans (first INTEGER PRIMARY "
    "KEY, deals INTEGER NOT NULL, seconds REAL NOT NULL, more AS (abs(-9223372036854775808)))",
    "another format": "UPDATE facts SET value = 'kbrules simulation 0' WHERE name = 'format'",
    "no question": "DELETE FROM facts WHERE name = 'question'",
}
DAMAGED = {
    "a blob in a column of numbers": "UPDATE results SET total = x'ff' WHERE deal = 1",
    "a text in a column of numbers": "UPDATE spans SET deals = 'two' WHERE first = 0",
    "a blob in a column of texts": "UPDATE facts SET value = x'ff' WHERE name = 'version'",
    "spans that overlap": "UPDATE spans SET deals = 3 WHERE first = 0",
    "a span of nothing": "UPDATE spans SET deals = 0 WHERE first = 2",
    "a span before the first": "UPDATE spans SET first = -1 WHERE first = 0",
    "a span without an end": "UPDATE spans SET deals = 9223372036854775807 WHERE first = 2",
}


@pytest.fixture
def written(tmp_path: Path, tables: QuestionTables) -> Callable[[str], Path]:
    """What writes a file of games, and in it what somebody changed."""

    def write(changes: str) -> Path:
        path = tmp_path / "games.sqlite"
        with Store(path) as store:
            store.begin(tables)
            for span in (DealSpan(0, 2), DealSpan(2, 1)):
                store.add(play(tables, span))
        with sqlite3.connect(path) as db:
            db.executescript(changes)
        db.close()
        return path

    return write


def test_an_untouched_file_is_read(written: Callable[[str], Path]) -> None:
    with Store(written("")) as store:
        assert (store.done, store.games) == (3, 18)


@pytest.mark.parametrize("change", FOREIGN)
def test_what_holds_anything_but_our_tables_is_foreign(
    change: str, written: Callable[[str], Path]
) -> None:
    path = written(FOREIGN[change])
    before = path.read_bytes()
    with pytest.raises(UnusableFile, match="holds something else than games of"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("change", DAMAGED)
def test_values_that_nothing_of_ours_writes_are_damage(
    change: str, written: Callable[[str], Path]
) -> None:
    path = written(DAMAGED[change])
    with pytest.raises(DamagedFile, match="is damaged"), Store(path) as store:
        store.done  # noqa: B018


def test_the_work_of_examining_a_file_is_bounded(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written("")
    monkeypatch.setattr(results_file, "_FREE_STEPS", 0)
    monkeypatch.setattr(results_file, "_STEPS_PER_BYTE", 0)
    monkeypatch.setattr(results_file, "_STEPS_AT_ONCE", 1)
    with pytest.raises(UnusableFile, match="is no file of games: interrupted"):
        Store(path)
