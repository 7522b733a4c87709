"""The ranking of a card: its figures beside those of others, and significant gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kbrules.tools.measuring.balance.playing import CardPayments, SeedPayments
from kbrules.tools.measuring.simulate.figures import ERROR, Estimate, Tally, holm, share

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


def rank_card(
    results: Iterable[SeedPayments],
    card: str,
    others: Sequence[str],
    bot: str,
    error: float = ERROR,
) -> CardRanking:
    """The ranking of a card by the results with one bot; others keep their order.

    Of cards that are not among the others nothing is told.
    """
    tallies = _tallies((each for each in results if each.bot == bot), card, others)
    p_values = holm([tallies[other].gap.chance() for other in others])
    figures = [
        _card_figures(other, tallies[other], p_value, error)
        for other, p_value in zip(others, p_values, strict=True)
    ]
    deviation = max((tallies[other].gap.deviation for other in others), default=0.0)
    candidate = _card_figures(card, tallies[card], 1.0, error)
    return CardRanking(bot, candidate, tuple(figures), error, deviation)


def _tallies(
    results: Iterable[SeedPayments], card: str, others: Sequence[str]
) -> Mapping[str, CardTallies]:
    tallies = {each: CardTallies() for each in (card, *others)}
    for result in results:
        candidate = next(paid for paid in result.paid if paid.card == card)
        for paid in (paid for paid in result.paid if paid.card in tallies):
            tallies[paid.card].add(paid)
            # Beside the candidate, a card that pays for the same things does better than
            # it ever does without; to compare the two there would be unjust to one of them.
            if paid.card not in candidate.other_cards:
                tallies[paid.card].compare(paid, candidate)
    return tallies


def _card_figures(id: str, tallies: CardTallies, p_value: float, error: float) -> CardFigures:
    decisive = share(tallies.decisive, tallies.gold.games, error)
    return CardFigures(
        id,
        tallies.gold.figure(error),
        tallies.spread.figure(error),
        decisive,
        tallies.gap.figure(error),
        p_value,
    )
