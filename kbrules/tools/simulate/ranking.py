"""What cards paid in the games of a question about one of them, and how it ranks among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from kbrules.engine.scoring import leaders
from kbrules.tools.simulate.figures import ERROR, Estimate, Tally, holm, share
from kbrules.tools.simulate.question import cards_of_tables, lineup_name
from kbrules.tools.simulate.results_file import Store

# What the cards paid, from the rows of a store: each of the others once a deal, wherever it lies.


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card paid each player of a game, and whether another had won without it.

    other_cards: those of its kind that lay there with it.
    """

    card: str
    gold: tuple[int, ...]
    decisive: bool
    other_cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeedPayments:
    """All that was paid in the games of one seed between bots of one kind."""

    bot: str
    seed: int
    paid: tuple[CardPayments, ...]


def payments(store: Store, deals: int, tables: int | None = None) -> Iterator[SeedPayments]:
    """Yield what was paid in the first deals of a question about a card, seed by seed, bot by bot.

    tables: how many of each deal are read, if not all; the first is that of the card. DamagedFile
    if games are missing.
    """
    question, company = store.question, store.company
    assert company is not None, "only a question about a card has payments"
    count = company.tables if tables is None else tables
    cards = [question.beside, *company.others]
    names = [name for card in cards if (name := f"gold_{card}") in store.columns]
    bots = sorted(lineup_name(bots) for bots in question.lineups)
    players = range(question.players)
    expected = [(side, bot, p) for side in range(count) for bot in bots for p in players]
    query = _payments_query(names)
    for deal, of_deal in groupby(store.rows(query, (deals, count)), itemgetter(0)):
        rows = [*of_deal]
        if [row[1:4] for row in rows] != expected:
            raise store.damaged("some of its games")
        seed = question.seed + deal
        on_tables = cards_of_tables(question.beside, company.others, company.room, seed)[:count]
        games = [rows[at : at + len(players)] for at in range(0, len(rows), len(players))]
        for number, bot in enumerate(bots):
            paid = _card_payments(on_tables, games[number :: len(bots)], names)
            yield SeedPayments(bot, seed, tuple(paid))


def _payments_query(names: Sequence[str]) -> str:
    gold = "".join(f', coalesce("{name}", 0)' for name in names)
    rows = f"SELECT deal, side, lineup, player, total{gold} FROM results"
    return f"{rows} WHERE deal < ? AND side < ? ORDER BY deal, side, lineup, rotation, player"


def _card_payments(
    on_tables: Sequence[Sequence[str]], games: Sequence[Sequence[Any]], names: Sequence[str]
) -> Iterator[CardPayments]:
    """Yield the payments of the cards of each game; each card counts where it is seen first."""
    column = {name.removeprefix("gold_"): at for at, name in enumerate(names, 5)}
    counted: set[str] = set()
    for number, (cards, rows) in enumerate(zip(on_tables, games, strict=True)):
        totals = tuple(row[4] for row in rows)
        for card in cards if number else cards[:1]:
            if card in counted:
                continue
            counted.add(card)
            gold = tuple(row[column[card]] if card in column else 0 for row in rows)
            without = tuple(total - paid for total, paid in zip(totals, gold, strict=True))
            decisive = leaders(totals) != leaders(without)
            yield CardPayments(card, gold, decisive, tuple(each for each in cards if each != card))


@dataclass(frozen=True, slots=True)
class CardPayment:
    """The gold that the card asked about paid a player, and the seed and bot of the game."""

    seed: int
    bot: str
    player: int
    gold: int


def highest_payment(results: Iterable[SeedPayments], card: str) -> CardPayment | None:
    """The highest of the payments of a card, of equal ones the first; None if there is none."""
    payments = (
        CardPayment(result.seed, result.bot, player, gold)
        for result in results
        for each in result.paid
        if each.card == card
        for player, gold in enumerate(each.gold)
    )
    return max(payments, key=lambda payment: payment.gold, default=None)


# The ranking of a card: its figures beside those of others, and significant gaps.


_NEAR_GOLD = 1.0
_NEAR_PART = 0.25
"""Cards pay about as much if their gap is surely below one gold, or a quarter of the larger."""


@dataclass(slots=True)
class CardTallies:
    """What is counted of one card: gold per player, best less worst in a game, decisive games.

    gap: by how much the candidate, the card that is measured, pays more in its place.
    """

    gold: Tally = field(default_factory=Tally)
    spread: Tally = field(default_factory=Tally)
    gap: Tally = field(default_factory=Tally)
    decisive: int = 0

    def add(self, paid: CardPayments) -> None:
        """Take in a game."""
        self.gold.add(sum(paid.gold), len(paid.gold))
        self.spread.add(max(paid.gold) - min(paid.gold))
        self.decisive += paid.decisive

    def compare(self, paid: CardPayments, candidate: CardPayments) -> None:
        """Take in two games of one seed, in which the two cards had company of the same kind."""
        self.gap.add(sum(candidate.gold) - sum(paid.gold), len(paid.gold))


@dataclass(frozen=True, slots=True)
class CardFigures:
    """The figures of a card, each with its interval.

    gold: per player and game. spread: best paid less worst paid of a game. decisive: in what
    share of the games somebody else would have most without it. gap: how much more the candidate
    pays; p_value: how often chance alone makes such a gap somewhere, the others considered (Holm).
    """

    id: str
    gold: Estimate
    spread: Estimate
    decisive: Estimate
    gap: Estimate
    p_value: float


@dataclass(frozen=True, slots=True)
class CardRanking:
    """One card among the others, with one kind of bot.

    candidate: the one that is measured. error: how often any of it may be wrong. deviation: that of
    the gap in one game, of the card of which it is largest.
    """

    bot: str
    candidate: CardFigures
    others: tuple[CardFigures, ...]
    error: float
    deviation: float

    @property
    def by_gold(self) -> list[CardFigures]:
        """All cards, the one that pays most first."""
        return sorted((self.candidate, *self.others), key=lambda card: (-card.gold.value, card.id))

    @property
    def below(self) -> list[CardFigures]:
        """The cards that surely pay less than the candidate."""
        return [card for card in self.others if card.gap.value > 0 and self._is_sure(card)]

    @property
    def above(self) -> list[CardFigures]:
        """The cards that surely pay more."""
        return [card for card in self.others if card.gap.value < 0 and self._is_sure(card)]

    @property
    def level(self) -> list[CardFigures]:
        """The cards that these games do not tell apart from it, the nearest first."""
        level = [card for card in self.others if not self._is_sure(card)]
        return sorted(level, key=lambda card: (abs(card.gap.value), card.id))

    @property
    def near(self) -> list[CardFigures]:
        """Those of them that surely pay about as much: the whole interval of the gap is small."""
        return [card for card in self.level if self._is_near(card)]

    @property
    def unknown(self) -> list[CardFigures]:
        """Those of them of which so few games say nothing."""
        return [card for card in self.level if not self._is_near(card)]

    def _is_near(self, card: CardFigures) -> bool:
        limit = max(_NEAR_GOLD, _NEAR_PART * max(self.candidate.gold.value, card.gold.value))
        gap = card.gap
        return gap.is_known(limit) and max(abs(gap.low), abs(gap.high)) <= limit

    def _is_sure(self, card: CardFigures) -> bool:
        return card.p_value < self.error

    @property
    def places(self) -> tuple[int, int]:
        """Its best and worst place that are still possible, 1 being the best."""
        return len(self.above) + 1, len(self.others) + 1 - len(self.below)


def rankings(store: Store, deals: int, error: float = ERROR) -> tuple[CardRanking, ...]:
    """Return the ranking of the card that a question is about, for each bot."""
    question, company = store.question, store.company
    assert company is not None, "only a question about a card has a ranking"
    bots = [lineup_name(bots) for bots in question.lineups]
    return rank_card(payments(store, deals), question.beside, company.others, bots, error)


def rank_card(
    results: Iterable[SeedPayments],
    card: str,
    others: Sequence[str],
    bots: Sequence[str],
    error: float = ERROR,
) -> tuple[CardRanking, ...]:
    """Return the ranking of a card by results, for each bot; the others keep their order.

    Cards that are not among the others are not counted.
    """
    tallies = {bot: {each: CardTallies() for each in (card, *others)} for bot in bots}
    for each in results:
        if each.bot in tallies:
            _add(tallies[each.bot], each, card)
    return tuple(_ranking(bot, tallies[bot], card, error) for bot in bots)


def _add(tallies: Mapping[str, CardTallies], result: SeedPayments, card: str) -> None:
    """Take in what was paid in the games of a seed."""
    candidate = next(paid for paid in result.paid if paid.card == card)
    for paid in (paid for paid in result.paid if paid.card in tallies):
        tallies[paid.card].add(paid)
        # Beside the candidate, a card that pays for the same things does better than
        # it ever does without; to compare the two there would be unjust to one of them.
        if paid.card not in candidate.other_cards:
            tallies[paid.card].compare(paid, candidate)


def _ranking(bot: str, tallies: Mapping[str, CardTallies], card: str, error: float) -> CardRanking:
    others = [each for each in tallies if each != card]
    p_values = holm([tallies[other].gap.chance() for other in others])
    figures = tuple(
        _card_figures(other, tallies[other], p_value, error)
        for other, p_value in zip(others, p_values, strict=True)
    )
    deviation = max((tallies[other].gap.deviation for other in others), default=0.0)
    candidate = _card_figures(card, tallies[card], 1.0, error)
    return CardRanking(bot, candidate, figures, error, deviation)


def _card_figures(id: str, tallies: CardTallies, p_value: float, error: float) -> CardFigures:
    decisive = share(tallies.decisive, tallies.gold.games, error)
    of_figures = tallies.gold, tallies.spread, tallies.gap
    gold, spread, gap = (tally.figure(error) for tally in of_figures)
    return CardFigures(id, gold, spread, decisive, gap, p_value)
