"""A recorded game played again, and the first place where it is not as it was.

By hand: `python -m tests.golden.compare 17 23`, or without numbers for all games; with the word
`python` among them by the kernel.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from time import process_time
from typing import Any

import kbrules
from kbrules.engine.configuration import PYTHON, REFERENCE
from kbrules.engine.setup import TableSetup
from tests.golden.kept import SHORT, Record, games
from tests.golden.walk import Walk
from tests.source_tree import ROOT

LONGEST = 3_000


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a game differs: its record, the number of moves made, in what, and what is so now."""

    record: Record
    number: int
    what: str
    now: str

    def __str__(self) -> str:
        record, now = self.record, self.now
        moves, number = record["moves"], self.number
        last = f", the last of them `{moves[number - 1]}`" if number else ""
        head = f"golden game {record['number']}, after {number} of {len(moves)} moves{last}"
        now = now if len(now) <= LONGEST else f"{now[:LONGEST]} ..."
        return "\n".join([
            f"{head}: not as recorded: {self.what}",
            f"  {said(record)}",
            f"  again: python -m tests.golden.compare {record['number']}",
            *(f"  {line}" for line in now.splitlines()),
        ])  # fmt: skip


def said(record: Record) -> str:
    """How a game was set up, in a line."""
    options = " ".join(f"{name}={value}" for name, value in record["options"].items())
    return (
        f"boxes {mix_of(record)}; {record['players']} players; seed {record['seed']}; "
        f"set-up {record['setup']}; options {options or 'as usual'}; bots {record['bots']}"
    )


def mix_of(record: Record) -> str:
    """What was played with."""
    return ",".join([*record["boxes"], *record["folders"]])


@lru_cache(maxsize=2)
def rules_of(boxes: tuple[str, ...], folders: tuple[str, ...]) -> kbrules.Ruleset:
    """The rules of boxes, and of folders named from the root of the repository."""
    return kbrules.load(*boxes, folders=[ROOT / folder for folder in folders])


def laid(record: Record) -> tuple[kbrules.Ruleset, TableSetup]:
    """The table of a record."""
    ruleset = rules_of(tuple(record["boxes"]), tuple(record["folders"]))
    named = record["players"], record["seed"], record["setup"], record["options"]
    return ruleset, kbrules.choose_table(ruleset, *named)


def table_text(table: TableSetup) -> str:
    """All that was drawn for a table."""
    tiles = " ".join(f"{hex} {tile}" for hex, tile in sorted(table.tiles.items()))
    return f"{table.layout} | {' '.join(table.cards)} | {tiles}"


def difference(record: Record, engine: str = REFERENCE) -> Difference | None:
    """The first difference of a game by an engine; None if it is as it was.

    What a kernel does not tell, as events, is told by the reference about the kernel's states.
    """
    ruleset, table = laid(record)
    if table_text(table) != record["table"]:
        was = f"now: {table_text(table)}\nwas: {record['table']}"
        return Difference(record, 0, "what is drawn for the table", was)
    game = kbrules.game_at(ruleset, table).with_engine(engine)
    return _Comparison(record, Walk(game)).found()


class _Comparison:
    """A record and the game that should be like it."""

    def __init__(self, record: Record, walk: Walk) -> None:
        self._record, self._walk = record, walk
        self._positions = {position["moves"]: position for position in record["positions"]}

    def found(self) -> Difference | None:
        try:
            return self._found()
        except Exception as error:  # a game that breaks off differs, and where is to be told
            return self._differs(f"what is known: {error!r}; the offers")

    def _found(self) -> Difference | None:
        walk, record = self._walk, self._record
        if walk.opened() != _part(record["events"], 0):
            return self._differs("what happens before the first move and the state")
        for text in record["moves"]:
            if found := self._decision():
                return found
            if walk.play(walk.texts.read(text)) != _part(record["events"], walk.number):
                return self._differs("the events or the state")
        return self._decision() or self._ending()

    def _decision(self) -> Difference | None:
        walk = self._walk
        if walk.offered() != _part(self._record["offers"], walk.number):
            return self._differs("the offers")
        position = self._positions.get(walk.number)
        return self._position(position) if position else None

    def _position(self, was: dict[str, Any]) -> Difference | None:
        now = self._walk.position([text for text, _ in was["refusals"]])
        for (text, one), (_, other) in zip(was["refusals"], now["refusals"], strict=True):
            if one != other:
                more = f"said now:\n{self._walk.refused(text)}"
                return self._differs(f"the words that refuse `{text}`", more)
        if now["score"] != was["score"]:
            return self._differs("the score sheet", "\n".join(self._walk.sheet()))
        wrong = [what for what in ("state", "offers") if now[what] != was[what]]
        return self._differs(f"the {' and the '.join(wrong)} by itself") if wrong else None

    def _ending(self) -> Difference | None:
        was, now = self._record["end"], ending(self._walk)
        if now != was:
            return self._differs("the end", f"now: {now}\nwas: {was}")
        return None

    def _differs(self, what: str, more: str = "") -> Difference:
        walk = self._walk
        parts = [more] if more else []
        parts += ["what happened last:", *(f"  {line}" for line in walk.happened)]
        parts += ["offered now:", *(f"  {line}" for line in _offers(walk).splitlines())]
        parts += ["state now:", *(f"  {line}" for line in _state(walk).splitlines())]
        return Difference(self._record, walk.number, what, "\n".join(parts))


def ending(walk: Walk) -> dict[str, Any]:
    """How a game stands where the record ends."""
    sheet = walk.game.score(walk.state)
    return {"over": walk.state.is_over, "totals": list(sheet.totals), "sheet": walk.sheet()}


def _offers(walk: Walk) -> str:
    try:
        return walk.texts.offers(walk.moves)
    except Exception as error:
        return repr(error)


def _state(walk: Walk) -> str:
    try:
        return walk.texts.state(walk.state)
    except Exception as error:
        return repr(error)


def _part(digests: str, index: int) -> str:
    return digests[index * SHORT : (index + 1) * SHORT]


def main(words: list[str]) -> int:
    """Compare the games of these numbers, or all; 1 if any differs."""
    engine = PYTHON if PYTHON in words else REFERENCE
    numbers = [word for word in words if word != engine]
    wanted = [game for game in games() if not numbers or str(game["number"]) in numbers]
    found = [diff for game in wanted if (diff := difference(game, engine))]
    for diff in found:
        print(diff)
    print(f"{len(wanted)} games, {len(found)} differ, {process_time():.1f} s of CPU time")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
