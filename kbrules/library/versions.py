"""Versions of boxes, and which of them a box needs.

A version is one to four whole numbers with dots: `2`, `1.4`, `1.4.2`; what is missing is 0. A
range is conditions with commas, all of which must hold: `>=1.2, <2` or `==1.4`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = "(?:0|[1-9][0-9]{0,5})"
VERSION = rf"{_NUMBER}(?:\.{_NUMBER}){{0,3}}"
"""The pattern of a version."""
_CONDITION = rf"(?:>=|<|==) ?{VERSION}"
NEED = rf"[a-z][a-z0-9_]{{0,39}}(?: {_CONDITION}(?:, ?{_CONDITION}){{0,3}})?"
"""The pattern of what a box needs: an id, and perhaps a range."""
_PARTS = 4
_UNSAID = "0"


@dataclass(frozen=True, slots=True)
class Need:
    """A box that another one needs: its id, and the range as it is written; empty for any."""

    id: str
    range: str

    def holds(self, version: str) -> bool:
        """Whether a version is in the range; an empty one counts as 0."""
        conditions = filter(None, self.range.split(","))
        return all(_holds(condition.strip(), version) for condition in conditions)


def read_need(text: str) -> Need:
    """What a text that fits `NEED` says."""
    id, _, range = text.partition(" ")
    return Need(id, range.strip())


def _holds(condition: str, version: str) -> bool:
    sign, bound = re.split(r"(?<=[<=]) ?(?=[0-9])", condition)
    own, limit = _numbers(version or _UNSAID), _numbers(bound)
    return own >= limit if sign == ">=" else own < limit if sign == "<" else own == limit


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    return (*numbers, *[0] * (_PARTS - len(numbers)))
