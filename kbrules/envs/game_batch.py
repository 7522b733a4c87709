"""Many games on one table side by side: acted in and seen by one call of the native kernel each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Outcome
from kbrules.engine.simulation.kernels import OutOfRoom
from kbrules.engine.simulation.playouts import Batch, array_of, seeds_of
from kbrules.envs.actions import actions_of
from kbrules.envs.features import features_of
from kbrules.envs.session import IllegalAction
from kbrules.envs.views import views_of
from kbrules.game.random import Random


class GameBatch(Batch):
    """The games of some seeds on one table, by numbers of actions; see `Batch`.

    Players who move by chance draw from the stream of their seat, as bots do in a match.
    """

    def __init__(self, game: GameLike, seeds: Sequence[int]) -> None:
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
        first = [Random(seed, "deck").position for seed in seeds]
        streams = self._numpy.array(first, self._numpy.uint64).view(self._numpy.int64)
        begun = self._numpy.zeros((len(games), self._rows.shape[1]), self._numpy.int64)
        self._memory.call_with(self._layout["BEGIN_ROWS"], len(games), streams, begun)
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
        codes = self._codes_of(self._checked(actions))
        codes = numpy.where(self.is_over, -1, codes)
        self._call("ACT_ROWS", codes)
        self._check()
        return codes >= 0

    def _checked(self, actions: Any) -> Any:
        array = array_of(actions)
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            kind = f"{array.dtype} of shape {array.shape}"
            raise IllegalAction(f"{len(self)} whole numbers are wanted, not {kind}")
        if (array >= len(self.actions)).any():
            last = len(self.actions) - 1
            raise IllegalAction(f"there is no action {array.max()}: the last one is {last}")
        return array.astype(self._numpy.int64)

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

    def outcomes_of(self, games: Sequence[int]) -> list[Outcome]:
        """What came of some games, as if they ended now; IndexError for a game there is not."""
        games = self._indexes(games)
        rows = self._numpy.ascontiguousarray(self._rows[games])
        found = self._numpy.zeros((len(games), self._decoder.size), self._numpy.int64)
        self._memory.call_with(self._layout["ROW_RESULTS"], len(games), found, rows)
        for game, fault in zip(games, found[:, 0].tolist(), strict=True):
            if fault:
                raise OutOfRoom(f"the game with seed {self.seeds[game]}", fault)
        return [*self._decoder.decode_all(found.ravel().tolist())]

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
