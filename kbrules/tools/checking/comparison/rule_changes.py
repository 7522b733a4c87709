"""Which declarations mean something else: compared as the rules that come of them, not as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbrules.lang.typed import Rule
from kbrules.library.ruleset import Ruleset
from kbrules.tools.checking.equivalence import are_equal


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """Rules by kind and name: in both but not the same, only in the new, only in the old.

    contents_differ: whether anything that boxes contain differs, or an option, or a memory.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    contents_differ: bool

    @property
    def is_empty(self) -> bool:
        """Whether the two do the same, whatever is played: this is exact, no sampling."""
        return not (self.changed or self.added or self.removed or self.contents_differ)

    def cards(self, old: Ruleset, new: Ruleset) -> tuple[str, ...]:
        """The changed cards that both have."""
        both = set(old.catalog.cards) & set(new.catalog.cards)
        return tuple(id for id in self.ids if id in both)

    def tiles(self, old: Ruleset, new: Ruleset) -> tuple[str, ...]:
        """The changed tiles that both have."""
        both = [{tile.id for tile in side.catalog.tiles} for side in (old, new)]
        return tuple(id for id in self.ids if all(id in known for known in both))

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of what is in both, but not the same."""
        return tuple(dict.fromkeys(name.split(" ")[1] for name in self.changed))


def rule_changes(old: Ruleset, new: Ruleset) -> RuleChanges:
    """What two rule sets do not have in common."""
    before, after = _rules_by_name(old), _rules_by_name(new)
    changed = [
        name for name in before if name in after and not are_equal(before[name], after[name])
    ]
    added = [name for name in after if name not in before]
    removed = [name for name in before if name not in after]
    is_same = (
        are_equal(old.catalog, new.catalog)
        and are_equal(old.parts, new.parts)
        and dict(old.options) == dict(new.options)
        and dict(old.memories) == dict(new.memories)
    )
    return RuleChanges(tuple(changed), tuple(added), tuple(removed), not is_same)


def _rules_by_name(ruleset: Ruleset) -> Mapping[str, Rule]:
    return {f"{rule.kind} {rule.id}": rule for rule in ruleset.rules}
