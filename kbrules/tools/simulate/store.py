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


_TABLES = {"facts", "spans", "stand_ins", "results"}
_ANOTHER = "name another file with `--into`, or none: then every question has one of its own"


class Unusable(Exception):
    """A file that is no simulation, or that cannot be written. Code KB056; help: what to do."""

    code = "KB056"

    def __init__(self, message: str, help: str = _ANOTHER) -> None:
        super().__init__(message)
        self.help = help


class OtherQuestion(Exception):
    """A file that answers another question. Code KB055; help: what to do."""

    code, help = "KB055", _ANOTHER


class Store:
    """The rows of one question. Use it as a context; what was added stays, whatever happens.

    Within it, whatever is wrong with the file becomes Unusable.
    """

    def __init__(self, path: str | Path = MEMORY) -> None:
        """Opened to be read; `begin` makes it ready for a question.

        Unusable if there is something else in the file, or no way to it.
        """
        self.path = str(path)
        try:
            self._db = sqlite3.connect(self.path, timeout=_PATIENCE)
            self._db.isolation_level = None  # transactions begin and end here, and nowhere else
            held = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master")}
        except sqlite3.DatabaseError as error:
            raise Unusable(f"`{self.path}` is no simulation: {error}") from None
        self._is_new = not held
        is_one = held >= _TABLES and self.facts.get("format") == _FORMAT
        if not (self._is_new or (is_one and self.facts.keys() >= {*_IDENTITY, "titles"})):
            raise Unusable(f"`{self.path}` holds something else than a simulation")

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, at: object
    ) -> None:
        self._db.close()
        if isinstance(fault, sqlite3.DatabaseError):
            raise Unusable(f"`{self.path}` cannot be read: {fault}") from None

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
        names = ", ".join(map(_column, columns(tables.rules, tables.tiles)))
        with _writing(self.path):
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
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

    def aim(self, until: float) -> None:
        """Keep in mind how well a run wants to know before it stops, 0 if that is no matter."""
        with _writing(self.path), _transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", ("until", repr(until)))

    @property
    def until(self) -> float:
        """How well the last run wanted to know before it stopped; 0 if that was no matter."""
        return float(self.facts.get("until", 0))

    def add(self, played: Played) -> None:
        """Keep what was played, all of it or nothing; Unusable if any of it is there already."""
        with _writing(self.path), _transaction(self._db):
            span = *played.span, played.seconds
            self._db.execute("INSERT INTO spans VALUES (?, ?, ?)", span)
            marks = ", ".join("?" * len(self.columns))
            self._db.executemany(f"INSERT INTO results VALUES ({marks})", played.rows)
            ids = [(section,) for section in sorted(played.stand_ins)]
            self._db.executemany("INSERT OR IGNORE INTO stand_ins VALUES (?)", ids)

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
def _writing(path: str) -> Iterator[None]:
    """What goes wrong with the file becomes Unusable; whatever was in it stays."""
    try:
        yield
    except sqlite3.IntegrityError:
        reason = "somebody else is playing the same games into it"
        raise Unusable(f"`{path}` cannot be written: {reason}", "wait for them") from None
    except sqlite3.DatabaseError as error:
        help = "games that are done stay in it; the same command goes on once it can be written"
        raise Unusable(f"`{path}` cannot be written: {error}", help) from None


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # of a full disk it ends by itself
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
