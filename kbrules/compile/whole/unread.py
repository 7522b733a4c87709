"""Taking out of a program what it keeps up to date and nobody asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEPT = ("seat.near |= ", "t.required = ", "t.firings = ")
"""How lines begin that keep something that only other lines of the program read."""


def unread(texts: Sequence[str]) -> list[str]:
    """The functions without the lines that keep what no other line reads."""
    found = list(texts)
    for start in _KEPT:
        keeping = re.compile(rf"^ *{re.escape(start)}.*\n", re.MULTILINE)
        without = [keeping.sub("", text) for text in found]
        name = re.compile(rf"\b{re.escape(start.split()[0])}\b")
        if not any(name.search(text) for text in without):
            found = without
    return found
