"""A game under way on a kernel: changed in place, stepped, or rolled out to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, NamedTuple, NoReturn, Self

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import (
    NATIVE,
    Fingerprint,
    IllegalMove,
    Table,
    TableMismatch,
    move_of,
    whole_number,
)
from kbrules.engine.matches import Outcome
from kbrules.engine.simulation.kernels import Kernel, OutOfRoom, kernel_of
from kbrules.engine.simulation.playouts import GAMES_PER_CALL
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel.layout import DoesNotFit, KernelMemory, Numbers
from kbrules.kernel.states import NOBODY, MoveDecoder, StateCodec

# A game under way, changed in place by a kernel; memories are pooled.

MEMORY_ATTRIBUTES = ("_pooled", "_choose")
"""What a game has only while it has a memory."""


class SaveOrigin:
    """The table, engine and kernel that saves are made by; one for each game and engine.

    A kernel trusts the indexes in a row: it must be one of its own.
    """

    def __init__(self, game: Table, engine: str) -> None:
        self._game, self._engine = game, engine

    @cached_property
    def facts(self) -> tuple[Fingerprint, str, str]:
        """Fingerprint of the table, name of the engine, digest of the kernel's text."""
        text = kernel_of(self._game, self._engine).lowered.text
        digest = blake2b(text.encode(), digest_size=16).hexdigest()
        return self._game.fingerprint, self._engine, digest


class Saved(NamedTuple):
    """A position of a game: its row in the kernel, how many moves led there, what made it.

    Only what `save()` returned can be restored. A pickled one is checked by a checksum.
    """

    row: Any
    moves_made: int
    origin: Any = None


class _Sealed(Saved):
    """A save as `save()` made it; what is put together of its parts is no such save."""

    __slots__ = ()

    def __new__(cls, *parts: Any, **named: Any) -> Self:
        return Saved(*parts, **named)  # type: ignore[return-value]

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Saved:  # type: ignore[override]
        return Saved(*iterable)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.row, self.moves_made, self.origin.facts
        return _unpickled, (*parts, _checksum(*parts))


_sealed: Callable[[tuple[Any, int, Any]], Saved] = partial(tuple.__new__, _Sealed)
"""Saved in half the time of calling the class: whoever looks ahead does it at every move."""


class _PickledOrigin(NamedTuple):
    """What made a save in another process."""

    facts: tuple[Fingerprint, str, str]


def _unpickled(row: Any, moves_made: int, facts: Any, checksum: str) -> Saved:
    """Return a save from another process; `restore` refuses it if a bit of it was changed."""
    parts = row, moves_made, _PickledOrigin(facts)
    return _sealed(parts) if checksum == _checksum(row, moves_made, facts) else Saved(*parts)


def _checksum(row: Any, moves_made: int, facts: Any) -> str:
    text = repr((row, moves_made, tuple(facts[0]), *facts[1:]))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _check_saved(saved: object, origin: SaveOrigin) -> None:
    """Raise TableMismatch for a save of another table, TypeError for what is no save."""
    if not isinstance(saved, Saved):
        raise TypeError(f"a save is wanted, as `save()` returns it, not {shortened(saved)}")
    if type(saved) is not _Sealed:
        raise TableMismatch("this save was changed after `save()` returned it")
    (there, engine, text), (here, own_engine, own_text) = saved.origin.facts, origin.facts
    if here != there:
        raise TableMismatch(f"this save is of another table: {here.difference(there)}")
    if engine != own_engine:
        raise TableMismatch(f"this save is of the engine `{engine}`; `{own_engine}` plays here")
    if text != own_text:
        raise TableMismatch("this save is of another version of kbrules, or of other rules")


class Playthrough:
    """One game from its start to its end, changed in place by every move.

    Chance draws by itself, from the stream `deck` of the seed. What is offered has an order: that
    of `game.legal_moves`. `count` says how many moves there are, 0 when the game is over; `moves`
    are the same as moves; `moves_made` is how many led here. engine: see `kernels`.
    """

    def __init__(self, game: Table, seed: int, engine: str) -> None:
        self.game, self.seed, self.engine = game, seed, engine
        self._kernel: Kernel = kernel_of(game, engine)
        self._offers = MoveDecoder(self._kernel.lowered)
        self._layout = self._kernel.lowered.layout
        self.moves_made: int = 0
        self._moves: MoveSet | None = None
        self._row: Any = None
        self._origin = _origin_of(game, engine)
        self._attach(acquire_memory(game, engine))
        self._pooled.memory.go_to(self._layout["STREAMS"], Random(seed, "deck").position)
        self._set_count(self._pooled.memory.call(self._layout["BEGIN"], 0))

    def _attach(self, pooled: PooledMemory) -> None:
        """Take a memory; the call of every move is at hand."""
        self._pooled, self._choose = pooled, pooled.choose

    def __getattr__(self, name: str) -> Any:
        """Let a copy that is only a row so far take a memory when it first needs one."""
        if name not in MEMORY_ATTRIBUTES:
            raise AttributeError(name)
        self._attach(acquire_memory(self.game, self.engine))
        self._pooled.load_row(self._row)
        self._row = None
        return getattr(self, name)

    def __del__(self) -> None:
        if "_pooled" in vars(self):
            self._pooled.release()

    def __repr__(self) -> str:
        return f"<Playthrough by {self.engine}, seed {self.seed}, {self.moves_made} moves>"

    def __copy__(self) -> Self:
        """Another game in the same position."""
        row = self._row or self._pooled.save_row()
        own = vars(self).copy()
        own["_row"] = row
        own.pop("_pooled", None)
        own.pop("_choose", None)
        other = object.__new__(type(self))
        other.__dict__ = own
        if row is None:
            other._attach(pooled_memory(self.game, self.engine, copy(self._pooled.memory)))
        return other

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game in place is not pickled: pickle its `save()` or its `state`")

    def __deepcopy__(self, _known: object) -> Self:
        return self.__copy__()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.count

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self._pooled.memory.number(self._layout["DECIDER"]) if self.count else CHANCE

    @property
    def moves(self) -> MoveSet:
        """What can be decided now, as `legal_moves` says it; empty when the game is over."""
        if self._moves is None:
            self._moves = self._offers.offered(self._pooled.memory) if self.count else NOBODY
        return self._moves

    def choose(self, index: int) -> None:
        """Carry out the move with an index from 0 to `count - 1`; IndexError for any other.

        TypeError for what is no whole number.
        """
        if type(index) is not int:
            index = whole_number(index, "a move is chosen by its index")
        if not 0 <= index < self.count:
            raise IndexError(f"{shortened(index)} of {self.count} moves")
        self.moves_made += 1
        self._moves = None
        self._set_count(self._choose(index))

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        move = move_of(move)
        index = self.moves.index_of(move)
        if index is None:
            raise IllegalMove(self.game.explain(self.state, move))
        self.choose(index)

    def _set_count(self, count: int) -> None:
        self.count = count
        if count < 0:
            self.count = 0
            raise self._out_of_room(count)

    def _out_of_room(self, fault: int) -> OutOfRoom:
        return OutOfRoom(f"move {self.moves_made} of the game with seed {self.seed}", fault)

    def save(self) -> Saved:
        """The position of the game, for `restore`; it takes a few microseconds."""
        row = self._row or self._pooled.save_row()
        if row is None:
            raise self._out_of_room(self._layout["OUT_OF_ROW"])
        return _sealed((row, self.moves_made, self._origin))

    def restore(self, saved: Saved) -> None:
        """Go back, or on, to where this game or another at the same table was saved.

        TableMismatch, and nothing changed, for a save of another table or one that was changed.
        """
        if type(saved) is not _Sealed or saved.origin is not self._origin:
            _check_saved(saved, self._origin)
        self.count = self._pooled.load_row(saved.row)
        self.moves_made, self._moves = saved.moves_made, None

    @property
    def state(self) -> State:
        """The table as a state."""
        depth = self._pooled.memory.number(self._layout["DEPTH"])
        start, frames = self._layout["STATE"], self._layout["FRAMES"]
        size = frames + depth * self._layout["FRAME"] - start
        memory = self._pooled.memory
        codec = StateCodec(self._kernel.lowered, self.game, memory.cells, memory)
        return codec.state(memory.part(start, size), self.game.fingerprint, None)

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if not self.is_over:
            raise ValueError("the game is not over")
        decoder = self._kernel.decoder(self.game)
        out = self._pooled.memory.room(decoder.size)
        self._pooled.memory.call(self._layout["RESULT"], 0, None, out)
        if out[0]:
            raise self._out_of_room(int(out[0]))
        return next(decoder.decode_all([int(number) for number in out]))


MAX_POOLED = 4
"""At most so many unused ones are kept: one takes half a megabyte and is slow to make."""


class PooledMemory(NamedTuple):
    """A memory and the calls of its kernel that are made at every move.

    save_row: returns the row of the game, None if it needs more room than that has. pool: where
    it is put when it is released.
    """

    memory: KernelMemory
    choose: Callable[[int], int]
    save_row: Callable[[], Any]
    load_row: Callable[[Any], int]
    pool: deque[PooledMemory]

    def release(self) -> None:
        """Put it back; whoever acquires it begins a game on it or loads one."""
        self.pool.append(self)


def acquire_memory(game: Table, engine: str) -> PooledMemory:
    """A memory that nobody else uses until it is released."""
    try:
        return _pool(game, engine).pop()
    except IndexError:
        return pooled_memory(game, engine, kernel_of(game, engine).new_memory(game))


def pooled_memory(game: Table, engine: str, memory: KernelMemory) -> PooledMemory:
    """A memory with its calls."""
    layout = kernel_of(game, engine).lowered.layout
    choose, load_row = memory.bound(layout["CHOOSE"]), memory.row_loader(layout["LOAD_ROW"])
    save_row = memory.row_saver(layout["SAVE_ROW"], layout["ROW_SIZE"])
    return PooledMemory(memory, choose, save_row, load_row, _pool(game, engine))


def _origin_of(game: Table, engine: str) -> SaveOrigin:
    """The origin of all saves of a game by an engine."""
    found: SaveOrigin = game.cache.setdefault((SaveOrigin, engine), SaveOrigin(game, engine))
    return found


def _pool(game: Table, engine: str) -> deque[PooledMemory]:
    """The unused memories of a game; what is too much for it falls out at the other end."""
    key = (PooledMemory, engine)
    found: deque[PooledMemory] = game.cache.setdefault(key, deque(maxlen=MAX_POOLED))
    return found


# Immutable states stepped by a kernel: each has its encoding, decoded when a fact is read.


class StateStepper:
    """Answers for the states of one table by its kernel, in one memory.

    NotLowered if no kernel can be made of the rules, MissingNumba for `native` without the extra.
    """

    def __init__(self, game: Table, engine: str) -> None:
        kernel = kernel_of(game, engine)
        lowered, self._memory = kernel.lowered, kernel.new_memory(game)
        self._game, self._layout, self._is_own = game, lowered.layout, engine == game.engine
        self._codec = StateCodec(lowered, game, self._memory.cells, self._memory)
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
        self._loaded = after = self._codec.state(self._encoded_current(), self._game, moves)
        return after

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in a state; OutOfRoom."""
        self._load(state)
        self._memory.put(self._layout["FAULT"], [0])
        out = self._memory.room(self._decoder.size)
        self._memory.call(self._layout["RESULT"], 0, None, out)
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
        is_own = self._is_own and cache is not None and cache.game is self._game
        if cache is not None and is_own and cache.numbers is not None:
            known: Numbers = cache.numbers
            return known
        try:
            numbers = self._codec.encode(state)
        except DoesNotFit as lacking:
            raise OutOfRoom("this state", lacking.fault) from None
        if cache is not None and is_own:
            object.__setattr__(state, "cache", cache._replace(numbers=numbers))
        return numbers

    def _encoded_current(self) -> Numbers:
        depth = self._memory.number(self._layout["DEPTH"])
        end = self._frames + depth * self._layout["FRAME"]
        return self._memory.part(self._start, end - self._start)


# Rollouts: random games from a state to the end, many after each of some moves.

Fallback = Callable[[Move, Random], int]
"""The lead at the end of one game played on after a move by the plain engine."""


class Rollouts(StateStepper):
    """Games of one table played on by its native kernel.

    What needs more room than there is, is played by the plain engine; `faults` counts such games.
    """

    def __init__(self, game: Table) -> None:
        super().__init__(game, NATIVE)
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
            numbers = self.encoded(state)
        except OutOfRoom:
            self.faults += len(moves) * times
            return [sum(fallback(move, random) for _ in range(times)) for move in moves]
        self._memory.put(self._layout["START"], numbers)
        return self._play(me, moves, times, random, fallback)

    def _play(
        self, me: int, moves: Sequence[Move], times: int, random: Random, fallback: Fallback
    ) -> list[int]:
        memory, size = self._memory, self._decoder.size
        out = memory.room(size + len(moves))
        numbers = [number for move in moves for number in self._moves.numbers(move)]
        game, all, stream = 0, times * len(moves), self._layout["STREAMS"]
        while game < all:
            memory.go_to(stream, random.position)
            until = min(game + GAMES_PER_CALL, all)
            game = memory.call(self._layout["PLAY_ON"], until, [me, times, game, *numbers], out)
            random.go_to(memory.stream(stream))
            if game < until:
                self.faults += 1
                out[size + game // times] += fallback(moves[game // times], random)
                game += 1
        leads: list[int] = out[size:].tolist()
        return leads


def rollouts_of(game: Table) -> Rollouts:
    """Those of a table, made once."""
    found: Rollouts | None = game.cache.get(Rollouts)
    if found is None:
        found = game.cache[Rollouts] = Rollouts(game)
    return found
