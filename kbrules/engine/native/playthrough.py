"""A game changed in place whose rules are run by a native program."""

from __future__ import annotations

from array import array
from copy import copy
from ctypes import c_int64, c_void_p, cast
from functools import lru_cache
from sys import intern
from typing import Any

from kbrules.engine.game import NO_MOVE, Game
from kbrules.engine.native.memory import Memory
from kbrules.engine.native.playouts import SEEDS, Reader, kernel_of
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
        self._place = place = places.free(self._log)
        self._ask, self._desk = places.ask, place.desk.address
        if self.seed in SEEDS and place.begin(self.seed):
            self.moves = self._ask(self._desk, NOW)
        else:
            self._end(self.seed not in SEEDS)

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        try:
            self.moves = self._ask(self._desk, move)
        except LookupError:
            self._go_on(self._as_offered(move))
        except StopIteration:
            self._end()

    def _go_on(self, move: Move) -> None:
        try:
            self.moves = self._ask(self._desk, move)
        except StopIteration:
            self._end()

    def _as_offered(self, move: Move) -> Move:
        """A move that says the same as another one, in the very words that are offered."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        group = self.moves.group_of(move)
        if group is None:
            raise self._refusal(move)
        return new_move((group.verb, group.rule, int(move[2])))

    def _end(self, is_too_much: bool = False) -> None:
        """The game is over, or it needs more room than there is and goes on plainly."""
        if not (is_too_much or self._place.is_faulty):
            self.moves = new_moves(NOBODY)
            return
        plain = self._plain = Playthrough(self.game, self.seed)
        for move in self._log:
            plain.apply(move)
        self.moves, self._ask, self._log = plain.moves, _Plainly(plain), plain._log

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


class _Plainly:
    """Asks a plain game."""

    def __init__(self, plain: Playthrough) -> None:
        self._plain = plain

    def __call__(self, _desk: int, move: Move) -> MoveSet:
        self._plain.apply(move)
        return self._plain.moves


class _Desk:
    """What is known of a memory while a game is played there; `address` is that of its numbers.

    A set of moves has it, which may outlive the game: then nothing is offered any more.
    """

    __slots__ = ("address", "numbers")

    def __init__(self, numbers: array[int]) -> None:
        self.numbers = numbers
        self.address = numbers.buffer_info()[0]


class _Place:
    """Where one game is played: a memory, and the desk by which it is asked."""

    def __init__(self, places: _Places, memory: Memory, log: list[Move]) -> None:
        self._places, self._memory, self._log = places, memory, log
        self.desk = places.desk_of(memory, log)

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
        self._own = [DESK.index(name) for name in ("MEMORY", "SELF", "LOG")]
        self._offered = DESK.index("OFFERED")
        numbers = self._on_desk()
        self._desk = array("q", [numbers.get(name, 0) for name in DESK])
        self._idle = [Memory(self._lowered, game)]
        self._first = copy(self._idle[0])

    def free(self, log: list[Move]) -> _Place:
        """A place where nothing is played now; the moves that are made go into a list."""
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = copy(self._first)
        return _Place(self, memory, log)

    def desk_of(self, memory: Memory, log: list[Move]) -> _Desk:
        """The desk of a new game."""
        desk = _Desk(self._desk[:])
        own = memory.address, id(desk), id(log)
        for place, number in zip(self._own, own, strict=True):
            desk.numbers[place] = number
        return desk

    def leave(self, memory: Memory, desk: _Desk) -> None:
        """Nobody plays there any more."""
        desk.numbers[self._offered] = 0
        if len(self._idle) < MOST_IDLE:
            self._idle.append(memory)

    def _on_desk(self) -> dict[str, int]:
        layout = self._lowered.layout
        return {
            "CALL": cast(self.native, c_void_p).value or 0,
            "DECIDE": layout["DECIDE"], "COUNT": layout["GROUP_COUNT"], "WHO": layout["WHO"],
            "FIRST": layout["GROUPS"], "SIZE": layout["GROUP_SIZE"], "WIDTH": layout.width,
            **{name: id(thing) for name, thing in self._known.items()},
            **_slots(_offered()),
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


def _slots(kind: type[MoveSet]) -> dict[str, int]:
    """Where a set of moves keeps what, in numbers from its beginning: one is looked at."""
    values: dict[str, Any] = {name: object() for name in ("player", "groups", "weights", "desk")}
    moves = object.__new__(kind)
    for name, value in values.items():
        setattr(moves, name, value)
    numbers = (c_int64 * (kind.__basicsize__ // 8)).from_address(id(moves))[:]
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
