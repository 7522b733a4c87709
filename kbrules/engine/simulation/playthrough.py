"""A game under way that is changed in place by the kernel of the rules: no state is kept."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from operator import index as as_index
from typing import Any, NamedTuple, Self

from kbrules.engine.interface import Playable
from kbrules.engine.matches.outcome import Outcome
from kbrules.engine.refusal import NO_MOVE, IllegalMove
from kbrules.engine.simulation.kernels import Kernel, OutOfRoom, kernel_of, memory_of
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel.memory.cells import Memory
from kbrules.kernel.memory.moves import NOBODY, Moves
from kbrules.kernel.memory.reading import Reading

__all__ = ["OutOfRoom", "Playthrough", "Saved"]

LENT = ("_lent", "_choose")
"""What a game has only while it has a memory."""


class Saved(NamedTuple):
    """Where a game stood: what its kernel keeps, and how many moves had led there."""

    row: Any
    made: int


_saved: Callable[[tuple[Any, int]], Saved] = partial(tuple.__new__, Saved)
"""Saved in half the time of calling the class: whoever looks ahead does it at every move."""


class Playthrough:
    """One game from its start to its end, changed in place by every move.

    Chance draws by itself, from the stream `deck` of the seed. What is offered has an order: that
    of `game.legal_moves`. `count` says how many moves there are, 0 when the game is over; `moves`
    are the same as moves; so many of them as `made` says led here. engine: see `kernels`.
    """

    def __init__(self, game: Playable, seed: int, engine: str) -> None:
        self.game, self.seed, self.engine = game, seed, engine
        self._kernel: Kernel = kernel_of(game, engine)
        self._offers = Moves(self._kernel.lowered)
        self._layout = self._kernel.lowered.layout
        self.made = 0
        self._moves: MoveSet | None = None
        self._row: Any = None
        self._take(lent(game, engine))
        self._lent.memory.go_to(self._layout["STREAMS"], Random(seed, "deck").position)
        self._asked(self._lent.memory.call(self._layout["BEGIN"], 0))

    def _take(self, lent: Lent) -> None:
        """Have a memory of one's own, and what is called at every move at hand."""
        self._lent, self._choose = lent, lent.choose

    def __getattr__(self, name: str) -> Any:
        """A copy that only was a row so far takes a memory when it first needs one."""
        if name not in LENT:
            raise AttributeError(name)
        self._take(lent(self.game, self.engine))
        self._lent.fetch(self._row)
        self._row = None
        return getattr(self, name)

    def __del__(self) -> None:
        if "_lent" in vars(self):
            self._lent.give_back()

    def __repr__(self) -> str:
        return f"<Playthrough by {self.engine}, seed {self.seed}, {self.made} moves>"

    def __copy__(self) -> Self:
        """Another game that stands where this one does."""
        row = self._row or self._lent.keep()
        own = vars(self).copy()
        own["_row"] = row
        own.pop("_lent", None)
        own.pop("_choose", None)
        twin = object.__new__(type(self))
        twin.__dict__ = own
        if row is None:
            twin._take(of_memory(self.game, self.engine, copy(self._lent.memory)))
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
        return self._lent.memory.number(self._layout["WHO"]) if self.count else CHANCE

    @property
    def moves(self) -> MoveSet:
        """What can be decided now, as `legal_moves` says it; empty when the game is over."""
        if self._moves is None:
            self._moves = self._offers.offered(self._lent.memory) if self.count else NOBODY
        return self._moves

    def choose(self, index: int) -> None:
        """Carry out the move with an index from 0 to `count - 1`; IndexError for any other."""
        if not 0 <= index < self.count:
            raise IndexError(f"{index} of {self.count} moves")
        self.made += 1
        self._moves = None
        self._asked(self._choose(index))

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
            raise self._out_of_room(count)

    def _out_of_room(self, fault: int) -> OutOfRoom:
        return OutOfRoom(f"move {self.made} of the game with seed {self.seed}", fault)

    def save(self) -> Saved:
        """Where the game stands, for `restore`; it takes a few microseconds."""
        row = self._row or self._lent.keep()
        if row is None:
            raise self._out_of_room(self._layout["OUT_OF_ROW"])
        return _saved((row, self.made))

    def restore(self, saved: Saved) -> None:
        """Go back, or on, to where this game or a copy of it was saved."""
        self.count = self._lent.fetch(saved.row)
        self.made, self._moves = saved.made, None

    @property
    def state(self) -> State:
        """The table as a state."""
        depth = self._lent.memory.number(self._layout["DEPTH"])
        start, frames = self._layout["STATE"], self._layout["FRAMES"]
        size = frames + depth * self._layout["FRAME"] - start
        reading = Reading(self._kernel.lowered, self.game, self._lent.memory)
        return reading.state(self._lent.memory.part(start, size))

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if not self.is_over:
            raise ValueError("the game is not over")
        reader = self._kernel.reader(self.game)
        out = self._lent.memory.room(reader.size)
        self._lent.memory.call(self._layout["RESULT"], 0, (), out)
        return reader.outcome([int(number) for number in out])


MOST_FREE = 4
"""So many that nobody uses are kept: one takes half a megabyte, and ten times as long to make."""


class Lent(NamedTuple):
    """A memory and the calls of its kernel that are made at every move.

    keep: answers the row of the game, None if it needs more room than that has. free: where it is
    put back.
    """

    memory: Memory
    choose: Callable[[int], int]
    keep: Callable[[], Any]
    fetch: Callable[[Any], int]
    free: list[Lent]

    def give_back(self) -> None:
        """Somebody else may have it: each begins a game on it or fetches one."""
        if len(self.free) < MOST_FREE:
            self.free.append(self)


def lent(game: Playable, engine: str) -> Lent:
    """A memory that is nobody else's until it is given back."""
    try:
        return _free(game, engine).pop()
    except IndexError:
        return of_memory(game, engine, memory_of(game, engine))


def of_memory(game: Playable, engine: str, memory: Memory) -> Lent:
    """A memory with its calls."""
    layout = kernel_of(game, engine).lowered.layout
    choose, fetch = memory.bound(layout["CHOOSE"]), memory.fetching(layout["FETCH"])
    keep = memory.keeping(layout["KEEP"], layout["ROW_SIZE"])
    return Lent(memory, choose, keep, fetch, _free(game, engine))


def _free(game: Playable, engine: str) -> list[Lent]:
    """Those that nobody uses."""
    found: list[Lent] = game.kept.setdefault((Lent, engine), [])
    return found
