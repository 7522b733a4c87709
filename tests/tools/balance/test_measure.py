"""What a balance deals, counts, claims and draws."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st
from scipy import stats

from kbrules.engine.matches import outcome
from kbrules.engine.scoring import leaders
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance import balance_report, sentence, text_chart
from kbrules.tools.bots import bot_named
from kbrules.tools.reports.charts import scale
from kbrules.tools.reports.page import as_page, as_picture
from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate.figures import ERROR, Tally, power
from kbrules.tools.simulate.question import (
    Company,
    Side,
    cards_of_tables,
    company_of,
    question_about,
)
from kbrules.tools.simulate.ranking import (
    CardPayments,
    CardRanking,
    SeedPayments,
    rank_card as rank_cards,
)
from kbrules.tools.simulate.report import Answer
from tests.source_tree import DALE
from tests.tools.balance.green import CARDS, green
from tests.tools.balance.measured import gold_of, paid, tables_of


@pytest.fixture(scope="module")
def dale() -> Ruleset:
    return load("base", folders=[DALE])


BOTS = ("greedy", "random")
NAMES = st.lists(st.sampled_from("abcdefghijklm"), unique=True, max_size=13)


@given(NAMES, st.integers(1, 4), st.integers(0, 999))
def test_each_of_the_others_lies_somewhere_and_no_card_twice_on_a_table(
    others: list[str], room: int, seed: int
) -> None:
    mine, *rest = cards_of_tables("mine", others, room, seed)
    assert {card for hand in rest for card in hand} == set(others)
    assert all(len(set(hand)) == len(hand) for hand in rest)
    assert all(len(hand) == min(room, len(others)) for hand in rest)
    assert mine == ("mine", *(rest[0][1:] if rest else ()))


def test_each_of_the_others_makes_room_for_it_as_often() -> None:
    firsts = Counter(cards_of_tables("mine", "abcdefghij", 3, seed)[1][0] for seed in range(2000))
    assert set(firsts) == set("abcdefghij")
    assert all(140 < count < 260 for count in firsts.values())


def test_the_tables_of_a_deal_are_one_table_with_other_cards(dale: Ruleset) -> None:
    tables = tables_of(dale, "rowers", "random", players=3, seed=4)
    games = [tables.game(tables.question.deal(0), number) for number in range(tables.per_deal)]
    assert len(games) == 5
    assert len({(game.board.kinds, *game.board.tiles.items()) for game in games}) == 1
    assert "rowers" in games[0].cards and len(set(games[1].cards) - set(games[0].cards)) == 1
    assert not any("rowers" in game.cards for game in games[1:])
    for game in games:
        assert len(game.cards) == 4 and game.cards[3] == "bridge"  # the task of the board
    (result,) = paid(tables, 1)
    counted = Counter(each.card for each in result.paid)
    assert counted == Counter([*company_of(dale, "rowers").others, "rowers"])


def test_an_authors_card_is_measured_by_the_shipped_ones_and_a_task_by_tasks(dale: Ruleset) -> None:
    others = company_of(dale, "rowers").others
    assert set(others) == set(dale.catalog.scoring) - {"rowers"} and len(others) == 10
    assert company_of(dale, "lords").others == tuple(sorted({*others} - {"lords"}))
    assert company_of(dale, "bridge") == Company((), 1, "official")


def test_where_bots_do_not_look_at_cards_the_luck_is_the_same_at_all_tables(dale: Ruleset) -> None:
    """Of two cards that say the same, each is paid the same on the same seed: the pairing."""
    here, there = (paid(tables_of(dale, card, "random"), 4) for card in ("lords", "rowers"))
    assert gold_of(here, "lords") == gold_of(there, "lords") and len(here) == 4


def test_what_a_seed_gives_depends_on_no_other_seed(dale: Ruleset) -> None:
    together = paid(tables_of(dale, "rowers", "random"), 3)
    assert together == [
        each
        for seed in range(3)
        for each in paid(tables_of(dale, "rowers", "random", seed=seed), 1)
    ]


def test_what_is_read_from_rows_is_what_the_games_paid(tmp_path: Path) -> None:
    """Game by game on the tables as they are dealt, with gold at the end and in play."""
    rules = green(tmp_path, *CARDS, walkers="when build: gain 2")
    results = {(each.seed, each.bot): each for each in paid(tables_of(rules, "loners", *BOTS), 3)}
    company, counted = company_of(rules, "loners"), 0
    for seed, bot in product(range(3), BOTS):
        seen: set[str] = set()
        dealt = cards_of_tables("loners", company.others, 2, seed)
        for cards in dealt:
            game = game_at(rules, replace(choose_table(rules, 2, seed), cards=cards))
            played = outcome(game, seed, [bot_named(bot)] * 2)
            for card in [
                each for each in cards[: 1 if cards is dealt[0] else 2] if each not in seen
            ]:
                seen.add(card)
                gold = tuple(each[card] for each in played.paid(game.scoring.ids))
                rest = tuple(t - g for t, g in zip(played.totals, gold, strict=True))
                decisive = leaders(rest) != leaders(played.totals)
                beside = tuple(each for each in cards if each != card)
                assert CardPayments(card, gold, decisive, beside) in results[seed, bot].paid
                counted += 1
    assert counted == sum(len(each.paid) for each in results.values()) == 3 * 2 * 5


TITLES = {"hut": "Huts", "lake": "Lakes", "mill": "Mills"}


def result(
    seed: int, hut: tuple[int, ...], lake: tuple[int, ...], mill: tuple[int, ...]
) -> SeedPayments:
    """A deal of two games; in every third one the hut decides."""
    paid = (
        CardPayments("hut", hut, seed % 3 == 0),
        CardPayments("lake", lake, False),
        CardPayments("mill", mill, False),
    )
    return SeedPayments("greedy", seed, paid)


def rank_card(
    results: Iterable[SeedPayments], card: str, others: Sequence[str], bot: str
) -> CardRanking:
    """Return the ranking of a card with one bot."""
    return rank_cards(results, card, others, [bot])[0]


def deals(count: int) -> list[SeedPayments]:
    """The hut pays 5, give or take; the lake always three less; the mill now more, now less."""
    return [
        result(at, (4 + at % 3, 5), (1 + at % 3, 2), (4 + at % 3 + (-1) ** at, 5))
        for at in range(count)
    ]


def test_the_figures_are_those_that_are_counted_by_hand() -> None:
    found = rank_card(deals(12), "hut", ("lake", "mill"), "greedy")
    hut, (lake, mill) = found.candidate, found.others
    assert (hut.gold.value, lake.gold.value, mill.gold.value) == (5.0, 2.0, 5.0)
    assert (hut.gold.games, hut.spread.value, hut.decisive.value) == (12, 2 / 3, 1 / 3)
    assert (lake.gap.value, lake.gap.margin, lake.p_value) == (3.0, 0.0, 2 * 2**-11)
    assert (mill.gap.value, mill.p_value) == (0.0, 1.0)
    assert [card.id for card in found.below] == ["lake"]
    few = rank_card(deals(5), "hut", ("lake", "mill"), "greedy")
    assert few.below == []  # five games that are alike are no certainty
    assert [card.id for card in found.level] == ["mill"]
    assert found.above == [] and found.places == (1, 2)


def test_the_other_way_round_more_is_less() -> None:
    found = rank_card(deals(12), "lake", ("hut", "mill"), "greedy")
    assert [card.id for card in found.above] == ["hut", "mill"]
    assert found.places == (3, 3)


def test_bots_are_told_apart() -> None:
    others = [SeedPayments("random", each.seed, each.paid[::-1]) for each in deals(3)]
    mixed = rank_card([*deals(6), *others], "hut", ("lake", "mill"), "greedy")
    assert mixed == rank_card(deals(6), "hut", ("lake", "mill"), "greedy")
    assert rank_card(others, "hut", ("lake", "mill"), "random").candidate.gold.games == 3


def test_a_single_game_tells_nothing_apart() -> None:
    found = rank_card(deals(1), "hut", ("lake", "mill"), "greedy")
    assert found.places == (1, 3)
    text = sentence(found, TITLES, "official")
    assert text.startswith("Huts pays 4.5 gold to a greedy player: ")
    assert "too few games (1) to say whether more or less than all 2 official cards" in text


def test_level_is_said_only_of_a_gap_that_is_surely_small() -> None:
    few, many = (rank_card(deals(n), "hut", ("lake", "mill"), "greedy") for n in (2, 60))
    assert [card.id for card in few.unknown] == ["mill", "lake"] and few.near == []
    assert [card.id for card in many.near] == ["mill"] and many.unknown == []


@pytest.mark.parametrize(
    ("card", "others", "said"),
    [
        ("hut", ("lake", "mill"), "more than Lakes, level with Mills as far as 60 games can tell"),
        ("lake", ("hut", "mill"), "less than all 2 official cards"),
        ("hut", ("lake",), "more than Lakes"),
    ],
)
def test_the_sentence_names_what_is_less_more_and_level(
    card: str, others: tuple[str, ...], said: str
) -> None:
    text = sentence(rank_card(deals(60), card, others, "greedy"), TITLES, "official")
    assert f" to a greedy player: {said}; without it another would have most gold in " in text
    assert text.startswith(f"{TITLES[card]} pays ") and text.endswith(" of the games.")


@pytest.mark.parametrize(
    ("bot", "said"),
    [("greedy", "a greedy player"), ("idle", "an idle player"), ("mc:9", "a player like `mc:9`")],
)
def test_whoever_plays_is_called_a_player(bot: str, said: str) -> None:
    found = [replace(each, bot=bot) for each in deals(4)]
    text = sentence(rank_card(found, "hut", ("lake",), bot), TITLES, "official")
    assert f" to {said}: " in text


def test_what_was_paid_in_each_game_alike_is_said_so() -> None:
    always = [result(at, (5, 5), (2, 2), (5, 5)) for at in range(6)]
    text = sentence(rank_card(always, "hut", ("lake",), "greedy"), TITLES, "official")
    assert text.startswith("Huts pays 5.0 gold in each of 6 games to a greedy player: more than ")


def test_of_a_card_without_others_only_its_gold_is_told() -> None:
    text = sentence(rank_card(deals(60), "hut", (), "greedy"), TITLES, "other")
    assert "to a greedy player; without it another" in text
    assert "in 33 % (95 %: 23 to 46) of the games." in text


RUNS = 200
BAND = int(stats.binom.ppf(0.99, RUNS, ERROR))
"""As many false alarms as chance alone may raise in so many runs."""
MORE = "\n    gold 1 if any(mine - adjacent(mine))"


def games(ruleset: Ruleset, bot: str, deals: int) -> list[SeedPayments]:
    return paid(tables_of(ruleset, "neighbours", bot), deals)


def runs(results: Sequence[SeedPayments], deals: int, *others: str) -> list[CardRanking]:
    """The same question asked again and again, each time with further games."""
    parts = (results[at : at + deals] for at in range(0, len(results), deals))
    return [rank_card(part, "neighbours", others, results[0].bot) for part in parts]


def alarms(found: Sequence[CardRanking], card: str) -> int:
    """How many runs say that a card pays another amount."""
    return sum(card not in {each.id for each in run.level} for run in found)


def test_a_card_compared_with_its_own_copy_raises_alarms_no_more_often_than_it_should(
    tmp_path: Path,
) -> None:
    """With the luck of the same seed both are paid the same; with that of another they are not."""
    results = games(green(tmp_path, "dwellers", "neighbours", room=1), "random", 16 * RUNS)
    assert all(mine.gold == theirs.gold for mine, theirs in (each.paid for each in results))
    assert alarms(runs(results, 16, "dwellers"), "dwellers") == 0
    pairs = zip(results[::2], results[1::2], strict=True)
    shifted = [replace(one, paid=(one.paid[0], two.paid[1])) for one, two in pairs]
    found = runs(shifted, 8, "dwellers")
    assert len(found) == RUNS
    assert 0 < alarms(found, "dwellers") <= BAND
    gaps = [run.others[0].gap for run in found]
    assert sum(gap.low <= 0 <= gap.high for gap in gaps) >= RUNS - BAND


@pytest.mark.slow
def test_nor_where_bots_that_look_at_the_cards_compare_it_with_others(tmp_path: Path) -> None:
    others = sorted({*CARDS} - {"neighbours"})
    found = runs(games(green(tmp_path, *CARDS), "greedy", 30 * RUNS), 30, *others)
    assert 0 < alarms(found, "dwellers") <= BAND
    assert alarms(found, "loners") > 0.9 * RUNS


@pytest.mark.parametrize(
    ("bot", "count"), [("random", 60), pytest.param("greedy", 200, marks=pytest.mark.slow)]
)
def test_a_copy_that_pays_a_gold_more_now_and_then_is_found_as_often_as_stated(
    tmp_path: Path, bot: str, count: int
) -> None:
    rules = green(tmp_path, "dwellers", room=1, neighbours=CARDS["dwellers"] + MORE)
    results = games(rules, bot, 18 * count)
    gap = Tally()
    for each in results:
        mine, theirs = (sum(paid.gold) for paid in each.paid)
        gap.add(mine - theirs, 2)
    stated = power(gap.mean, gap.deviation, 18)
    found = runs(results, 18, "dwellers")
    seen = sum([each.id for each in run.below] == ["dwellers"] for run in found)
    assert 0.3 < stated < 0.95
    assert abs(seen / count - stated) < 0.03 + 3 * sqrt(stated * (1 - stated) / count)
    assert not any(run.above for run in found)


def leads(folder: Path, beside: str, seeds: range) -> list[int]:
    """By how much the first player is ahead of the second."""
    rules = green(folder, "dwellers", "borderers", beside=beside)
    tables = tables_of(rules, "dwellers")
    games = (tables.game(tables.question.deal(seed), 0).playout(seed) for seed in seeds)
    return [first - second for first, second in (each.totals for each in games)]


@pytest.mark.parametrize("gold", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_what_a_seat_is_given_is_found_as_often_as_stated(tmp_path: Path, gold: int) -> None:
    """Beside other games by the same rules, in which nobody is given anything."""
    start = 'rule start "Start":\n    "Who begins has it."\n    before setup:\n        gain 1\n'
    gaps = zip(
        leads(tmp_path, start * gold, range(15 * RUNS)),
        leads(tmp_path, "", range(15 * RUNS, 30 * RUNS)),
        strict=True,
    )
    whole, found = Tally(), [Tally() for _ in range(RUNS)]
    for at, (first, fair) in enumerate(gaps):
        whole.add(first - fair)
        found[at // 15].add(first - fair)
    stated = power(gold, whole.deviation, 15) if gold else ERROR
    seen = sum(run.chance() < ERROR for run in found) / RUNS
    assert abs(seen - stated) < 0.02 + 3 * sqrt(stated * (1 - stated) / RUNS)
    assert whole.figure().low <= gold <= whole.figure().high
    assert 0.2 < stated < 0.95 or not gold


EVIL = '<script>alert("x")</script> & \x1b[31m'


def found(count: int = 24, **titles: str) -> Answer:
    """What is said of the deals, as if a file held them."""
    company = Company(("lake", "mill"), 1, "official")
    question = question_about("hut", Side(("dale",)), 2, ("greedy",))
    facts = {"titles": TITLES | titles, "rules": ["d1g"], "version": "1"}
    store: Any = SimpleNamespace(
        question=question, company=company, tables_per_deal=3, stand_ins=("fell",), facts=facts,
        fact=lambda name, _: facts[name],
    )  # fmt: skip
    answer = Answer(store, count)
    answer.__dict__["rankings"] = (rank_card(deals(count), "hut", company.others, "greedy"),)
    return answer


@pytest.mark.parametrize("count", [1, 2, 24])
def test_the_picture_has_a_row_and_a_mark_for_each_card(count: int) -> None:
    root = ElementTree.fromstring(as_picture(balance_report(found(count))))
    rows = [each for each in root.iter() if "data-id" in each.attrib]
    assert {each.attrib["data-id"] for each in rows} == {"hut", "lake", "mill"}
    marks = [len([e for e in row.iter() if e.tag.endswith(("circle", "path"))]) for row in rows]
    assert marks == [2, 2, 2]
    said = "".join(root.itertext())
    assert "seeds 0 to" in said and "again: kbrules balance hut" in said
    assert "stand-in maps, not the printed ones: fell" in said


def test_titles_are_text_wherever_they_stand() -> None:
    evil = found(hut=EVIL, lake=EVIL)
    page, text = as_page(balance_report(evil)), as_text(balance_report(evil))
    ElementTree.fromstring(as_picture(balance_report(evil)))
    assert "<script>" not in page and "<script>" not in as_picture(balance_report(evil))
    assert "&lt;script&gt;" in page
    assert "\x1b" not in text + page and "\\x1b" in text


def test_the_page_has_every_figure_and_stands_alone() -> None:
    page = as_page(balance_report(found()))
    rows = re.findall(r"<tr.*?</tr>", page)
    strong = [row for row in rows if 'class="strong"' in row]
    assert len(rows) == 4 and len(strong) == 1 and "Huts" in strong[0]
    assert "Huts: what the card is worth" in page and "again: kbrules balance hut" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_the_rows_of_the_terminal_stand_under_each_other_and_the_asked_one_is_marked() -> None:
    head, *rows, ticks = text_chart(found().rankings[0], TITLES | {"lake": "A lake of a long name"})
    assert [row[0] for row in rows].count(">") == 1
    assert len({len(row) for row in rows}) == 1 and len(head) <= len(rows[0])
    assert ticks.split() == ["0", "2", "4", "6"]
    assert all(max(map(len, (head, *rows, ticks))) <= 100 for _ in rows)


NUMBERS = st.lists(st.integers(-9999, 9999).map(lambda n: n / 10), min_size=1, max_size=8)


@given(NUMBERS)
def test_every_value_lies_on_the_scale_and_its_steps_are_few_and_round(values: list[float]) -> None:
    low, high, step = scale(values)
    assert low <= min(*values, 0) and max(*values, 1) <= high
    assert 2 <= round((high - low) / step) <= 8
    assert f"{step:g}".strip("0.")[0] in "125"
