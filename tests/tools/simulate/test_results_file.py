"""A file of games is read as from a stranger, and closed again if it cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kbrules.tools.balance.playing import BalanceQuestion, Results, StoredResults
from kbrules.tools.simulate import results_file
from kbrules.tools.simulate.results_file import DamagedFile, UnusableFile
from kbrules.tools.simulate.run import Store

QUESTION = BalanceQuestion("dwellers", ())


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


WRITTEN = """
    INSERT INTO spans VALUES (0, 2, 0.5), (2, 1, 0.5);
    INSERT INTO results VALUES (0, 'a', 1, '[]', '[]'), (1, 'a', 1, '[]', '[]'),
                               (2, 'a', 1, '[]', '[]');
    """
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"
FOREIGN = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON spans BEGIN DELETE FROM facts; END",
    "a view": "CREATE VIEW more AS SELECT * FROM facts",
    "a view without an end": f"DROP TABLE facts; CREATE VIEW facts (name, value) AS {ENDLESS}",
    "an index": "CREATE INDEX i ON results (games)",
    "another table": "CREATE TABLE more (name TEXT)",
    "no table of games": "DROP TABLE results",
    "a table of other columns": "DROP TABLE results; CREATE TABLE results (deal INTEGER)",
    "a column that is worked out": "DROP TABLE spans; CREATE TABLE spans (first INTEGER PRIMARY "
    "KEY, deals INTEGER NOT NULL, seconds REAL NOT NULL, more AS (abs(-9223372036854775808)))",
    "another format": "UPDATE facts SET value = 'kbrules balance 0' WHERE name = 'format'",
    "no question": "DELETE FROM facts WHERE name = 'question'",
}
DAMAGED = {
    "a blob in a column of numbers": "UPDATE results SET games = x'ff' WHERE deal = 1",
    "a text in a column of numbers": "UPDATE spans SET deals = 'two' WHERE first = 0",
    "a blob in a column of texts": "UPDATE facts SET value = x'ff' WHERE name = 'version'",
    "spans that overlap": "UPDATE spans SET deals = 3 WHERE first = 0",
    "a span of nothing": "UPDATE spans SET deals = 0 WHERE first = 2",
    "a span before the first": "UPDATE spans SET first = -1 WHERE first = 0",
    "a span without an end": "UPDATE spans SET deals = 9223372036854775807 WHERE first = 2",
}


def _measured(path: Path, changes: str = "") -> Path:
    """A file of a balance, and in it what somebody changed."""
    with Results(path, QUESTION, "0f"):
        pass
    with sqlite3.connect(path) as db:
        db.executescript(WRITTEN + changes)
    db.close()
    return path


def test_an_untouched_file_is_read(tmp_path: Path) -> None:
    with StoredResults(_measured(tmp_path / "games.sqlite")) as results:
        assert (results.done, results.games) == (3, 3)


@pytest.mark.parametrize("change", FOREIGN)
def test_what_holds_anything_but_our_tables_is_foreign(change: str, tmp_path: Path) -> None:
    path = _measured(tmp_path / "games.sqlite", FOREIGN[change])
    before = path.read_bytes()
    for opened in (lambda: StoredResults(path), lambda: Results(path, QUESTION, "0f")):
        with pytest.raises(UnusableFile, match="holds something else than games of"):
            opened()
    assert path.read_bytes() == before


@pytest.mark.parametrize("change", DAMAGED)
def test_values_that_nothing_of_ours_writes_are_damage(change: str, tmp_path: Path) -> None:
    path = _measured(tmp_path / "games.sqlite", DAMAGED[change])
    with pytest.raises(DamagedFile, match="is damaged"), StoredResults(path) as results:
        results.done  # noqa: B018


def test_the_work_of_examining_a_file_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _measured(tmp_path / "games.sqlite")
    monkeypatch.setattr(results_file, "_FREE_STEPS", 0)
    monkeypatch.setattr(results_file, "_STEPS_PER_BYTE", 0)
    monkeypatch.setattr(results_file, "_STEPS_AT_ONCE", 1)
    with pytest.raises(UnusableFile, match="is no file of games: interrupted"):
        StoredResults(path)
