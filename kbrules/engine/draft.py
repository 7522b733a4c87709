"""A draft of scoring cards before a game: more are laid out than count, and players strike some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbrules.engine.setup import SetupError, TableSetup, scoring_cards
from kbrules.game.random import Random
from kbrules.library.ruleset import Ruleset

Strike = Callable[[int, tuple[str, ...]], str]
"""Which of the cards that are left a player strikes."""


def offered_cards(ruleset: Ruleset, table: TableSetup, more: int, seed: int) -> tuple[str, ...]:
    """The scoring cards of a table, and so many more, drawn by the stream `draft`.

    SetupError if the boxes have not as many.
    """
    scoring = tuple(card for card in table.cards if card not in ruleset.catalog.tasks)
    others = [card for card in scoring_cards(ruleset) if card not in scoring]
    if not 0 < more <= len(others):
        message = f"a draft lays out 1 to {len(others)} cards more, not {more}"
        raise SetupError(message if others else "no scoring card is left for a draft")
    return (*scoring, *Random(seed, "draft").sample(others, more))


def draft_cards(
    ruleset: Ruleset, table: TableSetup, more: int, seed: int, strike: Strike
) -> TableSetup:
    """The table with the scoring cards that are left of a draft; tasks stay.

    more: cards laid out beyond those that count; so many are struck, one by one, the last player
    first and then against turn order. SetupError if there are too few, or for a card not there.
    """
    remaining = offered_cards(ruleset, table, more, seed)
    for number in range(more):
        card = strike((-1 - number) % table.players, remaining)
        if card not in remaining:
            raise SetupError(f"`{card}` is not among the cards of the draft")
        remaining = tuple(each for each in remaining if each != card)
    tasks = (card for card in table.cards if card in ruleset.catalog.tasks)
    return replace(table, cards=(*remaining, *tasks))


def random_strikes(seed: int) -> Strike:
    """Players that strike by chance, by the stream `strikes`."""
    random = Random(seed, "strikes")
    return lambda player, left: left[random.below(len(left))]
