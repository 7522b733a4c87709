"""Whether a scenario or an example may come out otherwise by other rules.

Sound, not exact: it may say yes where nothing changes, never no where something does.
"""

from __future__ import annotations

from kbrules.lang.core import Rule
from kbrules.library.ruleset import IN_PLAY, Ruleset
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.scenario.format.reader import Scenario
from kbrules.scenario.running.cases import Case

__all__ = ["cards_between", "may_differ"]

_BETWEEN = "cards that differ from"


def may_differ(before: Case, now: Case) -> bool:
    """Whether a case whose own file is as it was may come out otherwise than before."""
    if before.cache is now.cache:
        return False
    cards = _kept(before.cache.ruleset, now.cache.ruleset)
    return cards is None or any(_speaks_of(now, card) for card in cards)


def _kept(old: Ruleset, new: Ruleset) -> frozenset[str] | None:
    """The cards between two rule sets, found once for all cases."""
    known = new.derived.get(_BETWEEN)
    if known is None or known[0] is not old:
        known = new.derived[_BETWEEN] = old, cards_between(old, new)
    cards: frozenset[str] | None = known[1]
    return cards


def cards_between(old: Ruleset, new: Ruleset) -> frozenset[str] | None:
    """The cards that are all two rule sets differ in; None if they differ in anything else.

    Only cards that do nothing before the end of the game count: where they are not in play,
    nobody ever asks what they say.
    """
    same = old.catalog is new.catalog and old.parts is new.parts
    if not same or (old.options, old.memories) != (new.options, new.memories):
        return None
    left, right = dict(_named(old)), dict(_named(new))
    names = [name for name in left.keys() | right.keys() if left.get(name) != right.get(name)]
    changed = [rules[name] for name in names for rules in (left, right) if name in rules]
    if old.marks != new.marks or not all(_is_quiet(rule, new) for rule in changed):
        return None
    return frozenset(rule.id for rule in changed)


def _named(ruleset: Ruleset) -> list[tuple[tuple[str, str], Rule]]:
    return [((rule.kind, rule.id), rule) for rule in ruleset.rules]


def _is_quiet(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether a rule is a card that only pays at the end, whatever else is in play."""
    asks = ruleset.mentions(rule.awards, IN_PLAY)
    return rule.kind in CARD_KINDS and not rule.acts_in_play and not asks


def _speaks_of(case: Case, card: str) -> bool:
    """Whether a card may be in play in a case."""
    if isinstance(case.definition, Scenario):
        return card in case.definition.model.cards
    return card == case.definition.rule.id or card in case.definition.example.span.text
