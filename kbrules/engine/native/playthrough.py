"""A game changed in place whose rules are run by a native program."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from copy import copy
from ctypes import c_int64, c_void_p, cast
from functools import lru_cache
from sys import intern
from typing import Any

from kbrules.engine.game import NO_MOVE, Game
from kbrules.engine.native.memory import Memory
from kbrules.engine.native.playouts import Reader, is_known, kernel_of
from kbrules.engine.outcome import Outcome
from kbrules.engine.playthrough import NOBODY, Playthrough
from kbrules.game.moves import Group, Move, MoveSet, new_move, new_moves
from kbrules.game.random import Random

__all__ = ["NativePlaythrough"]

MOST_IDLE = 16
"""So many memories, of a megabyte each, are held for the next games."""
NOW: Any = object()
"""Instead of a move: what is offered now?"""


class NativePlaythrough(Playthrough):
    """The same game as a `Playthrough`, several times as fast.

    NotLowered if no native program can be made of the rules, MissingNumba without the extra `fast`.
    A game that needs more room than there is goes on by the plain engine.
    """

    __slots__ = ("_ask", "_desk", "_place", "_plain")

    def _begin(self) -> None:
        self._plain: Playthrough | None = None
        places = places_of(self.game)
        self._place = place = places.free(self, self._log)
        self._ask, self._desk = places.ask, place.desk.address
        if is_known(self.seed) and place.begin(self.seed):
            self._ask(self._desk, NOW)
        else:
            self._end(not is_known(self.seed))

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        try:
            self._ask(self._desk, move)
            return
        except LookupError:
            pass
        except StopIteration:
            return self._end()
        self._find(move)

    def _find(self, move: Move) -> None:
        """Carry out a move that is not said in the very words that the native program offers."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        if self._plain is not None:
            return self._apply_plainly(self._plain, move)
        if self._is_astray:
            self._become(copy(self))
        group = self.moves.group_of(move)
        if group is None:
            raise self._refusal(move)
        self.apply(new_move((group.verb, group.rule, int(move[2]))))

    def _apply_plainly(self, plain: Playthrough, move: Move) -> None:
        try:
            plain.apply(move)
        finally:
            self.moves = plain.moves

    @property
    def _is_astray(self) -> bool:
        """Whether the program offers something else: there was no room, or a Ctrl-C at the end."""
        return not (self.is_over or self._place.desk.offers(self.moves))

    def _become(self, twin: NativePlaythrough) -> None:
        """Go on from where another game stands, which nobody else has."""
        twin._place.desk.put("GAME", id(self))
        self._place, self._desk, self._ask = twin._place, twin._desk, twin._ask
        self._plain, self._log, self.moves = twin._plain, twin._log, twin.moves

    def _end(self, is_too_much: bool = False) -> None:
        """The game is over, or it needs more room than there is and goes on plainly."""
        if not (is_too_much or self._place.is_faulty):
            self.moves = new_moves(NOBODY)
            return
        plain = Playthrough(self.game, self.seed)
        for move in self._log:
            plain.apply(move)
        self._plain, self._ask = plain, _nothing_known
        self._log, self.moves = plain._log, plain.moves

    @property
    def is_native(self) -> bool:
        """Whether the native program still plays; if not, the plain engine does."""
        return self._plain is None

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if self._plain is not None:
            return self._plain.outcome()
        if not self.is_over:
            raise ValueError("the game is not over")
        return self._place.outcome()


def _nothing_known(_desk: int, _move: Move) -> None:
    """Asks a native program that has given up."""
    raise LookupError


class _Desk:
    """What is known of a memory while a game is played there; `address` is that of its numbers.

    A set of moves has it, which may outlive the game: then nothing is offered any more.
    """

    __slots__ = ("_at", "_memory", "_numbers", "address")

    def __init__(self, numbers: array[int], at: Mapping[str, int], memory: Memory) -> None:
        self._numbers, self._at = numbers, at
        self._memory: Memory | None = memory  # as long as something may be offered there
        self.address = numbers.buffer_info()[0]
        self.put("MEMORY", memory.address)
        self.put("SELF", id(self))

    def put(self, name: str, number: int) -> None:
        """Say where something else is."""
        self._numbers[self._at[name]] = number

    def offers(self, moves: MoveSet) -> bool:
        """Whether a set of moves is what is offered now."""
        return self._numbers[self._at["OFFERED"]] == id(moves)

    def clear(self) -> None:
        """Nothing is offered any more."""
        self.put("OFFERED", 0)
        self._memory = None


class _Place:
    """Where one game is played: a memory, and the desk by which it is asked."""

    def __init__(self, places: _Places, memory: Memory, log: list[Move]) -> None:
        self._places, self._memory, self._log = places, memory, log
        self.desk = places.desk_of(memory)
        self.desk.put("LOG", id(log))

    def __del__(self) -> None:
        self._places.leave(self._memory, self.desk)

    def begin(self, seed: int) -> bool:
        """Begin the game of a seed; whether a player must decide."""
        return self._memory.begin(self._places.native, seed)

    @property
    def is_faulty(self) -> bool:
        """Whether the game needs more room than there is."""
        return self._memory.is_faulty

    def outcome(self) -> Outcome:
        """What came of a game that is over."""
        reader = self._places.reader
        return reader.outcome(self._memory.row(self._places.native, reader.size))


class _Places:
    """The places of a table; one that nobody needs any more is used again."""

    def __init__(self, game: Game) -> None:
        self._lowered, self.native = kernel_of(game)
        # Once it is sure that numba is there:
        from kbrules.compile.native.asking import DESK, asker

        self.reader, self.ask = Reader(self._lowered, game), asker()
        self._known = self._on_every_desk(game)
        self._at = {name: place for place, name in enumerate(DESK)}
        numbers = self._on_desk()
        self._desk = array("q", [numbers.get(name, 0) for name in DESK])
        self._idle = [Memory(self._lowered, game)]
        self._first = copy(self._idle[0])

    def free(self, play: Playthrough, log: list[Move]) -> _Place:
        """A place where nothing is played now, for a game and the list of its moves."""
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = copy(self._first)
        place = _Place(self, memory, log)
        place.desk.put("GAME", id(play))
        return place

    def desk_of(self, memory: Memory) -> _Desk:
        """The desk of a new game."""
        return _Desk(self._desk[:], self._at, memory)

    def leave(self, memory: Memory, desk: _Desk) -> None:
        """Nobody plays there any more."""
        desk.clear()
        if len(self._idle) < MOST_IDLE:
            self._idle.append(memory)

    def _on_desk(self) -> dict[str, int]:
        layout = self._lowered.layout
        return {
            "CALL": cast(self.native, c_void_p).value or 0,
            "DECIDE": layout["DECIDE"], "COUNT": layout["GROUP_COUNT"], "WHO": layout["WHO"],
            "FIRST": layout["GROUPS"], "SIZE": layout["GROUP_SIZE"], "WIDTH": layout.width,
            **{name: id(thing) for name, thing in self._known.items()},
            **_slots(_offered(), "player", "groups", "weights", "desk"),
            **_slots(NativePlaythrough, "moves"),
        }  # fmt: skip

    def _on_every_desk(self, game: Game) -> dict[str, object]:
        """Objects that stay where they are while they are kept here."""
        strings = self._lowered.strings
        terrains = [kind.id for kind in game.ruleset.catalog.hexes]
        return {
            "VERBS": tuple(map(intern, strings.verbs)),
            "RULES": tuple(map(intern, [*strings.rules, *terrains])),
            "PATHS": ("", *self._lowered.blocks.paths),
            "MOVE": Move, "GROUP": Group, "SET": _offered(), "INT": int,
            "NOW": NOW, "NONE": None, "NOTHING": (),
        }  # fmt: skip


def _slots(kind: type[object], *names: str) -> dict[str, int]:
    """Where things of a class keep what, in numbers from their beginning: one is looked at."""
    values: dict[str, Any] = {name: object() for name in names}
    thing = object.__new__(kind)
    for name, value in values.items():
        setattr(thing, name, value)
    numbers = (c_int64 * (kind.__basicsize__ // 8)).from_address(id(thing))[:]
    return {f"{name.upper()}_AT": numbers.index(id(value)) for name, value in values.items()}


@lru_cache(maxsize=1)
def _offered() -> type[MoveSet]:
    """The class of what a native program offers."""
    from kbrules.compile.native.drawing import drawer

    draw = drawer()

    class Offered(MoveSet):
        """A set of moves that is sampled in native code; else it is as any other."""

        __slots__ = ("desk",)
        desk: _Desk

        def sample(self, random: Random) -> Move:
            """A move chosen evenly."""
            move: Move | None = draw(self.desk.address, self, random.ahead, random.draw)
            return super().sample(random) if move is None else move

        def __reduce__(self) -> tuple[Any, ...]:
            return MoveSet, (self.player, self.groups)

    return Offered


def places_of(game: Game) -> _Places:
    """The places of a table, made once."""
    found: _Places | None = game.kept.get(_Places)
    if found is None:
        found = game.kept[_Places] = _Places(game)
    return found
