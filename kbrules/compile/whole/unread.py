"""Taking out of a program what it keeps up to date and nobody asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEPT = ("seat.near |= ", "t.required = ", "t.firings = ")
"""How lines begin that keep something that only other lines of a program read."""
_TOLD = ("t.stage = ('turn', turn)", "t.revealed = -1")
"""Lines that keep what the code of words and of steps may read or change as well."""
_CALLED = re.compile(r"\bk\d+\(.*\b(t|view)\b|\btell\(")


def unread(texts: Sequence[str]) -> list[str]:
    """The functions without the lines that keep what nothing else reads."""
    starts = _KEPT if any(map(_CALLED.search, texts)) else (*_KEPT, *_TOLD)
    found = list(texts)
    for start in starts:
        found = _without(found, start)
    return found


def _without(texts: list[str], start: str) -> list[str]:
    """The functions without lines that begin so, if no other line has what they set."""
    keeping = re.compile(rf"^ *{re.escape(start)}.*\n", re.MULTILINE)
    without = [keeping.sub("", text) for text in texts]
    name = start.split()[0]
    read = re.compile(rf"\b{re.escape(name)}\b(?!.* = \(')")
    return texts if any(map(read.search, without)) else without
