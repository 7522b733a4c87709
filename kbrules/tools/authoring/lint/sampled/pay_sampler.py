"""What cards pay at sampled positions, and which others never paid anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.scoring.sheet import Scoring
from kbrules.game.state import State
from kbrules.lang.checker.cost import CostModel, size_of
from kbrules.lang.core import Award, Rule
from kbrules.library.ruleset import Ruleset
from kbrules.tools.authoring.lint.sampled.equal_pay import EqualPay, Golds

__all__ = ["CardPay", "PaySampler"]

WORK = 20_000  # steps of asking at one position; of more, some positions are left out
_AWARD = 50  # steps, beside those of its expressions
_MOST = 20  # positions of which one is looked at, so that there are enough of them


@dataclass(slots=True, eq=False)
class CardPay:
    """What one rule paid: how often it was asked of a player, how often it paid, to whom.

    cost: how often it took gold away.
    """

    rule: Rule
    looks: int = 0
    paid: int = 0
    cost: int = 0
    differed: bool = False

    def see(self, golds: Golds) -> None:
        """Note what it paid each player at a position."""
        self.looks += len(golds)
        self.paid += sum(gold > 0 for gold in golds)
        self.cost += sum(gold < 0 for gold in golds)
        self.differed = self.differed or len(set(golds)) > 1


class PaySampler:
    """Asks what some rules pay at one position after another, and compares them with all cards."""

    def __init__(self, ruleset: Ruleset, rules: Iterable[Rule]) -> None:
        catalog = ruleset.catalog
        passive = {o.rule.id: o.rule for o in ruleset.owners.values() if _only_pays(o.rule, o.card)}
        self._rules = passive
        self.pays = {rule.id: CardPay(rule) for rule in rules if rule.awards}
        self._cards = {id: index for index, id in enumerate(catalog.cards)}
        self.likeness = EqualPay(passive, self.pays.keys() & passive.keys())
        asked = {**passive, **{id: pay.rule for id, pay in self.pays.items()}}
        costs = CostModel()
        work = sum(_work(award, costs) for rule in asked.values() for award in rule.awards)
        self._every = min(1 + work // WORK, _MOST)
        self._met = 0

    def look(self, game: Game, state: State) -> None:
        """See what is paid at a position; each rule is asked once.

        Where asking takes long, only every so manyth position is looked at.
        """
        self._met += 1
        if self._met % self._every:
            return
        scoring = Scoring(game.plan, game.board, self._cards.values())
        played = [pay for pay in self.pays.values() if self._is_played(game, pay.rule)]
        golds = {pay.rule.id: _golds(scoring, pay.rule, state) for pay in played}
        for pay in played:
            pay.see(golds[pay.rule.id])
        for card in self.likeness.cards:
            if card not in golds:
                golds[card] = _golds(scoring, self._rules[card], state)
        self.likeness.look(golds)

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


def _golds(scoring: Scoring, rule: Rule, state: State) -> list[int]:
    return [scoring.line(rule, state, player).gold for player in range(len(state.seats))]
