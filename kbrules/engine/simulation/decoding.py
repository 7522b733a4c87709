"""Decodes the results of finished games from a kernel's numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

from kbrules.engine.interface import GameLike
from kbrules.engine.matches.outcome import Outcome
from kbrules.kernel.lowering.kernel_text import KernelText


class PlayerColumns(NamedTuple):
    """Where the numbers of one player lie in the row of an outcome."""

    gained: int
    decisions: int
    paid: slice
    used: slice
    taken: slice
    gains: slice


Columns = Sequence[Sequence[int]]
Gains = tuple[tuple[tuple[str, int], ...], ...]


class OutcomeDecoder:
    """Reads outcomes: each is a row of so many numbers as `size` says, one behind the other."""

    def __init__(self, lowered: KernelText, game: GameLike) -> None:
        players = range(game.players)
        self.fields = [_player_columns(lowered, player) for player in players]
        """Where the numbers of each player lie."""
        self.size = self.fields[-1].gains.stop
        ids = [rule.id for rule in game.scoring.rules]
        places = [lowered.paying_rules.index(id) for id in ids]
        self._gold = [[fields.paid.start + at for at in places] for fields in self.fields]
        self._gained = [fields.gained for fields in self.fields]
        self._decisions = [fields.decisions for fields in self.fields]
        self._used = [range(each.used.start, each.used.stop) for each in self.fields]
        self._taken = [range(each.taken.start, each.taken.stop) for each in self.fields]
        rules = range(len(lowered.gaining_rules))
        order = sorted(rules, key=lowered.gaining_rules.__getitem__)
        firsts = [fields.gains.start for fields in self.fields]
        self._gains = [[(lowered.gaining_rules[i], first + i) for i in order] for first in firsts]
        bits = range(1 << game.players)
        self._winners = [tuple([p for p in players if each >> p & 1]) for each in bits]

    def total_columns(self, player: int) -> list[int]:
        """Where the numbers lie that are the total gold of a player."""
        fields = self.fields[player]
        return [fields.gained, *range(fields.paid.start, fields.paid.stop)]

    def decode(self, row: Sequence[int]) -> Outcome:
        """The outcome that a row says."""
        return next(self.decode_all(row))

    def decode_all(self, rows: Sequence[int]) -> Iterator[Outcome]:
        """The outcomes that rows say.

        They are put together by columns: that takes a third of the time of one by one.
        """
        columns = [rows[at :: self.size] for at in range(self.size)]
        fields = zip(
            _by_player(columns, self._gold), _tuples(columns, self._gained),
            map(self._winners.__getitem__, columns[2]), columns[1],
            _tuples(columns, self._decisions), _by_player(columns, self._used),
            _by_player(columns, self._taken), self._gains_of(columns), strict=True,
        )  # fmt: skip
        return map(_outcome, fields)

    def _gains_of(self, columns: Columns) -> Iterator[Gains]:
        """The gold that each player got in play, by rule."""
        some = [[(id, columns[at]) for id, at in each if any(columns[at])] for each in self._gains]
        games = len(columns[0])
        if not any(some):
            return repeat(tuple([() for _ in some]), games)
        return (
            tuple([tuple([(id, gold[i]) for id, gold in each if gold[i]]) for each in some])
            for i in range(games)
        )


def _player_columns(lowered: KernelText, player: int) -> PlayerColumns:
    kinds, gains = lowered.layout["TILE_KINDS"], lowered.layout["GAIN_RULES"]
    rules = len(lowered.paying_rules)
    at = 3 + player * (2 + rules + 2 * kinds + gains)
    used = at + 2 + rules
    taken, last = used + kinds, used + 2 * kinds
    return PlayerColumns(
        at, at + 1, slice(at + 2, used), slice(used, taken), slice(taken, last),
        slice(last, last + gains),
    )  # fmt: skip


# Made for every game; this is twice as fast as calling the class.
_outcome: Callable[[tuple[Any, ...]], Outcome] = partial(tuple.__new__, Outcome)


def _tuples(columns: Columns, places: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """For each row what stands in some of the columns."""
    found = [columns[place] for place in places]
    return zip(*found, strict=True) if found else repeat((), len(columns[0]))


def _by_player(
    columns: Columns, places: Iterable[Iterable[int]]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """For each row, and in that for each player, what stands in some of the columns."""
    return zip(*[_tuples(columns, each) for each in places], strict=True)
