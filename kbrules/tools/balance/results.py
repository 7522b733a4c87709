"""The file of a balance: what each card was paid in the games of finished deals."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple
from pathlib import Path
from types import MappingProxyType

from kbrules import __version__
from kbrules.library.locks import LockedBox, brief
from kbrules.tools.balance.playing import BalanceQuestion, CardPayments, PlayedSeeds, SeedPayments
from kbrules.tools.simulate.results_file import (
    CONTENTS,
    MEMORY,
    DealSpan,
    OtherQuestion,
    ResultsFile,
    UnusableFile,
)

PURPOSE = "purpose"
UNFINISHED = "games that were broken off"

_PaymentRows = list[tuple[str, tuple[int, ...], bool, tuple[str, ...]]]
_RESULTS = (
    "CREATE TABLE results (deal INTEGER, bot TEXT, games INTEGER NOT NULL, "
    "stand_ins TEXT NOT NULL, paid TEXT NOT NULL, PRIMARY KEY (deal, bot)) WITHOUT ROWID"
)
_FIRST_DEALS = (
    "SELECT deal, bot, games, stand_ins, paid FROM results WHERE deal < ? ORDER BY deal, bot"
)


Contents = Mapping[str, LockedBox]
NO_CONTENTS: Contents = MappingProxyType({})


class Results(ResultsFile):
    """The results of one question; deals are counted from 0, the first has the question's seed."""

    command = "kbrules balance"
    file_format = "kbrules balance 1"

    @classmethod
    def own_tables(cls, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the statement that makes its table."""
        return (_RESULTS,)

    def __init__(
        self,
        path: str | Path,
        question: BalanceQuestion,
        digest: str,
        contents: Contents = NO_CONTENTS,
        purpose: str = "",
    ) -> None:
        """Make a new file ready for a question, or see that the file is about this very one.

        digest: of the rules. contents: of the boxes. purpose: of a file that nobody named; one that
        somebody names has none from then on. OtherQuestion if it is about another: also when
        rules or kbrules have changed since. Unusable if there is something else in the file, or
        no way to it.
        """
        super().__init__(path)
        self._seed = question.seed
        facts = facts_of(question, digest, contents)
        try:
            self._create_or_check({**facts, PURPOSE: purpose} if purpose else facts)
            if not purpose and self.purpose:
                with self._writing():
                    self._db.execute("DELETE FROM facts WHERE name = ?", [PURPOSE])
        except BaseException:
            self._db.close()
            raise

    @property
    def purpose(self) -> str:
        """What it was made for, if nobody named it."""
        return self.facts.get(PURPOSE, "")

    def add(self, played: PlayedSeeds) -> None:
        """Keep what was played, all of it or nothing; Unusable if any of it is there already."""
        span = DealSpan(played.seeds.start - self._seed, len(played.seeds))
        with self._writing_span(span, played.seconds):
            self._db.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?)", map(self._row, played.results)
            )

    def _row(self, result: SeedPayments) -> tuple[int | str, ...]:
        texts = json.dumps(result.stand_ins), json.dumps([astuple(each) for each in result.paid])
        return result.seed - self._seed, result.bot, result.games, *texts

    def first(self, deals: int) -> Iterator[SeedPayments]:
        """The results of so many deals from the first on, whoever played them and when."""
        for deal, bot, games, stand_ins, paid in self.rows(_FIRST_DEALS, [deals]):
            each = (
                CardPayments(*card) for card in self.read("what cards paid", paid, _PaymentRows)
            )
            maps = self.read("its maps", stand_ins, list[str])
            yield SeedPayments(bot, deal + self._seed, tuple(each), games, tuple(maps))

    @property
    def games(self) -> int:
        """How many games are told in all."""
        return int(next(self.rows("SELECT coalesce(sum(games), 0) FROM results"))[0])


class StoredResults(Results):
    """A file of results that is only read, whatever question it answers."""

    def __init__(self, path: Path) -> None:
        """UnusableFile if there is something else in the file, or nothing."""
        ResultsFile.__init__(self, path)
        try:
            if self._is_new:
                raise UnusableFile(f"`{self.path}` holds no games")
            self.question = self.fact("question", BalanceQuestion)
            self.digests = self.fact("rules", list[str])
        except BaseException:
            self._db.close()
            raise
        self._seed = self.question.seed


@contextmanager
def temporary_results(
    path: str | Path, question: BalanceQuestion, digest: str, contents: Contents = NO_CONTENTS
) -> Iterator[Results]:
    """The same in a file that stays if the games in it were broken off, or somebody named it."""
    is_finished = False
    try:
        with Results(path, question, digest, contents, UNFINISHED) as results:
            is_ours = results.purpose == UNFINISHED
            try:
                yield results
                is_finished = True
            finally:
                is_finished = is_ours and (is_finished or not results.games)
    finally:
        if is_finished:
            Path(path).unlink(missing_ok=True)


def results_made_for(purpose: str, path: Path, question: BalanceQuestion, digest: str) -> Results:
    """The results in a file made for a purpose, which gives way to one about another question.

    They are kept in memory if there is any other file of that name.
    """
    if os.path.lexists(path) and _purpose_of(path) != purpose:
        return Results(MEMORY, question, digest)
    try:
        return Results(path, question, digest, purpose=purpose)
    except OtherQuestion:
        path.unlink()
        return Results(path, question, digest, purpose=purpose)


def _purpose_of(path: Path) -> str:
    """What a file was made for; nothing if somebody named it, or it holds something else."""
    if not path.is_file():  # SQLite would make it
        return ""
    try:
        with _Unread(path) as file:
            return file.purpose
    except UnusableFile:
        return ""


class _Unread(Results):
    """A file of results, whatever question it answers, of which only the facts are read."""

    def __init__(self, path: Path) -> None:
        ResultsFile.__init__(self, path)


def facts_of(question: BalanceQuestion, digest: str, contents: Contents) -> dict[str, str]:
    """What the file of a question says of itself."""
    return {
        "question": json.dumps(asdict(question), sort_keys=True),
        "rules": json.dumps([digest]),
        CONTENTS: json.dumps([brief(contents)]),
        "version": __version__,
    }
