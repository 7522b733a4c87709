"""Reads what a kernel says of a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from kbrules.engine.outcome import Outcome
from kbrules.engine.playable import Playable
from kbrules.kernel.lowering.rules import Lowered

__all__ = ["Fields", "Reader"]


class Fields(NamedTuple):
    """Where the numbers of one player lie in the row of an outcome."""

    gained: int
    decisions: int
    paid: slice
    used: slice
    taken: slice
    gains: slice


class Reader:
    """Reads the rows of outcomes."""

    def __init__(self, lowered: Lowered, game: Playable) -> None:
        players = range(game.players)
        self.fields = [_fields(lowered, player) for player in players]
        """Where the numbers of each player lie."""
        self.size = self.fields[-1].gains.stop
        ids = [rule.id for rule in game.scoring.rules]
        places = [lowered.paying.index(id) for id in ids]
        self._gold = [_picked([f.paid.start + at for at in places]) for f in self.fields]
        self._gained = _picked([fields.gained for fields in self.fields])
        self._decisions = _picked([fields.decisions for fields in self.fields])
        self._used = [fields.used for fields in self.fields]
        self._taken = [fields.taken for fields in self.fields]
        rules = range(len(lowered.gains))
        order = sorted(rules, key=lowered.gains.__getitem__)
        firsts = [fields.gains.start for fields in self.fields]
        self._gains = [[(lowered.gains[i], first + i) for i in order] for first in firsts]
        self._gain = _picked([i for each in self._gains for _, i in each])
        self._none = tuple([() for _ in players])
        bits = range(1 << game.players)
        self._winners = [tuple([p for p in players if each >> p & 1]) for each in bits]

    def totals(self, player: int) -> list[int]:
        """Where the numbers lie that are the total gold of a player."""
        fields = self.fields[player]
        return [fields.gained, *range(fields.paid.start, fields.paid.stop)]

    def outcome(self, row: tuple[int, ...]) -> Outcome:
        """The outcome that a row says."""
        return _outcome((
            tuple([picked(row) for picked in self._gold]),
            self._gained(row),
            self._winners[row[2]],
            row[1],
            self._decisions(row),
            tuple(map(row.__getitem__, self._used)),
            tuple(map(row.__getitem__, self._taken)),
            self._gains_of(row),
        ))  # fmt: skip

    def _gains_of(self, row: tuple[int, ...]) -> tuple[tuple[tuple[str, int], ...], ...]:
        """The gold that each player got in play, by rule."""
        if not any(self._gain(row)):
            return self._none
        return tuple([tuple([(id, row[i]) for id, i in each if row[i]]) for each in self._gains])


def _fields(lowered: Lowered, player: int) -> Fields:
    kinds, gains = lowered.layout["TILE_KINDS"], lowered.layout["GAIN_RULES"]
    paying = len(lowered.paying)
    at = 3 + player * (2 + paying + 2 * kinds + gains)
    used = at + 2 + paying
    taken, last = used + kinds, used + 2 * kinds
    return Fields(
        at, at + 1, slice(at + 2, used), slice(used, taken), slice(taken, last),
        slice(last, last + gains),
    )  # fmt: skip


# Made for every game; this is twice as fast as calling the class.
_outcome: Callable[[tuple[Any, ...]], Outcome] = partial(tuple.__new__, Outcome)


def _picked(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """The numbers of some places of a row."""
    if not places:
        return lambda row: ()
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])
