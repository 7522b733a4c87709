"""Taking out of a program what it keeps up to date and nobody asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbrules.compile.whole.plan import Plan

NEAR, REQUIRED, FIRINGS = "seat.near |= ", "t.required = ", "t.firings = "
_KEPT = (NEAR, REQUIRED, FIRINGS)
"""How lines begin that keep something that only other lines of a program read."""
_TOLD = ("t.stage = ('turn', turn)", "t.revealed = -1")
"""Lines that keep what the code of words and of steps may read or change as well."""
_CALLED = re.compile(r"\bk\d+\(.*\b(t|view)\b|\btell\(")


def unread(texts: Sequence[str], later: Sequence[str]) -> list[str]:
    """How those lines begin that keep what no other line reads.

    later: the same of what parts of the program read that are not written yet.
    """
    found: list[str] = []
    starts = _KEPT if any(map(_CALLED.search, texts)) else (*_KEPT, *_TOLD)
    for start in starts:
        name = start.split()[0]
        read = re.compile(rf"\b{re.escape(name)}\b(?!.* = \(')")
        rest = without(texts, [*found, start])
        if start not in later and not any(map(read.search, rest)):
            found.append(start)
    return found


def read_later(plan: Plan) -> list[str]:
    """What may be read by what tiles let a player do."""
    found = [NEAR, *_TOLD] if plan.tile_offers else []
    if plan.tile_offers and plan.asks("required()"):
        found.append(REQUIRED)
    if plan.standings or plan.draws:
        found.append(FIRINGS)
    return found


def without(texts: Sequence[str], starts: Sequence[str]) -> list[str]:
    """Functions without the lines that begin so."""
    if not starts:
        return [*texts]
    lines = re.compile(rf"^ *(?:{'|'.join(map(re.escape, starts))}).*\n", re.MULTILINE)
    return [lines.sub("", text) for text in texts]
