"""Reads what a kernel says of a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from kbrules.engine.outcome import Outcome
from kbrules.engine.playable import Playable
from kbrules.kernel.lowering.rules import Lowered

__all__ = ["Reader"]


class Reader:
    """Reads the rows of outcomes."""

    def __init__(self, lowered: Lowered, game: Playable) -> None:
        players, paying = range(game.players), len(lowered.paying)
        kinds, gains = lowered.layout["TILE_KINDS"], lowered.layout["GAIN_RULES"]
        part = 2 + paying + 2 * kinds + gains
        starts = [3 + player * part for player in players]
        self.size = 3 + game.players * part
        ids = [rule.id for rule in game.scoring.rules]
        self._gold = [_picked([at + 2 + lowered.paying.index(id) for id in ids]) for at in starts]
        self._paid = [[at, *range(at + 2, at + 2 + paying)] for at in starts]
        self._gained, self._decisions = _picked(starts), _picked([at + 1 for at in starts])
        self._used = [slice(at + 2 + paying, at + 2 + paying + kinds) for at in starts]
        self._taken = [slice(each.stop, each.stop + kinds) for each in self._used]
        rules = range(len(lowered.gains))
        order = sorted(rules, key=lowered.gains.__getitem__)
        self._gains = [[(lowered.gains[i], each.stop + i) for i in order] for each in self._taken]
        self._gain = _picked([i for each in self._gains for _, i in each])
        self._none = tuple([() for _ in players])
        bits = range(1 << game.players)
        self._winners = [tuple([p for p in players if each >> p & 1]) for each in bits]

    def totals(self, player: int) -> list[int]:
        """Where the numbers lie that are the total gold of a player."""
        return self._paid[player]

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


# Made for every game; this is twice as fast as calling the class.
_outcome: Callable[[tuple[Any, ...]], Outcome] = partial(tuple.__new__, Outcome)


def _picked(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """The numbers of some places of a row."""
    if not places:
        return lambda row: ()
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])
