"""What is told of a card: counted by hand, and the same whatever else is told with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbrules.tools.balance.measure import rank_card, sentence
from kbrules.tools.balance.playing import CardPayments, SeedPayments

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
    return SeedPayments("greedy", seed, paid, 2, ())


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
    others = [SeedPayments("random", each.seed, each.paid[::-1], 2, ()) for each in deals(3)]
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
