"""A game under way that is changed in place by the kernel of the rules: no state is kept."""

from __future__ import annotations

from copy import copy
from operator import index as as_index
from typing import Any, NamedTuple, Self

from kbrules.engine.kernels import Kernel, kernel_of, memory_of
from kbrules.engine.outcome import Outcome
from kbrules.engine.outcomes import Reader
from kbrules.engine.playable import Playable
from kbrules.engine.refusal import NO_MOVE, IllegalMove
from kbrules.engine.stepping import OutOfRoom
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel.memory.moves import NOBODY, Moves
from kbrules.kernel.memory.reading import Reading

__all__ = ["OutOfRoom", "Playthrough", "Saved"]


class Saved(NamedTuple):
    """Where a game stood: what its kernel keeps, and the indexes of the moves that led there."""

    row: Any
    chosen: tuple[int, ...]


class Playthrough:
    """One game from its start to its end, changed in place by every move.

    Chance draws by itself, from the stream `deck` of the seed. What is offered has an order: that
    of `game.legal_moves`. `count` says how many moves there are, 0 when the game is over; `moves`
    are the same as moves. engine: see `kernels`.
    """

    def __init__(self, game: Playable, seed: int, engine: str) -> None:
        self.game, self.seed, self.engine = game, seed, engine
        self._kernel: Kernel = kernel_of(game, engine)
        self._offers = Moves(self._kernel.lowered)
        self._layout = self._kernel.lowered.layout
        self._memory = memory_of(game, engine)
        self._memory.go_to(self._layout["STREAMS"], Random(seed, "deck").position)
        self._chosen: list[int] = []
        self._moves: MoveSet | None = None
        self._bind()
        self._asked(self._memory.call(self._layout["BEGIN"], 0))

    def _bind(self) -> None:
        """The calls that are made at every move."""
        bound, layout = self._memory.bound, self._layout
        self._choose, self._keep = bound(layout["CHOOSE"]), bound(layout["KEEP"])
        self._fetch = bound(layout["FETCH"])

    def __repr__(self) -> str:
        return f"<Playthrough by {self.engine}, seed {self.seed}, {len(self._chosen)} moves>"

    def __copy__(self) -> Self:
        """Another game that stands where this one does."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin._memory, twin._chosen = copy(self._memory), self._chosen.copy()
        twin._bind()
        return twin

    def __deepcopy__(self, _known: object) -> Self:
        return self.__copy__()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.count

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self._memory.number(self._layout["WHO"]) if self.count else CHANCE

    @property
    def moves(self) -> MoveSet:
        """What can be decided now, as `legal_moves` says it; empty when the game is over."""
        if self._moves is None:
            self._moves = self._offers.offered(self._memory) if self.count else NOBODY
        return self._moves

    def choose(self, index: int) -> None:
        """Carry out the move with an index from 0 to `count - 1`; IndexError for any other."""
        if not 0 <= index < self.count:
            raise IndexError(f"{index} of {self.count} moves")
        self._chosen.append(index)
        self._moves = None
        self._asked(self._choose(index, None))

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        verb, rule, hex = move
        wanted = Move(verb, rule, as_index(hex))
        index = self.moves.index_of(wanted)
        if index is None:
            raise IllegalMove(self.game.explain(self.state, wanted))
        self.choose(index)

    def _asked(self, count: int) -> None:
        self.count = count
        if count < 0:
            self.count = 0
            raise OutOfRoom(f"move {len(self._chosen)} of the game with seed {self.seed}")

    def save(self) -> Saved:
        """Where the game stands, for `restore`; it takes a few microseconds."""
        row = self._memory.row(self._layout["ROW_SIZE"])
        if self._keep(self.count, row) < 0:
            raise OutOfRoom(f"move {len(self._chosen)} of the game with seed {self.seed}")
        return Saved(row, tuple(self._chosen))

    def restore(self, saved: Saved) -> None:
        """Go back, or on, to where this game or a copy of it was saved."""
        self.count = self._fetch(0, saved.row)
        self._chosen, self._moves = [*saved.chosen], None

    @property
    def state(self) -> State:
        """The table as a state."""
        depth = self._memory.number(self._layout["DEPTH"])
        start, frames = self._layout["STATE"], self._layout["FRAMES"]
        size = frames + depth * self._layout["FRAME"] - start
        reading = Reading(self._kernel.lowered, self.game, self._memory)
        return reading.state(self._memory.part(start, size))

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if not self.is_over:
            raise ValueError("the game is not over")
        reader = Reader(self._kernel.lowered, self.game)
        out = self._memory.room(reader.size)
        self._memory.call(self._layout["RESULT"], 0, (), out)
        return reader.outcome([int(number) for number in out])
