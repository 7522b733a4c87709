"""What cards pay at sampled positions, and which of them always paid a multiple of each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import gcd

from kbrules.engine.game import Game
from kbrules.engine.scoring import Scoring
from kbrules.game.state import State
from kbrules.lang.checker.expressions import CostModel, size_of
from kbrules.lang.evaluation import WORK
from kbrules.lang.typed import Award, Rule
from kbrules.library.ruleset import Ruleset

MAX_WORK = 20_000  # steps of asking at one position; of more, some positions are left out
_AWARD = 50  # steps, beside those of its expressions
_MAX_INTERVAL = 20  # positions of which one is looked at, so that there are enough of them

Payments = Sequence[int]
"""What a card paid each player at a position."""


@dataclass(slots=True, eq=False)
class CardPay:
    """What one rule paid: how often it was evaluated for a player, how often it paid, to whom.

    times_negative: how often it took gold away.
    """

    rule: Rule
    samples: int = 0
    times_paid: int = 0
    times_negative: int = 0
    differed: bool = False

    def add(self, payments: Payments) -> None:
        """Note what it paid each player at a position."""
        self.samples += len(payments)
        self.times_paid += sum(gold > 0 for gold in payments)
        self.times_negative += sum(gold < 0 for gold in payments)
        self.differed = self.differed or len(set(payments)) > 1


class EqualPay:
    """Cards that may still always pay alike; those like none of `subjects` are dropped.

    Cards are held in groups of those that are still alike. A position parts each group by what its
    cards paid there, so that a card is compared with no other one.
    """

    def __init__(self, cards: Collection[str], subjects: Collection[str]) -> None:
        self._subjects = frozenset(subjects)
        self._first_payments: dict[str, int] = {}
        self._groups = list(self._with_subjects([list(cards)]))

    @property
    def cards(self) -> Iterator[str]:
        """The cards that may still be like another one."""
        return (card for group in self._groups for card in group)

    def sample(self, payments: Mapping[str, Payments]) -> None:
        """Part the cards by what each of them paid at a position."""
        self._groups = [part for group in self._groups for part in self._split(group, payments)]

    def pairs(self) -> Iterator[tuple[str, str, tuple[int, int]]]:
        """Cards of `subjects`, each with one that it is like, and a pair of what the two paid.

        Of a group of only such cards, the last is reported as the one that another is like.
        """
        for group in self._groups:
            paying_cards = sorted(self._first_payments.keys() & set(group))
            other_card = next((card for card in paying_cards if card not in self._subjects), "")
            for card, next_card in zip_longest(paying_cards, paying_cards[1:], fillvalue=""):
                if card in self._subjects and (other := other_card or next_card):
                    yield card, other, (self._first_payments[card], self._first_payments[other])

    def _split(self, group: list[str], payments: Mapping[str, Payments]) -> Iterator[list[str]]:
        parts: dict[Payments, list[str]] = {}
        for card in group:
            parts.setdefault(self._ratio(card, payments[card]), []).append(card)
        return self._with_subjects(parts.values())

    def _with_subjects(self, groups: Collection[list[str]]) -> Iterator[list[str]]:
        """The groups in which one of `subjects` has company."""
        return (g for g in groups if len(g) > 1 and not self._subjects.isdisjoint(g))

    def _ratio(self, card: str, payments: Payments) -> Payments:
        """What a card paid as a multiple of what it first paid; cards are alike if equal."""
        first = self._first_payments.get(card) or next(filter(None, payments), 0)
        if not first:
            return ()
        self._first_payments[card] = first
        step = gcd(first, *payments) if first > 0 else -gcd(first, *payments)
        return tuple(gold // step for gold in (first, *payments))


class PaySampler:
    """Asks what some rules pay at one position after another, and compares them with all cards."""

    def __init__(self, ruleset: Ruleset, rules: Iterable[Rule]) -> None:
        catalog = ruleset.catalog
        scoring_only = {
            o.rule.id: o.rule for o in ruleset.owners.values() if _only_pays(o.rule, o.card)
        }
        self._rules = scoring_only
        self.pays = {rule.id: CardPay(rule) for rule in rules if rule.awards}
        self._cards = {id: index for index, id in enumerate(catalog.cards)}
        self.equal_pay = EqualPay(scoring_only, self.pays.keys() & scoring_only.keys())
        rules_by_id = {**scoring_only, **{id: pay.rule for id, pay in self.pays.items()}}
        costs = CostModel()
        work = sum(_work(award, costs) for rule in rules_by_id.values() for award in rule.awards)
        self._interval = min(1 + work // MAX_WORK, _MAX_INTERVAL)
        self._positions = 0

    def sample(self, game: Game, state: State) -> None:
        """See what is paid at a position; each rule is evaluated once.

        Where asking takes long, only every so manyth position is looked at.
        """
        self._positions += 1
        if self._positions % self._interval:
            return
        scoring = Scoring(game.plan, game.board, self._cards.values())
        played = [pay for pay in self.pays.values() if self._is_played(game, pay.rule)]
        payments = {pay.rule.id: _payments(scoring, pay.rule, state) for pay in played}
        for pay in played:
            pay.add(payments[pay.rule.id])
        for card in self.equal_pay.cards:
            if card not in payments:
                payments[card] = _payments(scoring, self._rules[card], state)
        self.equal_pay.sample(payments)

    def _is_played(self, game: Game, rule: Rule) -> bool:
        return rule.id not in self._cards or rule.id in game.cards or rule.id in self._rules


def _only_pays(rule: Rule, card: int) -> bool:
    """Whether it is a card that does nothing but pay at the end."""
    return card >= 0 and bool(rule.awards) and not rule.acts_in_play


def _work(award: Award, costs: CostModel) -> int:
    """How long asking one player for an award takes at most, in steps of expressions."""
    parts = (award.amount, award.domain, award.by, award.guard)
    once = sum(costs.cost_of(part).work for part in parts if part is not None)
    for _, domain, _ in award.loops:
        once *= size_of(domain.sort)
    return _AWARD + once


def _payments(scoring: Scoring, rule: Rule, state: State) -> list[int]:
    WORK.steps += _AWARD * len(rule.awards) * len(state.seats)
    WORK.check()
    return [scoring.line(rule, state, player).gold for player in range(len(state.seats))]
