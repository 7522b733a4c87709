"""Which declarations mean something else: compared as the rules that come of them, not as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from kbrules.library.ruleset import Ruleset

__all__ = ["RuleChanges", "rule_changes"]

_IGNORED = ("span", "spans", "title", "wording", "examples")
"""What of a rule says nothing of what it does."""


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """Rules by kind and name: in both but not the same, only in the new, only in the old.

    things: whether anything that boxes contain differs, or an option, or what is remembered.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    things: bool

    @property
    def is_empty(self) -> bool:
        """Whether the two do the same, whatever is played: this is exact, no sampling."""
        return not (self.changed or self.added or self.removed or self.things)

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
    old_rules, new_rules = _rules(old), _rules(new)
    changed = [
        name for name in old_rules if name in new_rules and old_rules[name] != new_rules[name]
    ]
    added = [name for name in new_rules if name not in old_rules]
    removed = [name for name in old_rules if name not in new_rules]
    is_same = (
        _without_places(old.catalog) == _without_places(new.catalog)
        and _without_places(old.parts) == _without_places(new.parts)
        and dict(old.options) == dict(new.options)
        and dict(old.memories) == dict(new.memories)
    )
    return RuleChanges(tuple(changed), tuple(added), tuple(removed), not is_same)


def _rules(ruleset: Ruleset) -> Mapping[str, Any]:
    return {f"{rule.kind} {rule.id}": _without_places(rule) for rule in ruleset.rules}


def _without_places(value: Any) -> Any:
    """A value without places in texts, wordings and examples, for comparing."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value) if f.compare and f.name not in _IGNORED]
        return type(value).__name__, tuple(_without_places(getattr(value, name)) for name in names)
    if isinstance(value, tuple | list):
        return tuple(_without_places(each) for each in value)
    if isinstance(value, Mapping):
        return tuple((key, _without_places(value[key])) for key in sorted(value, key=str))
    return value
