"""Two sets of rules compared: what they contain, what they do, and what it pays."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.engine.matches import Bot
from kbrules.progress import OnProgress, silent
from kbrules.tools.checking.comparison.difference_search import DifferenceSearch, find_differences
from kbrules.tools.checking.comparison.gold_changes import GoldChange, gold_changes
from kbrules.tools.checking.comparison.minimal_examples import MinimalExample, minimal_examples
from kbrules.tools.checking.comparison.rule_changes import RuleChanges, rule_changes
from kbrules.tools.checking.comparison.versions import RulesVersion


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that was found out about two sets of rules."""

    old: str
    new: str
    seed: int
    changes: RuleChanges
    search: DifferenceSearch
    boards: tuple[MinimalExample, ...]
    games: int
    gold: tuple[GoldChange, ...]

    @property
    def differs(self) -> bool:
        """Whether any difference was seen: in what the two contain, or in what they do.

        A declaration that only says the same otherwise is none.
        """
        changes = self.changes
        contain = changes.added or changes.removed or changes.contents_differ
        gold = any(each.before != each.after for each in self.gold)
        return bool(contain or self.search.counts or gold)


def compare(
    old: RulesVersion,
    new: RulesVersion,
    positions: int,
    games: int,
    seed: int,
    bot: Bot,
    on_progress: OnProgress = silent,
) -> Comparison:
    """Two sets of rules compared on so many positions and games.

    on_progress: told how many positions are compared, boards made small, and games played.
    """
    changes = rule_changes(old.ruleset, new.ruleset)
    if changes.is_empty:
        return Comparison(old.name, new.name, seed, changes, DifferenceSearch(), (), 0, ())
    search = find_differences(old, new, changes, positions, seed, on_progress)
    boards = tuple(minimal_examples(search, old, new, on_progress))
    played, gold = gold_changes(old, new, changes, games, seed, bot, on_progress)
    return Comparison(old.name, new.name, seed, changes, search, boards, played, tuple(gold))
