"""Many games side by side, on one table or several: acted in and seen by the native kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from kbrules.diagnostics import shortened
from kbrules.engine import configuration, matches
from kbrules.engine.simulation.playouts import Batch, array_of, seeds_of
from kbrules.envs.actions import actions_of
from kbrules.envs.observation import features_of, views_of
from kbrules.envs.session import IllegalAction
from kbrules.game.random import Random


def action_array(actions: Any, games: int) -> Any:
    """Return actions as an array of whole numbers, one for each game; else IllegalAction."""
    array = array_of(actions)
    if array.shape != (games,) or array.dtype.kind not in "iu":
        kind = f"{array.dtype} of shape {array.shape}"
        raise IllegalAction(f"{games} whole numbers are wanted, not {kind}")
    return array


# Many games on one table side by side: acted in and seen by one call of the native kernel each.


class GameBatch(Batch):
    """The games of some seeds on one table, by numbers of actions; see `Batch`.

    Players who move by chance draw from the stream of their seat, as bots do in a match.
    """

    def __init__(self, game: configuration.Table, seeds: Sequence[int]) -> None:
        super().__init__(game, seeds)
        numpy = self._numpy
        self.actions, self.features = actions_of(game), features_of(game)
        self._views = views_of(game)
        self._codes = numpy.array(self._views.head.codes, numpy.int64)
        self._hexes = numpy.array(self.actions.hexes, numpy.int64)
        self._seed_players(range(len(self)))

    def _seed_players(self, games: Sequence[int]) -> None:
        """Put the stream of each player of some games at its beginning."""
        first = self._layout["ROW_CHANCE"] + 1
        rows = self._rows.view(self._numpy.uint64)
        for game in games:
            for player in range(self.features.players):
                position = Random(self.seeds[game], f"bot {player}").position
                rows[game, first + player] = position

    def restart(self, games: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin some of the games anew, each with a seed; IndexError for a game there is not."""
        games, seeds = self._indexes(games), seeds_of(seeds)
        if len(games) != len(seeds):
            raise ValueError(f"{len(games)} games need as many seeds, not {len(seeds)}")
        if not len(games):
            return
        begun = self._numpy.zeros((len(games), self._rows.shape[1]), self._numpy.int64)
        self._begin(seeds, begun)
        self._rows[games] = begun
        known = [*self.seeds]
        for game, seed in zip(games, seeds, strict=True):
            known[game] = seed
        self.seeds = tuple(known)
        self._seed_players(games)
        self._check()

    def act(self, actions: Any) -> Any:
        """Carry out an action in each game; where that is over or the number is below 0, none.

        It answers where an action is not legal; such a game stays as it was. IllegalAction, and
        nothing done, for a number that is no action, or an array of another shape or kind.
        """
        numpy = self._numpy
        array = action_array(actions, len(self))
        if (array >= len(self.actions)).any():
            last = len(self.actions) - 1
            raise IllegalAction(f"there is no action {array.max()}: the last one is {last}")
        codes = self._codes_of(array.astype(numpy.int64))
        codes = numpy.where(self.is_over, -1, codes)
        self._call("ACT_ROWS", codes)
        self._check()
        return codes >= 0

    def _codes_of(self, actions: Any) -> Any:
        """The code of each action as the kernel takes it; -1 for a number below 0."""
        numpy, size, kinds = self._numpy, len(self._hexes), self.actions.with_hex
        has_hex = actions < kinds * size
        kind = numpy.where(has_hex, actions // size, actions - kinds * size + kinds)
        hexes = numpy.where(has_hex, self._hexes[actions % size] + 1, 0)
        return numpy.where(actions < 0, -1, self._codes[kind] | hexes)

    def _indexes(self, games: Any) -> list[int]:
        """Which games are meant: TypeError for what are no whole numbers, IndexError beyond."""
        indexes = array_of(games)
        if indexes.ndim != 1 or (indexes.dtype.kind not in "iu" and indexes.size):
            raise TypeError(f"games are whole numbers, not {shortened(games)}")
        if ((indexes < 0) | (indexes >= len(self))).any():
            raise IndexError(f"games are numbered 0 to {len(self) - 1}")
        found: list[int] = indexes.tolist()
        return found

    def outcomes_of(self, games: Sequence[int]) -> list[matches.Outcome]:
        """What came of some games, as if they ended now; IndexError for a game there is not."""
        return self._decoded(self._indexes(games))

    def let_others_move(self, seats: Any) -> None:
        """Let all players but one move by chance in each game until that seat decides.

        seats: below 0 nothing is done. TypeError for other things than whole numbers, IndexError
        for a seat that no player has.
        """
        array = self._seats(seats)
        self._call("PLAY_ROWS", self._numpy.ascontiguousarray(array, self._numpy.int64))
        self._check()

    def observe(self, viewers: Any) -> dict[str, Any]:
        """What a player sees of each game: `planes`, `numbers` and `mask`, a row for each game.

        They are what `observe` and `Actions.mask` say of the states. viewers: a seat for each game;
        errors as for `let_others_move`.
        """
        seats = self._seats(viewers)
        if (seats < 0).any():
            raise IndexError("a viewer is a seat from 0 on")
        return self._views.observe(self._memory, self._rows, seats)

    def _seats(self, values: Any) -> Any:
        """A seat for each game."""
        seats = self._whole_numbers(values, "seats")
        if (seats >= self.features.players).any():
            raise IndexError(f"seats are numbered 0 to {self.features.players - 1}")
        return seats


# Games on several tables as one: each table's games lie side by side and are one batch.


class Batches:
    """The games of some seeds, shared evenly among tables; it does what `GameBatch` does."""

    def __init__(self, tables: Sequence[configuration.Table], seeds: Sequence[int]) -> None:
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

    def outcomes_of(self, games: Any) -> list[matches.Outcome]:
        """What came of some games. games: their indexes in ascending order."""
        found = []
        for part, batch in self._pairs():
            first, end = self._numpy.searchsorted(games, [part.start, part.stop])
            if first < end:
                found += batch.outcomes_of((games[first:end] - part.start).tolist())
        return found
