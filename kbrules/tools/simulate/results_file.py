"""A file of games: SQLite, in which the rows of finished deals are kept, each of them once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from hashlib import blake2b
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from kbrules import __version__, diagnostics
from kbrules.library.locks import brief, differences, read_brief
from kbrules.tools.simulate.question import (
    FIXED,
    Company,
    Question,
    QuestionTables,
    Row,
    column,
    columns,
    lineup_name,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter


MEMORY = ":memory:"
CONTENTS = "contents"
_FORMAT = "kbrules simulation 2"
IDENTITY = ("question", "rules", "version")  # facts that make it this question and no other
REQUIRED_FACTS = frozenset({*IDENTITY, "titles"})
_TIMEOUT_SECONDS = 10  # seconds that a reader may hold up a writer
_TABLES = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE spans (first INTEGER PRIMARY KEY, deals INTEGER NOT NULL, seconds REAL NOT NULL)",
    "CREATE TABLE stand_ins (section TEXT PRIMARY KEY) WITHOUT ROWID",
)
_RESULTS = (
    "CREATE TABLE results ({}, PRIMARY KEY (deal, side, lineup, rotation, player)) WITHOUT ROWID"
)
_READ_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
_LONGEST_VALUE = 1 << 26
"""Bytes of the longest text that is read; the facts of the largest question have far fewer."""
_STEPS_PER_BYTE, _FREE_STEPS = 50, 10_000_000
"""How many steps SQLite may take to examine a file. Ours need fewer than ten a byte; a file whose
pages lie in one another has no end of rows."""
_STEPS_AT_ONCE = 100_000
_MOST_DEALS = 1 << 40
Fact = TypeVar("Fact")
_OTHER_FILE = "name another file with `--into`, or none: then every question has one of its own"


class UnusableFile(diagnostics.CodedError):
    """A file of other things, or one that cannot be written. Code KB056."""

    code, help = "KB056", _OTHER_FILE


class DamagedFile(UnusableFile):
    """A file of games of which something cannot be what was written. Code KB056."""


class OtherQuestion(diagnostics.CodedError):
    """A file that answers another question. Code KB055."""

    code, help = "KB055", _OTHER_FILE


class DealSpan(NamedTuple):
    """Deals in a row: the number of the first, and how many they are."""

    first: int
    deals: int


@dataclass(frozen=True, slots=True)
class PlayedSpan:
    """The rows of some deals, how long it took in seconds, and the invented maps that lay there.

    by_reference: games that needed more room than the engine has, and were played by the reference.
    """

    span: DealSpan
    rows: tuple[Row, ...]
    seconds: float
    stand_ins: frozenset[str]
    by_reference: int = 0


class Store:
    """The games of one question. Use it as a context; what was added stays, whatever happens.

    Within it, whatever is wrong with the file becomes UnusableFile. Its tables are `facts` (the
    question, the rules, the version, titles in JSON), `spans`, `stand_ins` (sections with an
    invented map that lay on a table) and `results`: a row for each player of each game, of which
    `question.COLUMNS` says what it holds.
    """

    def __init__(self, path: str | Path = MEMORY) -> None:
        """Opened to be read; `begin` makes it ready for a question.

        Unusable if there is something else in the file, or no way to it.
        """
        self.path = str(path)
        try:
            self._db = sqlite3.connect(self.path, timeout=_TIMEOUT_SECONDS)
        except sqlite3.DatabaseError as error:
            raise UnusableFile(f"`{self.path}` is no file of games: {error}") from None
        try:
            self._examine()
        except BaseException:
            self._db.close()
            raise

    def _examine(self) -> None:
        """See whether the file is new, or one of such games; `UnusableFile` if it is neither.

        A file may come from a stranger: it holds our tables as we make them, with values of the
        right types, and nothing else, before any other query is run.
        """
        self._db.isolation_level = None  # transactions begin and end here, and nowhere else
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        try:
            self._db.execute("PRAGMA trusted_schema = OFF")
            self._db.execute("PRAGMA cell_size_check = ON")
            tables = self._tables()
            is_ours = tables is not None and (not tables or self._holds_games(tables))
        except _READ_ERRORS as error:
            raise UnusableFile(f"`{self.path}` is no file of games: {error}") from None
        if not is_ours:
            raise UnusableFile(f"`{self.path}` holds something else than games of kbrules")
        self._is_new = not tables

    def _tables(self) -> dict[str, str] | None:
        """Return the tables of the file, each with its statement; None if there is more."""
        found = self._db.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100").fetchall()
        if any(kind != "table" for kind, _, _ in found):
            return None
        return {name: sql for _, name, sql in found}

    def _holds_games(self, tables: Mapping[str, str]) -> bool:
        """Return whether the tables are those of such a file; `DamagedFile` if a value is not."""
        try:
            columns = [row[1] for row in self._db.execute("PRAGMA table_info(results)")]
            statements = [*_TABLES, _results_table(columns)]
        except ValueError:
            return False
        if sorted(tables.values()) != sorted(statements):
            return False
        with self._limited_steps():
            for name in tables:
                self._check_types(name)
            facts = self.facts
        return facts.get("format") == _FORMAT and facts.keys() >= REQUIRED_FACTS

    @contextmanager
    def _limited_steps(self) -> Iterator[None]:
        """Let queries take no more steps than a file of this size may need."""
        (pages,), (size,) = (
            self._db.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
        )
        left: list[int] = [(_FREE_STEPS + _STEPS_PER_BYTE * pages * size) // _STEPS_AT_ONCE]

        def stop() -> bool:
            left[0] -= 1
            return left[0] < 0

        self._db.set_progress_handler(stop, _STEPS_AT_ONCE)
        try:
            yield
        finally:
            self._db.set_progress_handler(None, 0)

    def _check_types(self, table: str) -> None:
        """Check that each value of a table has the type of its column: SQLite takes any."""
        conditions = []
        for _, name, kind, is_never_empty, _, is_key in self._db.execute(
            f"PRAGMA table_info({table})"
        ):
            allowed = f"'{kind.lower()}'" + ("" if is_never_empty or is_key else ", 'null'")
            conditions.append(f'typeof("{name}") IN ({allowed})')
        query = f"SELECT 1 FROM {table} WHERE NOT ({' AND '.join(conditions)}) LIMIT 1"
        if self._db.execute(query).fetchone():
            raise self.damaged(f"a value of its {table}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, at: object
    ) -> None:
        self._db.close()
        if isinstance(fault, _READ_ERRORS):
            raise UnusableFile(f"`{self.path}` cannot be read: {fault}") from None

    @property
    def facts(self) -> dict[str, str]:
        """What the file says of itself; nothing of a new one."""
        if not self._tables():
            return {}
        return dict(self._db.execute("SELECT name, value FROM facts").fetchall())

    def fact(self, name: str, kind: type[Fact]) -> Fact:
        """Return a fact that is said in JSON; `UnusableFile` if it is none of its kind."""
        hashable: Any = kind
        try:
            value: Fact = _reader(hashable).validate_json(self.facts[name])
        except ValueError:
            raise self.damaged(f"its {name}") from None
        return value

    def damaged(self, what: str) -> DamagedFile:
        """The refusal of a file of which something cannot be what was written."""
        message = f"`{self.path}` is damaged: {what} cannot be read"
        return DamagedFile(message, "play the games again, into another file")

    def _create_or_check(self, facts: Mapping[str, str], columns: Sequence[str]) -> None:
        """Make a new file ready for a question, or see that the file is about this very one.

        columns: the names of those of `results`. OtherQuestion if it is not: also when rules
        or kbrules have changed since.
        """
        if not self._is_new:
            self._check_identity(facts)
            return
        with _refusals(self.path):
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                if not self._tables():  # no other run has begun it meanwhile
                    for statement in (*_TABLES, _results_table(columns)):
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO facts VALUES ('format', ?)", (_FORMAT,))
                    self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        self._is_new = False
        if self.facts.get("format") != _FORMAT:
            raise UnusableFile(f"`{self.path}` holds something else than games of kbrules")
        self._check_identity(facts)

    def _check_identity(self, wanted: Mapping[str, str]) -> None:
        facts = self.facts
        differing = [name for name in IDENTITY if facts[name] != wanted[name]]
        if differing:
            rules = f"rules that {_changes_text(facts, wanted)}"
            version = f"kbrules {facts['version']}"
            what = {"question": "another question", "rules": rules, "version": version}
            raise OtherQuestion(f"`{self.path}` is about {what[differing[0]]}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What is written meanwhile is kept, all of it or nothing."""
        with _refusals(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield

    def rows(self, query: str, values: Sequence[int | str] = ()) -> Iterator[tuple[Any, ...]]:
        """What a query finds."""
        return self._db.execute(query, values)

    @property
    def done(self) -> int:
        """How many deals are done from the first on, without a gap."""
        reached = 0
        for first, count in self._spans():
            if first > reached:
                break
            reached = first + count
        return reached

    def missing(self, deals: int) -> Iterator[DealSpan]:
        """What of so many deals is not done yet."""
        reached = 0
        for first, count in [*self._spans(), (deals, 0)]:
            if reached < min(first, deals):
                yield DealSpan(reached, min(first, deals) - reached)
            reached = first + count

    def _spans(self) -> list[tuple[int, int]]:
        if self._is_new:
            return []
        spans = [*self.rows("SELECT first, deals FROM spans ORDER BY first")]
        reached = 0
        for first, count in spans:
            if first < reached or not 0 < count <= _MOST_DEALS:
                raise self.damaged("how many deals are done")
            reached = first + count
        return spans

    @cached_property
    def question(self) -> Question:
        """The question that the rows answer; `UnusableFile` if there is none such."""
        question = self.fact("question", Question)
        if not question.is_possible:
            raise self.damaged("its question")
        return question

    @cached_property
    def company(self) -> Company | None:
        """The cards next to the one that is measured, if the question is about a card."""
        if not self.question.beside:
            return None
        company = self.fact("company", Company) if "company" in self.facts else None
        if company is None or not company.is_possible(self.question.beside):
            raise self.damaged("which cards lay on the tables")
        return company

    @property
    def tables_per_deal(self) -> int:
        """How many tables each deal has: one a side, or those of the company of a card."""
        return len(self.question.sides) if self.company is None else self.company.tables

    def check(self) -> None:
        """Check that there is a row for each player of each deal; `DamagedFile` if not."""
        sides, lineups = range(self.tables_per_deal), self.question.lineups
        expected = {(s, lineup_name(bots), bot) for s in sides for bots in lineups for bot in bots}
        players = {*self.rows("SELECT DISTINCT side, lineup, bot FROM results")}
        if self.done and players != expected:
            raise self.damaged("who played its games")
        count = next(self.rows("SELECT count(*) FROM results"))[0]
        games = self.tables_per_deal * len(self.question.seatings)
        deals = sum(deals for _, deals in self._spans())
        if count != deals * games * self.question.players:
            raise self.damaged("some of its games")

    def begin(self, tables: QuestionTables) -> None:
        """Make a new file ready for a question, or see that the file is about this very one.

        OtherQuestion if it is not: also when rules or kbrules have changed since.
        """
        self._create_or_check(facts_of(tables), columns(tables.rules, tables.tiles))
        self.check()

    def adopt(
        self,
        facts: Mapping[str, str],
        names: Sequence[str],
        spans: Iterable[tuple[int, int, float]],
        stand_ins: Iterable[str],
        rows: Iterable[Row],
    ) -> None:
        """Take in what another store holds, all of it or nothing.

        OtherQuestion if it is about another question, UnusableFile if a deal is there already,
        DamagedFile if the rows are not those of the spans.
        """
        self._create_or_check(facts, names)
        with self._writing():
            was_empty = not self._spans()
            try:
                self._db.executemany("INSERT INTO spans VALUES (?, ?, ?)", spans)
                self._fill(rows, stand_ins)
            except sqlite3.IntegrityError:
                raise self._twice(was_empty) from None
            self.check()

    def _twice(self, was_empty: bool) -> UnusableFile:
        """The refusal of deals that are there already, in the file or among those taken in."""
        if was_empty:
            return self.damaged("some of its games")
        message = f"`{self.path}` has some of these deals already"
        return UnusableFile(message, "put deals together that no two files have")

    def _fill(self, rows: Iterable[Row], stand_ins: Iterable[str]) -> None:
        marks = ", ".join("?" * len(self.columns))
        self._db.executemany(f"INSERT INTO results VALUES ({marks})", rows)
        ids = [(section,) for section in sorted(stand_ins)]
        self._db.executemany("INSERT OR IGNORE INTO stand_ins VALUES (?)", ids)

    def set_target(self, until: float) -> None:
        """Keep in mind how well a run wants to know before it stops, 0 if that is no matter."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", ("until", repr(until)))

    @property
    def until(self) -> float:
        """How well the last run wanted to know before it stopped; 0 if that was no matter."""
        if "until" not in self.facts:
            return 0
        until = self.fact("until", float)
        if not 0 <= until < inf:
            raise self.damaged("its aim")
        return until

    def add(self, played: PlayedSpan) -> None:
        """Keep what was played, all of it or nothing; Unusable if any of it is there already."""
        with self._writing():
            values = (*played.span, played.seconds)
            self._db.execute("INSERT INTO spans VALUES (?, ?, ?)", values)
            self._fill(played.rows, played.stand_ins)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of the results."""
        return tuple(row[1] for row in self._db.execute("PRAGMA table_info(results)"))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """The sections with an invented map that lay on a table."""
        return tuple(row[0] for row in self.rows("SELECT section FROM stand_ins ORDER BY section"))

    @property
    def games(self) -> int:
        """How many games are told in all."""
        return int(next(self.rows("SELECT count(*) FROM results WHERE player = 0"))[0])


def facts_of(tables: QuestionTables) -> dict[str, str]:
    """What the file of a question says of itself."""
    company = {} if tables.company is None else {"company": json.dumps(asdict(tables.company))}
    return {
        "question": json.dumps(tables.question.to_json(), sort_keys=True),
        "rules": json.dumps(tables.digests),
        CONTENTS: json.dumps([brief(each.contents) for each in tables.rulesets]),
        "version": __version__,
        "titles": json.dumps(tables.titles, sort_keys=True),
        **company,
    }


def _results_table(columns: Sequence[str]) -> str:
    """Return the statement that makes the table of results; ValueError of an unknown column."""
    kinds = ((name, "INTEGER" if column(name).bits else "TEXT") for name in columns)
    parts = (f'"{name}" {kind}{" NOT NULL" * (name in FIXED)}' for name, kind in kinds)
    return _RESULTS.format(", ".join(parts))


def _changes_text(facts: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """That rules have changed since a file was written, and how, as far as it says that."""
    try:
        sides = zip(json.loads(facts[CONTENTS]), json.loads(wanted[CONTENTS]), strict=True)
        lines = [line for side in sides for line in differences(*map(read_brief, side))]
    except (KeyError, TypeError, ValueError):
        lines = []
    text = "; ".join(dict.fromkeys(lines))
    return f"have changed since: {text}" if text else "have changed since"


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    """What reads JSON of a kind; it takes longer to make than to use."""
    from pydantic import TypeAdapter  # slow to load

    return TypeAdapter(kind)


def default_name(noun: str, facts: Mapping[str, str]) -> str:
    """The name of the file for a question that was given no other: the same for the same one."""
    identity = "\n".join(facts[name] for name in IDENTITY)
    return f"{noun}-{blake2b(identity.encode(), digest_size=4).hexdigest()}.sqlite"


@contextmanager
def _refusals(path: str) -> Iterator[None]:
    """What goes wrong with the file becomes Unusable; whatever was in it stays."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.OperationalError) as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" not in str(error):
            raise _unwritable(path, error) from None
        reason = "somebody else is playing the same games into it"
        raise UnusableFile(f"`{path}` cannot be written: {reason}", "wait for them") from None
    except sqlite3.DatabaseError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: Exception) -> UnusableFile:
    help = "games that are done stay in it; the same command goes on once it can be written"
    return UnusableFile(f"`{path}` cannot be written: {error}", help)
