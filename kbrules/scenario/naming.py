"""Scenarios and examples by their names: what stands behind `::` in `file.kb::name`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from kbrules.scenario.examples import RuleExample
from kbrules.scenario.items import Item

__all__ = ["meant", "typed"]


def meant(items: Sequence[Item], name: str) -> list[Item]:
    """The items that a name may mean: one if it is clear, several if more must be said.

    A name is a title, the number of an item, how one title begins, or the rule of an example,
    also with its kind before it, as in `card rowers`.
    """
    if name.isdigit() and 0 < int(name) <= len(items):
        return [items[int(name) - 1]]
    exact = [item for item in items if name in (item.title, item.id.partition("::")[2])]
    if exact:
        return exact[:1]
    begun = [item for item in items if item.title.lower().startswith(name.lower())]
    rule = name.rpartition(" ")[2].lower()
    of_rule = [item for item in items if _rule_of(item) == rule]
    return begun if len(begun) == 1 else of_rule or begun


def _rule_of(item: Item) -> str | None:
    return item.what.rule.id.lower() if isinstance(item.what, RuleExample) else None


def typed(item: Item) -> str:
    """How an item is named on a command line, in quotes where a shell needs them."""
    return shlex.quote(item.id)
