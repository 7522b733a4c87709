"""Immutable states stepped by a kernel: each has its encoding, decoded when a fact is read."""

from __future__ import annotations

from kbrules.engine.interface import GameLike
from kbrules.engine.simulation.kernels import OutOfRoom, kernel_of
from kbrules.game.moves import Move, MoveGroup, MoveSet
from kbrules.game.state import State
from kbrules.kernel.memory.cells import Numbers
from kbrules.kernel.memory.decoding import StateDecoder
from kbrules.kernel.memory.encoding import DoesNotFit, StateEncoder
from kbrules.kernel.memory.move_decoding import NOBODY, MoveDecoder


class StateStepper:
    """Answers for the states of one table by its kernel, in one memory.

    NotLowered if no kernel can be made of the rules, MissingNumba for `native` without the extra.
    """

    def __init__(self, game: GameLike, engine: str) -> None:
        kernel = kernel_of(game, engine)
        lowered, self._memory = kernel.lowered, kernel.new_memory(game)
        self._game, self._layout = game, lowered.layout
        self._positions = StateEncoder(lowered, game, self._memory.cells, self._memory.number)
        self._reading = StateDecoder(lowered, game, self._memory)
        self._moves, self._decoder = MoveDecoder(lowered), kernel.decoder(game)
        self._start, self._frames = self._layout["STATE"], self._layout["FRAMES"]
        self._loaded: State | None = None

    def moves(self, state: State) -> MoveSet:
        """The moves of whoever must decide in a state."""
        self._load(state)
        self._loaded = None
        return self._offered(self._memory.call(self._layout["NEXT_DECISION"], 0))

    def apply(self, state: State, move: Move, group: MoveGroup) -> State:
        """The state after a move of a group that is offered; OutOfRoom."""
        if self._loaded is not state:
            self._load(state)
        self._loaded = None
        decision = self._moves.decision(move, group)
        moves = self._offered(self._memory.call(self._layout["DECIDE"], 0, decision))
        self._loaded = after = self._reading.state(self._encoded_current(), self._game, moves)
        return after

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in a state; OutOfRoom."""
        self._load(state)
        self._memory.put(self._layout["FAULT"], [0])
        out = self._memory.room(self._decoder.size)
        self._memory.call(self._layout["RESULT"], 0, (), out)
        if out[0]:
            raise OutOfRoom("this state", int(out[0]))
        players = range(self._game.players)
        return tuple(sum(int(out[at]) for at in self._decoder.total_columns(p)) for p in players)

    def _offered(self, status: int) -> MoveSet:
        if status < 0:
            raise OutOfRoom("this state", status)
        return self._moves.offered(self._memory) if status else NOBODY

    def _load(self, state: State) -> None:
        """Put a state into the memory."""
        self._memory.put(self._start, self.encoded(state))

    def encoded(self, state: State) -> Numbers:
        """The encoding of a state. OutOfRoom if the kernel has no room for it."""
        cache = state.cache
        is_own = cache is not None and cache.game is self._game
        if cache is not None and is_own and cache.numbers is not None:
            known: Numbers = cache.numbers
            return known
        try:
            numbers = self._positions.encode(state)
        except DoesNotFit as lacking:
            raise OutOfRoom("this state", self._layout[lacking.fault]) from None
        if cache is not None and is_own:
            object.__setattr__(state, "cache", cache._replace(numbers=numbers))
        return numbers

    def _encoded_current(self) -> Numbers:
        depth = self._memory.number(self._layout["DEPTH"])
        end = self._frames + depth * self._layout["FRAME"]
        return self._memory.part(self._start, end - self._start)
