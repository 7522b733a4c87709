"""The file of a simulation: SQLite, in which finished deals are kept, each of them once.

Tables:
    facts(name, value)      `format`, `question` (JSON), `rules` (a digest for each side, JSON),
                            `version` of kbrules, `titles` (JSON)
    spans(first, deals, seconds)    deals that are done, put in together with their rows
    stand_ins(section)      sections with an invented map that lay on a table
    results                 a row for each player of each game; `rows.columns` says of what
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kbrules import __version__
from kbrules.tools.simulate.playing import Played, Span
from kbrules.tools.simulate.question import Question
from kbrules.tools.simulate.rows import FIXED, columns
from kbrules.tools.simulate.tables import Tables

__all__ = ["MEMORY", "OtherQuestion", "Store", "Unusable", "usual_name"]

MEMORY = ":memory:"
_FORMAT = "kbrules simulation 1"
_IDENTITY = ("question", "rules", "version")  # facts that make it this question and no other
_PATIENCE = 10  # seconds that a reader may hold up a writer
_SCHEMA = """\
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spans (first INTEGER PRIMARY KEY, deals INTEGER NOT NULL, seconds REAL NOT NULL);
CREATE TABLE stand_ins (section TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE results ({columns}, PRIMARY KEY (deal, side, party, turned, player)) WITHOUT ROWID;
"""


class Unusable(Exception):
    """A file that is no simulation, or that somebody else writes into. Code KB056."""

    code = "KB056"


class OtherQuestion(Exception):
    """A file that answers another question. Code KB055."""

    code = "KB055"


class Store:
    """The rows of one question. Use it as a context; what was added stays, whatever happens."""

    def __init__(self, path: str | Path = MEMORY) -> None:
        """Opened to be read; `begin` makes it ready for a question.

        Unusable if there is something else in the file; OSError if there is no such folder.
        """
        self.path = str(path)
        self._db = sqlite3.connect(self.path, timeout=_PATIENCE)
        self._db.isolation_level = None  # transactions are begun and ended here, and nowhere else
        try:
            self._is_new = not self._tables()
            if not self._is_new and self.facts.get("format") != _FORMAT:
                raise Unusable(f"`{self.path}` holds something else than a simulation")
        except sqlite3.DatabaseError as error:
            raise Unusable(f"`{self.path}` is no simulation: {error}") from None

    def _tables(self) -> list[Any]:
        return self._db.execute("SELECT name FROM sqlite_master").fetchall()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._db.close()

    @property
    def facts(self) -> dict[str, str]:
        """What the file says of itself."""
        try:
            return dict(self._db.execute("SELECT name, value FROM facts").fetchall())
        except sqlite3.OperationalError:
            return {}

    @property
    def question(self) -> Question:
        """The question that the rows answer."""
        return Question.from_json(json.loads(self.facts["question"]))

    def begin(self, tables: Tables) -> None:
        """Make a new file ready for a question, or see that the file is about this very one.

        OtherQuestion if it is not: also when rules or kbrules have changed since.
        """
        wanted = _facts(tables)
        if not self._is_new:
            self._compare(wanted)
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        names = ", ".join(map(_column, columns(tables.rules, tables.tiles)))
        with _transaction(self._db):
            for statement in _SCHEMA.format(columns=names).split(";\n"):
                self._db.execute(statement)
            self._db.executemany("INSERT INTO facts VALUES (?, ?)", wanted.items())
        self._is_new = False

    def _compare(self, wanted: dict[str, str]) -> None:
        held = self.facts
        differing = [name for name in _IDENTITY if held[name] != wanted[name]]
        if differing:
            what = {"question": "another question", "rules": "rules that have changed since",
                    "version": f"kbrules {held['version']}"}  # fmt: skip
            raise OtherQuestion(f"`{self.path}` is about {what[differing[0]]}")

    def add(self, played: Played) -> None:
        """Keep what was played, all of it or nothing; Unusable if any of it is there already."""
        try:
            with _transaction(self._db):
                span = *played.span, played.seconds
                self._db.execute("INSERT INTO spans VALUES (?, ?, ?)", span)
                marks = ", ".join("?" * len(self.columns))
                self._db.executemany(f"INSERT INTO results VALUES ({marks})", played.rows)
                ids = [(section,) for section in sorted(played.stand_ins)]
                self._db.executemany("INSERT OR IGNORE INTO stand_ins VALUES (?)", ids)
        except sqlite3.DatabaseError as error:
            raise Unusable(f"`{self.path}` cannot be written: {error}") from None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of the results."""
        return tuple(row[1] for row in self._db.execute("PRAGMA table_info(results)"))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """The sections with an invented map that lay on a table."""
        return tuple(row[0] for row in self.rows("SELECT section FROM stand_ins ORDER BY section"))

    def rows(self, query: str, values: Sequence[int | str] = ()) -> Iterator[tuple[Any, ...]]:
        """What a query finds."""
        return self._db.execute(query, values)

    @property
    def games(self) -> int:
        """How many games are told in all."""
        return int(next(self.rows("SELECT count(*) FROM results WHERE player = 0"))[0])

    @property
    def done(self) -> int:
        """How many deals are done from the first on, without a gap."""
        reached = 0
        for first, count in self._spans():
            if first > reached:
                break
            reached = first + count
        return reached

    def missing(self, deals: int) -> Iterator[Span]:
        """What of so many deals is not done yet."""
        reached = 0
        for first, count in [*self._spans(), (deals, 0)]:
            if reached < min(first, deals):
                yield Span(reached, min(first, deals) - reached)
            reached = first + count

    def _spans(self) -> list[tuple[int, int]]:
        return [*self.rows("SELECT first, deals FROM spans ORDER BY first")]


def usual_name(tables: Tables) -> str:
    """The name of the file for a question that was given no other: the same for the same one."""
    facts = _facts(tables)
    said = "\n".join(facts[name] for name in _IDENTITY)
    return f"simulation-{blake2b(said.encode(), digest_size=4).hexdigest()}.sqlite"


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _facts(tables: Tables) -> dict[str, str]:
    return {
        "format": _FORMAT,
        "question": json.dumps(tables.question.to_json(), sort_keys=True),
        "rules": json.dumps(tables.digests),
        "version": __version__,
        "titles": json.dumps(tables.titles, sort_keys=True),
    }


def _column(name: str) -> str:
    kind = "TEXT" if name in ("party", "bot") else "INTEGER"
    empty = " NOT NULL" if name in FIXED else ""
    return f'"{name}" {kind}{empty}'
