"""A small game with cards that pay, and a question about it that is answered in no time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from kbrules.tools.processes import Parallel, WorkerPool
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.results_file import DealSpan, PlayedSpan, Store
from kbrules.tools.simulate.run import (
    REFERENCE_METHOD,
    PlayMethod,
    SpanPool,
    play,
    play_until,
    prepare,
)

MANIFEST = """\
format: 1
id: fell
title: The Fell
players: {least: 2, most: 3}
table: {rows: 1, columns: 2}
section: {rows: 3, columns: 4}
terrains:
  heath: {letter: H}
  lake: {letter: W}
pieces:
  hut: {letter: h, supply: 3}
numbers: {cards_in_play: 2}
cards: [rowers, gulls, watchers]
sections:
  north:
    rows: |
      H H H W
       H H W W
      H H H H
  south:
    rows: |
      W W H H
       H H H H
      H W H H
"""
RULES = """\
rule turn "The turn":
    "Build, then it is the next player's turn."
    turn:
        actions
    win by total

rule building "Building":
    "Build one piece on any free heath."
    permit build on heath
    forbid build on occupied
    required action:
        build 1

rule ending "The end":
    "When a supply is used up, the round is played to its end."
    when build if supply(hut) = 0: last round

card rowers "Rowers":
    "One gold for each of your huts beside a lake."
    gold 1 per hex in mine & adjacent(lake)

card gulls "Gulls":
    "One gold for each of your huts beside another of yours."
    gold 1 per hex in mine & adjacent(mine)

card watchers "Watchers":
    "Two gold for each of your huts on the edge of the board."
    gold 2 per hex in mine & edge
"""


def fell(folder: Path) -> Path:
    """The folder of the game."""
    (folder / "rules").mkdir(parents=True)
    (folder / "expansion.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules" / "fell.kb").write_text(RULES, encoding="utf-8")
    return folder


def question(folder: Path, *sides: tuple[str, ...], **more: object) -> Question:
    """Random players at it; a side for each tuple of cards."""
    cards = sides or ((),)
    asked = tuple(Side((), (folder.as_posix(),), each) for each in cards)
    lineups = (("random",) * 2, ("greedy", "random"))
    return Question(asked, 2, lineups, **more)  # type: ignore[arg-type]


def alone(
    tables: QuestionTables, way: PlayMethod = REFERENCE_METHOD
) -> WorkerPool[DealSpan, PlayedSpan]:
    """This process plays."""
    return WorkerPool(lambda span: play(tables, span, way))


def many(tables: QuestionTables, jobs: int) -> Parallel[DealSpan, PlayedSpan]:
    """Several processes play."""
    return Parallel(jobs, prepare, tables.question, tables.digests)


def play_into(
    store: Store, tables: QuestionTables, deals: int, pool: SpanPool | None = None
) -> None:
    """Have so many deals of a question in a store."""
    store.begin(tables)
    per_table = tables.question.per_table
    play_until(store, pool or alone(tables), deals, per_table, lambda _: None)


def told(store: Store) -> list[tuple[object, ...]]:
    """Everything a store tells of games, in order."""
    order = "deal, side, lineup, rotation, player"
    return [*store.rows(f"SELECT * FROM results ORDER BY {order}")]


def deals_done(path: Path) -> int:
    """Return how many deals a file holds, as somebody sees it who only looks."""
    if not path.exists():
        return 0
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT coalesce(sum(deals), 0) FROM spans").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()
