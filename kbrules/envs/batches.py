"""Games on several tables as one: each table's games lie side by side and are one batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Outcome
from kbrules.envs.game_batch import GameBatch


class Batches:
    """The games of some seeds, shared evenly among tables; it does what `GameBatch` does."""

    def __init__(self, tables: Sequence[GameLike], seeds: Sequence[int]) -> None:
        import numpy

        self._numpy = numpy
        ends = [len(seeds) * at // len(tables) for at in range(len(tables) + 1)]
        self._parts = [slice(*pair) for pair in pairwise(ends)]
        pairs = zip(tables, self._parts, strict=True)
        self.batches = [GameBatch(table, seeds[part]) for table, part in pairs]

    def _pairs(self) -> Iterator[tuple[slice, GameBatch]]:
        return zip(self._parts, self.batches, strict=True)

    def _joined(self, arrays: Sequence[Any]) -> Any:
        return arrays[0] if len(arrays) == 1 else self._numpy.concatenate(arrays)

    @property
    def players(self) -> Any:
        """Who decides; -1 where the game is over."""
        return self._joined([batch.players for batch in self.batches])

    def restart(self, games: Any, seeds: Sequence[int]) -> None:
        """Begin some games anew, each with a seed. games: their indexes in ascending order."""
        for part, batch in self._pairs():
            first, end = self._numpy.searchsorted(games, [part.start, part.stop])
            batch.restart((games[first:end] - part.start).tolist(), seeds[first:end])

    def act(self, actions: Any) -> Any:
        """Carry out an action in each game; see `GameBatch.act`."""
        return self._joined([batch.act(actions[part]) for part, batch in self._pairs()])

    def let_others_move(self, seats: Any) -> None:
        """Let all but one player move by chance; see `GameBatch.let_others_move`."""
        for part, batch in self._pairs():
            batch.let_others_move(seats[part])

    def observe(self, viewers: Any) -> dict[str, Any]:
        """What a player sees of each game; see `GameBatch.see`."""
        observations = [batch.observe(viewers[part]) for part, batch in self._pairs()]
        return {
            name: self._joined([each[name] for each in observations]) for name in observations[0]
        }

    def scores(self) -> Any:
        """The total gold of each player, as if each game ended now: a row for each game."""
        return self._joined([batch.scores() for batch in self.batches])

    def outcomes_of(self, games: Any) -> list[Outcome]:
        """What came of some games. games: their indexes in ascending order."""
        found = []
        for part, batch in self._pairs():
            first, end = self._numpy.searchsorted(games, [part.start, part.stop])
            if first < end:
                found += batch.outcomes_of((games[first:end] - part.start).tolist())
        return found
