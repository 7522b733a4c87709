"""The tables of a deal: every other card once, the asked one in the place of one of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.playing import (
    BalanceQuestion,
    cards_of_tables,
    dealt_games,
    others_of,
    results_of_seeds,
)
from tests.source_tree import DALE


@pytest.fixture(scope="module")
def dale() -> Ruleset:
    return load("base", folders=[DALE])


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
    asked = BalanceQuestion("rowers", dale.boxes, players=3)
    games = list(dealt_games(dale, asked, others_of(dale, "rowers"), seed=5))
    assert len(games) == 5
    assert len({(each.game.board.kinds, *each.game.board.tiles.items()) for each in games}) == 1
    assert games[0].counted == ("rowers",)
    counted = Counter(card for each in games for card in each.counted)
    assert counted == Counter([*others_of(dale, "rowers"), "rowers"])
    for each in games:
        assert set(each.counted) <= set(each.game.cards)
        assert len([card for card in each.game.cards if card != "bridge"]) == 3


def test_an_authors_card_is_measured_by_the_shipped_ones_and_a_task_by_tasks(dale: Ruleset) -> None:
    others = others_of(dale, "rowers")
    assert set(others) == set(dale.catalog.scoring) - {"rowers"} and len(others) == 10
    assert others_of(dale, "lords") == tuple(sorted({*others} - {"lords"}))
    assert others_of(dale, "bridge") == ()


def test_where_bots_do_not_look_at_cards_the_luck_is_the_same_at_all_tables(dale: Ruleset) -> None:
    """Of two cards that say the same, each is paid the same on the same seed: the pairing."""
    asked = BalanceQuestion("lords", dale.boxes, bots=("random",), players=2)
    lords = [
        paid.gold for each in results_of_seeds(dale, asked, range(4)) for paid in each.paid[:1]
    ]
    other = BalanceQuestion("rowers", dale.boxes, bots=("random",), players=2)
    there = [
        next(paid.gold for paid in each.paid if paid.card == "lords")
        for each in results_of_seeds(dale, other, range(4))
    ]
    assert lords == there


def test_what_a_seed_gives_depends_on_no_other_seed(dale: Ruleset) -> None:
    asked = BalanceQuestion("rowers", dale.boxes, bots=("random",))
    together = list(results_of_seeds(dale, asked, range(3)))
    assert together == [each for seed in range(3) for each in results_of_seeds(dale, asked, [seed])]
    assert {each.games for each in together} == {5}
