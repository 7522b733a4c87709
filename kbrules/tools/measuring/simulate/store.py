"""The file of a simulation: the rows of the games of finished deals.

Tables beside those of every file of games, which also has the fact `titles` (JSON):
    stand_ins(section)      sections with an invented map that lay on a table
    results                 a row for each player of each game; `rows.COLUMNS` says of what
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from sqlite3 import IntegrityError

from kbrules import __version__
from kbrules.library.locks import brief
from kbrules.tools.measuring.results_file import CONTENTS, IDENTITY, ResultsFile, UnusableFile
from kbrules.tools.measuring.simulate.playing import PlayedSpan
from kbrules.tools.measuring.simulate.question import Question, party_name
from kbrules.tools.measuring.simulate.rows import FIXED, Row, column, columns
from kbrules.tools.measuring.simulate.tables import Tables

_STAND_INS = "CREATE TABLE stand_ins (section TEXT PRIMARY KEY) WITHOUT ROWID"
_RESULTS = (
    "CREATE TABLE results ({}, PRIMARY KEY (deal, side, party, turned, player)) WITHOUT ROWID"
)


class Store(ResultsFile):
    """The rows of one question."""

    command = "kbrules simulate"
    file_format = "kbrules simulation 1"
    required_facts = frozenset({*IDENTITY, "titles"})

    @classmethod
    def own_tables(cls, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the statements that make its tables; ValueError of an unknown column."""
        return _STAND_INS, _RESULTS.format(", ".join(map(_column, columns)))

    @cached_property
    def question(self) -> Question:
        """The question that the rows answer; `UnusableFile` if there is none such."""
        question = self.fact("question", Question)
        if not question.is_possible:
            raise self.damaged("its question")
        return question

    def check(self) -> None:
        """Check that there is a row for each player of each deal; `DamagedFile` if not."""
        sides, parties = range(len(self.question.sides)), self.question.parties
        expected = {(s, party_name(bots), bot) for s in sides for bots in parties for bot in bots}
        players = {*self.rows("SELECT DISTINCT side, party, bot FROM results")}
        if self.done and players != expected:
            raise self.damaged("who played its games")
        count = next(self.rows("SELECT count(*) FROM results"))[0]
        if count != sum(deals for _, deals in self._spans()) * self._rows_per_deal:
            raise self.damaged("some of its games")

    def begin(self, tables: Tables) -> None:
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
            except IntegrityError:
                raise self._twice(was_empty) from None
            self.check()

    def _twice(self, was_empty: bool) -> UnusableFile:
        """The refusal of deals that are there already, in the file or among those taken in."""
        if was_empty:
            return self.damaged("some of its games")
        message = f"`{self.path}` has some of these deals already"
        return UnusableFile(message, "put deals together that no two files have")

    @property
    def _rows_per_deal(self) -> int:
        question = self.question
        return question.players * len(question.sides) * len(question.seatings)

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
        with self._writing_span(played.span, played.seconds):
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


def facts_of(tables: Tables) -> dict[str, str]:
    """What the file of a question says of itself."""
    return {
        "question": json.dumps(tables.question.to_json(), sort_keys=True),
        "rules": json.dumps(tables.digests),
        CONTENTS: json.dumps([brief(each.contents) for each in tables.rulesets]),
        "version": __version__,
        "titles": json.dumps(tables.titles, sort_keys=True),
    }


def _column(name: str) -> str:
    kind = "INTEGER" if column(name).bits else "TEXT"
    empty = " NOT NULL" if name in FIXED else ""
    return f'"{name}" {kind}{empty}'
