"""A card measured on the page: the figures of `kbrules balance` for the same seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kbrules.library.file_cache import FileCache
from kbrules.library.load import load, needed
from kbrules.tools.balance.measure import balance_report, measure
from kbrules.tools.balance.playing import BalanceQuestion, Results
from kbrules.tools.workshop.session import WorkshopSession
from tests.tools.workshop.asking import refused, result_of

CARD, DEALS, SEED = "rowers", 3, 5


def figures_outside(folder: Path) -> Any:
    """The figures of a balance in one go."""
    boxes = needed(FileCache(), [], [folder])
    ruleset = load(*boxes, folders=[folder])
    asked = BalanceQuestion(
        CARD, tuple(boxes), ruleset.folders, ruleset.parts.players[0], ("random",), SEED
    )
    with Results(":memory:", asked, ruleset.digest) as results:
        return balance_report(measure(ruleset, asked, results, DEALS)).data["bots"]


def test_deal_by_deal_the_figures_are_those_of_a_balance(
    session: WorkshopSession, folder: Path
) -> None:
    cards = result_of(session, "cards")["cards"]
    assert cards[0] == {"id": CARD, "title": "Rowers"} and len(cards) > 5
    begun = result_of(session, "balance", card=CARD, bots=["random"], games=DEALS, seed=SEED)
    assert begun == {"done": 0, "most": DEALS}
    seen = [result_of(session, "balance_more") for _ in range(DEALS - 1)]
    assert [each["done"] for each in seen] == [2, 3]
    assert seen[-1]["figures"] == figures_outside(folder) != seen[0]["figures"]
    assert "--seed 5" in seen[-1]["text"] and seen[-1]["svg"].startswith("<svg")


def test_a_card_that_was_typed_since_is_measured(session: WorkshopSession) -> None:
    name = "rules/dale.kb"
    text = result_of(session, "text", path=name)["text"]
    result_of(session, "write", path=name, text=text.replace("gold 2 per lake", "gold 0 per lake"))
    result_of(session, "balance", card=CARD, bots=["random"], games=2)
    assert "pays 0.0 gold" in result_of(session, "balance_more")["sentences"][0]


@pytest.mark.parametrize(
    "wish",
    [
        {"card": "none"}, {"card": CARD, "games": 1}, {"card": CARD, "games": 10**6},
        {"card": CARD, "bots": ["nobody"]}, {"card": CARD, "boxes": ["none"]},
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_told(session: WorkshopSession, wish: dict[str, Any]) -> None:
    refused(session, "balance", **wish)
    refused(session, "balance_more")
