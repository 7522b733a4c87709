"""The tables on which a card is measured beside the others: the same board and luck for all.

With each seed the other cards are dealt to as many tables as they need. The candidate, the card
that is measured, takes the place of the first card of the first table: the same seats, board, deck
and further cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.board import CARDS_IN_PLAY, Catalog
from kbrules.game.random import Random
from kbrules.library.boxes.box import shipped_in
from kbrules.library.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class BalanceQuestion:
    """What is asked: which card, by what rules, at tables of how many, with which bots.

    boxes: ids of shipped ones. folders: authors' own. seed: of the first deal.
    """

    card: str
    boxes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    players: int = 2
    bots: tuple[str, ...] = ("greedy",)
    seed: int = 0
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class DealtGame:
    """One game of a deal, and the cards whose gold is counted there; each counts once a deal."""

    game: Game
    counted: tuple[str, ...]


def others_of(ruleset: Ruleset, card: str) -> tuple[str, ...]:
    """The cards to measure a card by: the shipped ones of its kind, or all if none is shipped."""
    catalog = ruleset.catalog
    kind = catalog.tasks if card in catalog.tasks else catalog.scoring
    same_kind = [each for each in sorted(kind) if each != card]
    return tuple(filter(lambda each: is_shipped(ruleset, each), same_kind)) or tuple(same_kind)


def is_shipped(ruleset: Ruleset, card: str) -> bool:
    """Whether a card came in one of the shipped boxes."""
    rule = ruleset.rule(card)
    return rule is not None and bool(shipped_in(Path(rule.span.source.name)))


def dealt_games(
    ruleset: Ruleset, question: BalanceQuestion, others: Sequence[str], seed: int
) -> Iterator[DealtGame]:
    """The games of a seed, that of the candidate first.

    SetupError if the boxes lay no table for so many.
    """
    catalog = ruleset.catalog
    table = choose_table(ruleset, question.players, seed, options=question.options)
    is_task = question.card in catalog.tasks
    other_cards = [card for card in table.cards if (card in catalog.tasks) is not is_task]
    counted: set[str] = set()
    for cards in cards_of_tables(question.card, others, _cards_on_table(catalog, is_task), seed):
        game = game_at(
            ruleset, replace(table, cards=tuple(_ordered(catalog, [*cards, *other_cards])))
        )
        yield DealtGame(game, _first_seen(cards[:1] if not counted else cards, counted))


def _cards_on_table(catalog: Catalog, is_task: bool) -> int:
    """How many cards of a kind lie on a table; of tasks always one."""
    return 1 if is_task else max(1, catalog.numbers.get(CARDS_IN_PLAY, 1))


def _ordered(catalog: Catalog, cards: Sequence[str]) -> list[str]:
    """Scoring cards, then tasks."""
    return sorted(cards, key=lambda card: card in catalog.tasks)


def _first_seen(cards: Collection[str], counted: set[str]) -> tuple[str, ...]:
    new = tuple(card for card in cards if card not in counted)
    counted.update(new)
    return new


def cards_of_tables(
    card: str, others: Sequence[str], room: int, seed: int
) -> list[tuple[str, ...]]:
    """The cards of each table: the one with `card`, then those that have all the others once.

    The others are shuffled by the stream `balance`; the last table is filled up from the first.
    """
    order = Random(seed, "balance").sample(others, len(others))
    rows = [order[at : at + room] for at in range(0, len(order), room)]
    if len(rows) > 1:
        rows[-1] += order[: room - len(rows[-1])]
    other_cards = rows[0][1:] if rows else []
    return [(card, *other_cards), *map(tuple, rows)]
