"""What is told of games is what their rows say: sums by SQL against sums by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate.figures import Tally, interim_analyses
from kbrules.tools.simulate.question import QuestionTables
from kbrules.tools.simulate.report import (
    DIFFERENCE,
    Answer,
    FigureColumn,
    StopRule,
    answer_question,
    simulation_report,
)
from kbrules.tools.simulate.results_file import DamagedFile
from kbrules.tools.simulate.run import Store, Summary
from tests.tools.simulate.small import alone, fell, play_into, question

DEALS = 40
DULL = """card rowers "Rowers":
    "One gold."
    gold 1

card gulls "Gulls":
    "One gold."
    gold 1

card watchers "Watchers":
    "One gold."
    gold 1
"""
Row = dict[str, int | str | None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fell(tmp_path_factory.mktemp("figures") / "fell")


@pytest.fixture(scope="module")
def answer(folder: Path) -> Iterator[Answer]:
    """Rowers against gulls, two deals on each table."""
    with Store() as store:
        play_into(
            store, QuestionTables(question(folder, ("gulls",), ("rowers",), per_table=2)), DEALS
        )
        yield Answer(store, DEALS)


def rows_of(answer: Answer) -> list[Row]:
    names, rows = answer.store.columns, answer.store.rows("SELECT * FROM results")
    return [dict(zip(names, row, strict=True)) for row in rows]


def by_hand(
    rows: list[Row], column: FigureColumn, of: Callable[[Row], float | None], scale: float = 1
) -> tuple[float, float, float]:
    """Mean and ends, the rows of each table added up first."""
    sums: defaultdict[object, list[float]] = defaultdict(lambda: [0, 0])
    for row in rows:
        value = of(row)
        mine = row["party"] == column.party and column.bot in ("", row["bot"])
        if not mine or value is None or column.side not in (DIFFERENCE, row["side"]):
            continue
        turned = -1 if column.side == DIFFERENCE and row["side"] == 0 else 1
        sums[row["table_seed"]][0] += turned * value
        sums[row["table_seed"]][1] += column.side != DIFFERENCE or row["side"] == 1
    tally = Tally()
    for total, weight in sums.values():
        tally.add(round(total), round(weight))
    found = tally.figure()
    return found.value * scale, found.low * scale, found.high * scale


def number(row: Row, name: str) -> int:
    value = row[name]
    assert isinstance(value, int)
    return value


WAYS: dict[tuple[str, str], tuple[Callable[[Row], float | None], float]] = {
    ("gold", "total"): (lambda row: number(row, "total"), 1),
    ("gold", "watchers"): (lambda row: number(row, "gold_watchers"), 1),
    ("wins", "wins"): (lambda row: 2 * number(row, "won") / number(row, "winners"), 50),
    ("seat_gold", "second"): (lambda r: number(r, "total") if r["player"] == 1 else None, 1),
    ("length", "turns"): (lambda r: number(r, "turns") if r["player"] == 0 else None, 1),
    ("ties", "ties"): (lambda r: number(r, "winners") > 1 if r["player"] == 0 else None, 100),
}


@pytest.mark.parametrize(("table", "line"), WAYS)
def test_figures_are_those_of_the_rows(answer: Answer, table: str, line: str) -> None:
    rows = rows_of(answer)
    of, scale = WAYS[table, line]
    told = next(each for each in answer.tables if each.id == table)
    seen = 0
    for column, figure in told.entries(line):
        if figure is None or figure.value in (0, 100):
            continue  # what never happens may happen yet: its interval is another
        seen += 1
        value, low, high = by_hand(rows, column, of, scale)
        assert figure.value == pytest.approx(value)
        if told.id in ("wins", "ties"):
            low, high = max(low, -100 if column.side == DIFFERENCE else 0), min(high, 100)
        assert (figure.low, figure.high) == pytest.approx((low, high))
        assert figure.games == DEALS // 2
    assert seen


def test_every_column_is_told_for_all_parties_and_both_sides(answer: Answer) -> None:
    gold = answer.tables[0]
    who = [("greedy,random", "greedy"), ("greedy,random", "random"), ("random", "random")]
    assert [(c.party, c.bot, c.side) for c in gold.columns] == [
        (*each, side) for each in who for side in (0, 1, DIFFERENCE)
    ]
    for id, side in (("rowers", 1), ("gulls", 0)):
        told = [column.side for column, figure in gold.entries(id) if figure is not None]
        assert {*told} == {side}


def test_decisions_a_turn_are_those_of_who_has_the_turn(answer: Answer) -> None:
    """One piece a turn, so that each turn is one decision, whoever plays."""
    pace = next(table for table in answer.tables if table.id == "pace")
    figures = [figure for column, figure in pace.entries("decisions") if column.side >= 0]
    assert [figure.value for figure in figures if figure] == [1.0] * 6


def test_the_same_card_on_both_sides_differs_in_nothing(folder: Path) -> None:
    with Store() as store:
        play_into(store, QuestionTables(question(folder, ("rowers",), ("rowers",))), 12)
        answer = Answer(store, 12)
        for table in answer.tables:
            for line in table.lines:
                for column, figure in zip(table.columns, line.figures, strict=True):
                    if column.side == DIFFERENCE and figure is not None:
                        assert figure.value == 0 and not figure.has_ends


def test_more_deals_in_the_file_change_no_figure_of_the_first(folder: Path) -> None:
    asked = question(folder, ("rowers",))
    with Store() as few, Store() as many:
        play_into(few, QuestionTables(asked), 20)
        play_into(many, QuestionTables(asked), 50)
        assert Answer(few, 20).tables == Answer(many, 20).tables
        assert Answer(many, 20).tables != Answer(many, 50).tables


def test_a_run_stops_at_a_look_when_it_knows_enough(folder: Path) -> None:
    tables = QuestionTables(question(folder, ("rowers",)))
    with Store() as store:
        store.begin(tables)
        answer = answer_question(store, alone(tables), StopRule(until=0.2), lambda _: None)
        assert [figure.margin <= 0.2 for figure in answer.target_figures] == [True] * 3
        assert answer.deals == store.done
    spent = {look.games: look.error for look in interim_analyses(10**6)}
    assert answer.error == spent[answer.deals] < 0.05


def test_what_never_changed_counts_as_known_late(folder: Path) -> None:
    """A card that has paid the same on the first 32 tables may pay otherwise on the next."""
    card = folder.parent / "dull" / "rules" / "fell.kb"
    fell(card.parents[1])
    card.write_text(f"{card.read_text().split('card rowers')[0]}{DULL}", encoding="utf-8")
    tables = QuestionTables(question(card.parents[1], ("rowers",)))
    with Store() as store:
        store.begin(tables)
        answer = answer_question(store, alone(tables), StopRule(until=0.5), lambda _: None)
        assert {figure.text(0) for figure in answer.target_figures} == {"1 (each time)"}
        assert answer.deals == 512
        report = simulation_report(answer)
        assert "\nEach time: " in as_text(report)
        assert report.data["tables"][0]["lines"][0]["figures"][0] == {
            "value": 1.0, "low": None, "high": None, "tables": 512
        }  # fmt: skip


def test_a_run_that_is_told_the_most_stops_there(folder: Path) -> None:
    tables = QuestionTables(question(folder, ("rowers",)))
    with Store() as store:
        store.begin(tables)
        answer = answer_question(
            store, alone(tables), StopRule(deals=40, until=0.001), lambda _: None
        )
        assert answer.deals == store.done == 40


def test_nothing_is_begun_after_the_time_is_up(folder: Path) -> None:
    tables = QuestionTables(question(folder, ("rowers",)))
    with Store() as store:
        store.begin(tables)
        answer = answer_question(store, alone(tables), StopRule(seconds=0.3), lambda _: None)
        assert 0 < answer.deals == store.done


@pytest.mark.parametrize("gold", [1_500_000_000, 2**40])
def test_gold_beyond_32_bits_is_added_up_exactly(folder: Path, gold: int) -> None:
    """The first has a sum of squares that does not fit into 64 bits, the second a square."""
    with Store() as store:
        play_into(store, QuestionTables(question(folder)), 4)
        store._db.execute("UPDATE results SET total = ? + player", (gold,))
        summary = Summary(store, 4, 0.05)
        sums: defaultdict[object, list[int]] = defaultdict(list)
        for table, total in store.rows("SELECT table_seed, total FROM results"):
            sums[table].append(total)
        tally = Tally()
        for totals in sums.values():
            tally.add(sum(totals), len(totals))
        assert summary.means([summary.per_player("total")], ()) == {(): [tally.figure()]}
        [won] = summary.means([summary.per_player("total"), summary.wins], ["player"])[0,][1:]
        assert won == summary.means([summary.wins], ["player"])[0,][0]


def test_a_text_among_numbers_is_damage(folder: Path) -> None:
    with Store() as store:
        play_into(store, QuestionTables(question(folder)), 2)
        store._db.execute("UPDATE results SET total = 'much' WHERE player = 0")
        summary = Summary(store, 2, 0.05)
        with pytest.raises(DamagedFile, match="is damaged"):
            summary.means([summary.per_player("total")], ())
