"""Figures of games: intervals, p-values, interim analyses, and sums compared with SQL."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import inf, sqrt
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from scipy import stats

from kbrules.engine.matches import outcome
from kbrules.engine.setup import game_at
from kbrules.scenario.setup import RulesetCache
from kbrules.tools.bots import bot_named
from kbrules.tools.diff.positions import RulesVersion, Versions
from kbrules.tools.diff.report import GoldChange, gold_changes
from kbrules.tools.reports.data import to_data
from kbrules.tools.reports.report import as_text
from kbrules.tools.sampling import drawn_table
from kbrules.tools.simulate.figures import (
    ERROR,
    Estimate,
    Tally,
    games_needed,
    holm,
    interim_analyses,
    power,
    quantile,
    share,
    tail_probability,
)
from kbrules.tools.simulate.question import QuestionTables
from kbrules.tools.simulate.report import (
    DIFFERENCE,
    Answer,
    ColumnData,
    StopRule,
    answer_question,
    simulation_report,
)
from kbrules.tools.simulate.results_file import DamagedFile, Store
from kbrules.tools.simulate.run import Summary
from tests.tools.balance.green import green
from tests.tools.simulate.small import alone, fell, play_into, question

GOLD = st.integers(-40, 60)
GAMES = st.lists(st.tuples(GOLD, st.integers(1, 5)), min_size=2, max_size=30)


def tally(games: list[tuple[int, int]]) -> Tally:
    found = Tally()
    for total, players in games:
        found.add(total, players)
    return found


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 31, 500, 99_999])
@pytest.mark.parametrize("error", [0.5, 0.05, 0.05 / 6, 1e-4, 1e-8])
def test_students_distribution_is_the_one_of_scipy(freedom: int, error: float) -> None:
    there = float(stats.t.isf(error / 2, freedom))
    assert quantile(error, freedom) == pytest.approx(there, rel=1e-8)
    assert tail_probability(there, freedom) == pytest.approx(error, rel=1e-8)


@given(st.lists(GOLD, min_size=2, max_size=30).filter(lambda gold: len(set(gold)) > 1))
def test_where_each_game_counts_once_it_is_the_usual_test(gold: list[int]) -> None:
    found, there = tally([(each, 1) for each in gold]), stats.ttest_1samp(gold, 3)
    figure, interval = found.figure(), there.confidence_interval(0.95)
    assert (figure.low, figure.high) == pytest.approx((interval.low, interval.high), abs=1e-7)
    coins = 2.0 ** (1 - len(gold))
    assert found.chance(of=3) == pytest.approx(max(coins, float(there.pvalue)), rel=1e-7)


@given(GAMES)
def test_the_spread_of_a_mean_is_that_of_its_games_with_their_players(
    games: list[tuple[int, int]],
) -> None:
    """The textbook's sum for a ratio, in fractions and by another way."""
    found, count = tally(games), len(games)
    players = sum(seats for _, seats in games)
    mean = sum(gold for gold, _ in games) / players
    off = sum((gold - mean * seats) ** 2 for gold, seats in games)
    strays = sqrt(off * count / (count - 1)) / players
    assert found.mean == pytest.approx(mean)
    assert found.deviation / sqrt(count) == pytest.approx(strays, abs=1e-6)


@given(GAMES, st.randoms(use_true_random=False))
def test_games_give_the_same_figures_in_any_order(
    games: list[tuple[int, int]], chance: random.Random
) -> None:
    assert tally(chance.sample(games, len(games))) == tally(games)


def test_no_game_and_a_single_one_tell_nothing_of_the_others() -> None:
    assert Tally().figure() == Estimate(0.0, -inf, inf, 0)
    assert tally([(6, 2)]).figure() == Estimate(3.0, -inf, inf, 1)
    assert tally([(6, 2)]).chance() == Tally().chance() == 1.0
    assert tally([(6, 2)]).figure().text() == "3.00"


def test_what_never_changed_is_as_sure_as_so_many_coins() -> None:
    same = tally([(6, 2), (9, 3), (6, 2)])
    assert same.figure() == Estimate(3.0, -inf, inf, 3)
    assert (same.chance(), same.chance(of=3)) == (0.25, 1.0)
    for count in range(1, 12):
        many = tally([(6, 2)] * count)
        assert many.chance() == 2.0 ** (1 - count)
        assert many.figure().text(1) == ("3.0 (each time)" if many.chance() < ERROR else "3.0")
    assert not many.figure().has_ends


def test_what_hardly_ever_changes_is_missed_no_more_often_than_said() -> None:
    """Three of four games pay the same: whoever has seen no other must not be sure of that."""
    chance, missed, runs = random.Random(3), 0, 1000
    for _ in range(runs):
        figure = tally([(36 + 6 * (chance.random() < 0.25), 1) for _ in range(8)]).figure()
        missed += figure.has_ends and not figure.low <= 37.5 <= figure.high
    assert missed / runs < 2 * ERROR


def test_what_never_changed_is_known_only_after_many_games() -> None:
    assert Estimate(1, 0.8, 1.2, 40).is_known(0.25) and not Estimate(1, 0.8, 1.2, 40).is_known(0.1)
    assert not Estimate(1, 1, 1, 400).is_known(0.5) and Estimate(1, 1, 1, 512).is_known(0.5)
    assert not Estimate(1, -inf, inf, 1).is_known(9)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_has_the_interval_of_wilson(pair: tuple[int, int]) -> None:
    hits, games = pair
    there = stats.binomtest(hits, games).proportion_ci(0.95, "wilson")
    found = share(hits, games)
    assert (found.low, found.high) == pytest.approx((there.low, there.high), abs=1e-9)


def test_of_no_games_any_share_may_be_true() -> None:
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


@given(st.lists(st.floats(0, 1), max_size=6))
def test_holm_believes_what_no_group_of_questions_can_explain(chances: list[float]) -> None:
    """It is the closure of Bonferroni's rule, and that is what makes it right."""
    numbers = range(len(chances))
    groups = [group for n in numbers for group in combinations(numbers, n + 1)]
    for one, found in zip(numbers, holm(chances), strict=True):
        there = max(
            min(1.0, len(group) * min(chances[each] for each in group))
            for group in groups
            if one in group
        )
        assert found == pytest.approx(there)


@pytest.mark.parametrize("most", [1, 20, 32, 33, 1000, 10**6])
def test_looks_double_end_where_they_should_and_never_spend_too_much(most: int) -> None:
    found = list(interim_analyses(most))
    games = [look.games for look in found]
    assert games[-1] == most and games == sorted(set(games))
    assert all(later <= 2 * before for before, later in pairwise(games))
    assert sum(look.error for look in found) < ERROR


def test_whoever_looks_again_and_again_is_wrong_no_more_often_than_said() -> None:
    """Nothing is there to be found; some stop as soon as they believe they have found it."""
    chance, runs = random.Random(1), 600
    alarms, naive = 0, 0
    for _ in range(runs):
        found, seen, told = Tally(), False, False
        for look in interim_analyses(1024):
            while found.games < look.games:
                found.add(round(chance.gauss(0, 1000)))
            seen = seen or found.chance() < look.error
            told = told or found.chance() < ERROR
        alarms, naive = alarms + seen, naive + told
    assert alarms / runs <= ERROR
    assert naive / runs > 2 * ERROR


@pytest.mark.parametrize(("gap", "games"), [(300, 20), (300, 100), (100, 400)])
def test_a_gap_is_found_as_often_as_stated(gap: int, games: int) -> None:
    chance, runs = random.Random(gap), 400
    stated, seen = power(gap, 1000, games), 0
    for _ in range(runs):
        found = tally([(round(chance.gauss(gap, 1000)), 1) for _ in range(games)])
        seen += found.chance() < ERROR
    strays = sqrt(stated * (1 - stated) / runs)
    assert abs(seen / runs - stated) < 0.02 + 3 * strays


@pytest.mark.parametrize("gap", [0.1, 0.5, 2.0, -2.0, 50.0])
def test_as_many_games_as_needed_and_not_one_less(gap: float) -> None:
    games = games_needed(gap, 3.0)
    assert power(gap, 3.0, games) >= 0.8 > power(gap, 3.0, games - 1)


def test_of_nothing_no_number_of_games_shows_anything() -> None:
    with pytest.raises(ValueError, match="nothing"):
        games_needed(0, 3.0)
    assert (power(0, 0, 9), power(1, 0, 9), power(1, 1, 1)) == (0.0, 1.0, 0.0)


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
    rows: list[Row], column: ColumnData, of: Callable[[Row], float | None], scale: float = 1
) -> tuple[float, float, float]:
    """Mean and ends, the rows of each table added up first."""
    sums: defaultdict[object, list[float]] = defaultdict(lambda: [0, 0])
    for row in rows:
        value = of(row)
        mine = row["lineup"] == column.lineup and column.bot in ("", row["bot"])
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
    assert [(c.lineup, c.bot, c.side) for c in gold.columns] == [
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
        assert to_data(report.data)["tables"][0]["lines"][0]["figures"][0] == {
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


def drawn(chance: random.Random, games: int) -> GoldChange:
    """Games of two to five players; the true change is 100, and those at one table share luck."""
    seats = tuple(2 + game % 4 for game in range(games))
    after: list[int] = []
    for each in seats:
        table = chance.gauss(100, 300)
        after += [round(table + chance.gauss(0, 100)) for _ in range(each)]
    return GoldChange("total", (0,) * len(after), tuple(after), seats)


@pytest.mark.parametrize("games", [4, 12, 60])
def test_nineteen_of_twenty_intervals_hold_the_true_change(games: int) -> None:
    chance = random.Random(games)
    found = [drawn(chance, games) for _ in range(800)]
    held = sum(abs(each.change - 100) <= each.margin for each in found)
    assert 0.92 < held / len(found) < 0.985


def test_where_every_player_gains_the_same_the_change_is_certain() -> None:
    gold = GoldChange("card", (1, 2, 3, 4, 5) * 3, (3, 4, 5, 6, 7) * 3, (2, 3) * 3)
    assert (gold.change, gold.margin) == (2, 0)
    few = GoldChange("card", (1, 2, 3, 4, 5), (3, 4, 5, 6, 7), (2, 3))
    assert (few.change, few.margin) == (2, float("inf"))  # two games that happen to be alike


def test_players_of_one_game_are_no_games_of_their_own() -> None:
    """By hand: three games of two, which gain 0, 3 and 6; t with two degrees is 4.303."""
    gold = GoldChange("card", (0,) * 6, (0, 0, 3, 3, 6, 6), (2, 2, 2))
    assert gold.change == 3
    assert gold.margin == pytest.approx(4.303 * 3 / 3**0.5, rel=1e-3)


def test_one_game_tells_nothing_of_the_others() -> None:
    assert GoldChange("card", (1, 2), (2, 5), (2,)).margin == float("inf")


def test_gold_that_a_card_pays_in_play_is_part_of_the_change(tmp_path: Path) -> None:
    """As it is of what `simulate` and `balance` count: the same games, the same gold."""
    versions = []
    for name, gold in (("before", 1), ("after", 2)):
        (tmp_path / name).mkdir()
        rules = green(tmp_path / name, "loners", walkers=f"when build: gain {gold}")
        versions.append(RulesVersion(name, rules, RulesetCache(rules)))
    old, new = versions
    _, (card, _) = gold_changes(Versions(old, new), 3, 0, bot_named("random"))
    assert card.about == "walkers" and min(card.before) > 0
    assert card.after == tuple(2 * gold for gold in card.before)
    table = drawn_table(old.ruleset, 0, ("walkers",))
    game = game_at(old.ruleset, table)
    played = outcome(game, 0, [bot_named("random")] * game.players)
    paid = tuple(each["walkers"] for each in played.paid(game.scoring.ids))
    assert card.before[: game.players] == paid == played.gained
