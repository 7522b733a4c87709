"""A rule that cannot pay at a table is on no score sheet; one that could pay and did not is."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at, with_cards
from kbrules.library.load import load
from kbrules.tools.narration import sheet_text

COAST = "Fishing from the coast"


def game(*cards: str, **options: bool) -> Game:
    ruleset = load("base", "island", "marshlands")
    table = choose_table(ruleset, 2, 3, options=options)
    return game_at(ruleset, with_cards(ruleset, table, (*cards, "knights", "lords")[:3]))


@pytest.mark.parametrize(
    ("cards", "options", "is_shown"),
    [
        (("fishermen",), {}, True),
        (("fishermen",), {"coast_is_water": False}, False),
        (("miners",), {}, False),
    ],
)
def test_the_coast_pays_with_the_fishermen(
    cards: tuple[str, ...], options: dict[str, bool], is_shown: bool
) -> None:
    played = game(*cards, **options)
    sheet = played.score(played.start())
    assert (COAST in sheet_text(played, sheet)) is is_shown
    assert ("coast_fishing" in sheet.nonpaying) is not is_shown
    assert sheet.line("coast_fishing", 0) is not None  # asked by name it says 0
    assert "Knights" in sheet_text(played, sheet)


def test_palaces_are_paid_by_the_noblewomen_instead() -> None:
    for cards, is_shown in ((("noblewomen",), False), (("miners",), True)):
        played = game(*cards)
        assert ("Palaces" in sheet_text(played, played.score(played.start()))) is is_shown
