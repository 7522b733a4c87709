"""A draft: what is laid out, who strikes what, and the table that is left."""

from __future__ import annotations

import pytest

import kbrules
from kbrules.engine.setup import SetupError, draft_cards, offered_cards, random_strikes

RULESET = kbrules.load("base", "crossroads")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("more", [1, 2, 5])
def test_the_last_player_strikes_first_and_as_many_as_usual_are_left(
    players: int, more: int
) -> None:
    table = kbrules.choose_table(RULESET, players, 7)
    tasks = [card for card in table.cards if card in RULESET.catalog.tasks]
    asked: list[tuple[int, tuple[str, ...]]] = []

    def strike(player: int, left: tuple[str, ...]) -> str:
        asked.append((player, left))
        return left[0]

    found = draft_cards(RULESET, table, more, 7, strike)
    order = list(reversed(range(players))) * more
    assert [player for player, _ in asked] == order[:more]
    laid = offered_cards(RULESET, table, more, 7)
    assert len(set(laid)) == len(laid) == len(table.cards) - len(tasks) + more
    assert [left for _, left in asked] == [laid[number:] for number in range(more)]
    assert found.cards == (*laid[more:], *tasks)
    assert (found.layout, found.players, found.tiles) == (table.layout, players, table.tiles)


def test_a_seed_decides_a_draft_of_bots() -> None:
    table = kbrules.choose_table(RULESET, 3, 1)
    one, same = (draft_cards(RULESET, table, 4, 9, random_strikes(9)) for _ in range(2))
    others = {draft_cards(RULESET, table, 4, s, random_strikes(s)).cards for s in range(20)}
    assert one == same
    assert len(others) > 10


@pytest.mark.parametrize("more", [-1, 0, 99])
def test_there_is_no_draft_of_too_few_or_too_many(more: int) -> None:
    table = kbrules.choose_table(RULESET, 2, 1)
    with pytest.raises(SetupError, match="a draft lays out 1 to"):
        draft_cards(RULESET, table, more, 1, random_strikes(1))


def test_nobody_strikes_what_is_not_there() -> None:
    table = kbrules.choose_table(RULESET, 2, 1)
    with pytest.raises(SetupError, match="not among the cards"):
        draft_cards(RULESET, table, 1, 1, lambda player, left: "nothing")
