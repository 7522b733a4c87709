"""Whatever pays has a second telling in Python, whichever box it comes from."""

from __future__ import annotations

from kbrules.library.load import load
from tests.boxes import harvest, marshes, red_cards, scores
from tests.oracle import twin_scores
from tests.properties.aside import PAID_BY_DEEDS

AT_ONCE = (red_cards.families, red_cards.shepherds, red_cards.ambassadors)


def test_everything_that_pays_has_a_twin() -> None:
    """At the end, at once, or for what was done: nothing is scored by one telling alone."""
    twins = {*twin_scores.SCORES, *scores.SCORES, *marshes.CARDS, marshes.palaces.__name__}
    twins |= {*harvest.gold(harvest.strewn(0))} | {twin.__name__ for twin in AT_ONCE}
    ruleset = load()
    paying = {rule.id for rule in ruleset.rules if rule.awards} | {*ruleset.catalog.cards}
    assert paying - twins - PAID_BY_DEEDS == set()
    assert twins - paying == set(), "a twin of what is no more"
    assert not twins & PAID_BY_DEEDS
