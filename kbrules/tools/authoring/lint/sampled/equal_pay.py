"""Which cards always paid the same multiple of each other, told from what each of them paid.

Cards are kept in groups of those that are still alike. A position parts each group by what its
cards paid there, so that a card is compared with no other one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import gcd

__all__ = ["EqualPay"]

Golds = Sequence[int]
"""What a card paid each player at a position."""


class EqualPay:
    """Cards that may still always pay alike; those like none of `subjects` are let go."""

    def __init__(self, cards: Collection[str], subjects: Collection[str]) -> None:
        self._subjects = frozenset(subjects)
        self._first: dict[str, int] = {}
        self._groups = list(self._kept([list(cards)]))

    @property
    def cards(self) -> Iterator[str]:
        """The cards that may still be like another one."""
        return (card for group in self._groups for card in group)

    def look(self, golds: Mapping[str, Golds]) -> None:
        """Part the cards by what each of them paid at a position."""
        self._groups = [part for group in self._groups for part in self._parted(group, golds)]

    def pairs(self) -> Iterator[tuple[str, str, tuple[int, int]]]:
        """Cards of `subjects`, each with one that it is like, and a pair of what the two paid.

        Of a group of only such cards, the last is told as the one that another is like.
        """
        for group in self._groups:
            paying = sorted(self._first.keys() & set(group))
            company = next((card for card in paying if card not in self._subjects), "")
            for card, after in zip_longest(paying, paying[1:], fillvalue=""):
                if card in self._subjects and (other := company or after):
                    yield card, other, (self._first[card], self._first[other])

    def _parted(self, group: list[str], golds: Mapping[str, Golds]) -> Iterator[list[str]]:
        parts: dict[Golds, list[str]] = {}
        for card in group:
            parts.setdefault(self._ratio(card, golds[card]), []).append(card)
        return self._kept(parts.values())

    def _kept(self, groups: Collection[list[str]]) -> Iterator[list[str]]:
        """The groups in which one of `subjects` has company."""
        return (g for g in groups if len(g) > 1 and not self._subjects.isdisjoint(g))

    def _ratio(self, card: str, golds: Golds) -> Golds:
        """What a card paid as a multiple of what it first paid; cards are alike if equal."""
        first = self._first.get(card) or next(filter(None, golds), 0)
        if not first:
            return ()
        self._first[card] = first
        step = gcd(first, *golds) if first > 0 else -gcd(first, *golds)
        return tuple(gold // step for gold in (first, *golds))
