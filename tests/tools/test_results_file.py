"""A file that cannot be used is closed again: Python 3.13 tells connections that are left open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kbrules.tools.measuring.results_file import UnusableFile
from kbrules.tools.measuring.simulate.store import Store


@pytest.mark.parametrize("is_database", [False, True])
def test_a_file_of_other_things_is_closed(
    is_database: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
