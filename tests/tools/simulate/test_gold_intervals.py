"""The interval of what a change is worth: it holds the true change as often as it says."""

from __future__ import annotations

import random

import pytest

from kbrules.tools.diff.report import GoldChange


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
