"""Rollouts: random games from a state to the end, many after each of some moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbrules.engine.configuration import NATIVE
from kbrules.engine.interface import GameLike
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.engine.simulation.playouts import GAMES_PER_CALL
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel.memory.encoding import DoesNotFit, StateEncoder
from kbrules.kernel.memory.layout import MAX_COUNTS
from kbrules.kernel.memory.move_decoding import MoveDecoder

Fallback = Callable[[Move, Random], int]
"""The lead at the end of one game played on after a move by the plain engine."""


class Rollouts:
    """Games of one table played on by its native kernel.

    NotLowered if none can be made of the rules, MissingNumba without the extra `fast`. What needs
    more room than there is, is played by the plain engine; `faults` counts such games.
    """

    def __init__(self, game: GameLike) -> None:
        kernel = kernel_of(game, NATIVE)
        lowered, self._memory = kernel.lowered, kernel.new_memory(game)
        self._layout = lowered.layout
        self._positions = StateEncoder(lowered, game, self._memory.cells, self._memory.number)
        self._size = kernel.decoder(game).size
        self._moves = MoveDecoder(lowered)
        self._game, self._is_native = game, game.engine == NATIVE
        self.faults = 0

    def leads(
        self,
        state: State,
        me: int,
        moves: Sequence[Move],
        times: int,
        random: Random,
        fallback: Fallback,
    ) -> list[int]:
        """By how much a player is ahead at the end of so many games, in all, after each move.

        The games are played one after another, with everything drawn from one stream.
        """
        try:
            self._set_start(self._encoded(state))
        except DoesNotFit:
            self.faults += len(moves) * times
            return [sum(fallback(move, random) for _ in range(times)) for move in moves]
        return self._play(me, moves, times, random, fallback)

    def _encoded(self, state: State) -> Sequence[int]:
        """A state as numbers of the kernel; those it was decoded from, if this kernel made it."""
        cache = state.cache
        is_own = self._is_native and cache is not None and cache.game is self._game
        if cache is not None and is_own and cache.numbers is not None:
            known: Sequence[int] = cache.numbers
            return known
        return self._positions.encode(state)

    def _set_start(self, numbers: Sequence[int]) -> None:
        """Let games begin in a position; see `Positions`."""
        at = self._layout["SAVES"] + MAX_COUNTS["SAVE"] * self._layout["SAVE_SIZE"]
        self._memory.put(at, numbers)

    def _play(
        self, me: int, moves: Sequence[Move], times: int, random: Random, fallback: Fallback
    ) -> list[int]:
        memory, out = self._memory, self._memory.room(self._size + len(moves))
        numbers = [number for move in moves for number in self._moves.numbers(move)]
        game, all, stream = 0, times * len(moves), self._layout["STREAMS"]
        while game < all:
            memory.go_to(stream, random.position)
            until = min(game + GAMES_PER_CALL, all)
            game = memory.call(self._layout["PLAY_ON"], until, [me, times, game, *numbers], out)
            random.go_to(memory.stream(stream))
            if game < until:
                self.faults += 1
                out[self._size + game // times] += fallback(moves[game // times], random)
                game += 1
        leads: list[int] = out[self._size :].tolist()
        return leads


def rollouts_of(game: GameLike) -> Rollouts:
    """Those of a table, made once."""
    found: Rollouts | None = game.cache.get(Rollouts)
    if found is None:
        found = game.cache[Rollouts] = Rollouts(game)
    return found
