"""The order in which survivors are told: rule by rule, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable

from kbrules.tools.checking.mutation.faults import KINDS
from kbrules.tools.checking.mutation.result import Survivor

__all__ = ["by_rule"]

_BLATANT = ("sentence", "condition", "clause", "kind", "negation", "branch", "freed", "event")
"""The kinds of fault that a test of any kind would notice, if there were one."""
_SLIGHT = ("number", "option", "memory")
"""Those that only a test at the limit notices."""
_REST = tuple(kind for kind in KINDS if kind not in _BLATANT + _SLIGHT)
_ORDER = {kind: at for at, kind in enumerate((*_BLATANT, *_REST, *_SLIGHT))}


def by_rule(survivors: Iterable[Survivor]) -> list[tuple[str, list[Survivor]]]:
    """The survivors of each rule, by its name.

    A survivor with a scenario that would notice it tells more than one without, and what is left
    out more than what is changed a little. First comes the rule with the most telling one; of
    several such, that with the most survivors.
    """
    groups: dict[str, list[Survivor]] = {}
    for each in sorted(survivors, key=_rank):
        groups.setdefault(each.fault.name, []).append(each)
    return sorted(groups.items(), key=lambda group: (_rank(group[1][0]), -len(group[1])))


def _rank(survivor: Survivor) -> tuple[bool, int]:
    return not survivor.scenario, _ORDER[survivor.fault.kind]
