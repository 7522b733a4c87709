"""Choosing by name: `-k` expressions of words, `and`, `or`, `not` and brackets."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["selector"]

Chooses = Callable[[str], bool]
_TOKEN = re.compile(r"[()]|[^\s()]+")
_SIGNS = ("and", "or", "not", "(", ")")


def selector(expression: str) -> Chooses:
    """Whether an id is meant by an expression, upper and lower case alike.

    Words side by side are looked for as they stand. ValueError if it cannot be read.
    """
    reading = _Reading(_TOKEN.findall(expression.lower()))
    chooses = reading.any_of()
    if reading.rest:
        raise ValueError(f"`{reading.rest[0]}` stands where it cannot stand")
    return lambda id: chooses(id.lower())


class _Reading:
    """Words still to be read; each method reads one form from their front."""

    def __init__(self, words: list[str]) -> None:
        self.rest = words

    def any_of(self) -> Chooses:
        """Forms joined by `or`."""
        parts = [self._all_of()]
        while self._takes("or"):
            parts.append(self._all_of())
        return lambda id: any(part(id) for part in parts)

    def _all_of(self) -> Chooses:
        parts = [self._negated()]
        while self._takes("and"):
            parts.append(self._negated())
        return lambda id: all(part(id) for part in parts)

    def _negated(self) -> Chooses:
        if not self._takes("not"):
            return self._atom()
        inner = self._negated()
        return lambda id: not inner(id)

    def _atom(self) -> Chooses:
        if self._takes("("):
            inner = self.any_of()
            if not self._takes(")"):
                raise ValueError("a bracket is not closed")
            return inner
        words: list[str] = []
        while self.rest and self.rest[0] not in _SIGNS:
            words.append(self.rest.pop(0))
        if not words:
            raise ValueError("a word is missing")
        text = " ".join(words)
        return lambda id: text in id

    def _takes(self, word: str) -> bool:
        found = self.rest[:1] == [word]
        if found:
            self.rest.pop(0)
        return found
