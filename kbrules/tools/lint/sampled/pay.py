"""What cards pay at sampled positions, and which others never paid anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kbrules.engine.game import Game
from kbrules.engine.scoring import Scoring
from kbrules.game.state import State
from kbrules.lang.core import Rule
from kbrules.library.ruleset import Ruleset

__all__ = ["Cashier", "Pay"]


@dataclass(slots=True, eq=False)
class Pay:
    """What one rule paid: how often it was asked of a player, how often it paid, to whom.

    cost: how often it took gold away.
    twins: the cards that may still always pay the same multiple, each with a pair of what the
    two paid, once one of them did.
    """

    rule: Rule
    looks: int = 0
    paid: int = 0
    cost: int = 0
    differed: bool = False
    twins: dict[str, tuple[int, int]] = field(default_factory=dict)


class Cashier:
    """Asks what some rules pay at one position after another, and compares them with all cards."""

    def __init__(self, ruleset: Ruleset, rules: Iterable[Rule]) -> None:
        self._ruleset = ruleset
        catalog = ruleset.catalog
        passive = {o.rule.id: o.rule for o in ruleset.owners.values() if _only_pays(o.rule, o.card)}
        self._rules = passive
        self.pays = {rule.id: Pay(rule) for rule in rules if rule.awards}
        self._cards = {id: catalog.cards.index(id) for id in catalog.cards}
        for id, pay in self.pays.items():
            if id in passive:
                pay.twins = dict.fromkeys((each for each in passive if each != id), (0, 0))

    def look(self, game: Game, state: State) -> None:
        """See what is paid at a position."""
        scoring = Scoring(game.program, game.board, self._cards.values())
        for pay in self.pays.values():
            if not self._is_played(game, pay.rule):
                continue
            golds = _golds(scoring, pay.rule, state)
            pay.looks += len(golds)
            pay.paid += sum(gold > 0 for gold in golds)
            pay.cost += sum(gold < 0 for gold in golds)
            pay.differed = pay.differed or len(set(golds)) > 1
            self._compare(pay, golds, scoring, state)

    def _is_played(self, game: Game, rule: Rule) -> bool:
        return rule.id not in self._cards or rule.id in game.cards or rule.id in self._rules

    def _compare(self, pay: Pay, golds: list[int], scoring: Scoring, state: State) -> None:
        for other, pair in list(pay.twins.items()):
            for own, theirs in zip(golds, _golds(scoring, self._rules[other], state), strict=True):
                pair = (own, theirs) if pair == (0, 0) else pair
                if own * pair[1] != theirs * pair[0]:
                    del pay.twins[other]  # they differ
                    break
            else:
                pay.twins[other] = pair


def _only_pays(rule: Rule, card: int) -> bool:
    """Whether it is a card that does nothing but pay at the end."""
    return card >= 0 and bool(rule.awards) and not rule.acts_in_play


def _golds(scoring: Scoring, rule: Rule, state: State) -> list[int]:
    return [scoring.line(rule, state, player).gold for player in range(len(state.seats))]
