"""The one table of diagnostic codes; data only, imports nothing of ours.

KB0xx reading, input and tools · 1xx syntax · 2xx names and sorts · 3xx composition of rule sets
4xx expansion data · 5xx scenarios, notation and logs · 7xx lints · 9xx our own faults
A code is never used again for something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kbrules.codes import (
    boards,
    composing,
    expansions,
    lints,
    mutating,
    names,
    no_effect,
    packages,
    reading,
    sampled,
    scenarios,
    simulating,
    syntax,
    tools,
    why,
)
from kbrules.codes.entry import Code, Example, Severity

__all__ = ["CODES", "Code", "Example", "Severity", "code"]

_GROUPS = (
    boards, composing, expansions, lints, mutating, names, no_effect, packages, reading,
    sampled, scenarios, simulating, syntax, tools, why,
)  # fmt: skip

CODES: Mapping[str, Code] = MappingProxyType(
    {
        entry.code: entry
        for entry in sorted(
            (entry for group in _GROUPS for entry in group.ENTRIES), key=lambda entry: entry.code
        )
    }
)


def code(name: str) -> Code:
    """The entry of a code such as "KB101"; raises KeyError for one that is not in the table."""
    return CODES[name]
