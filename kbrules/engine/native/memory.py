"""The memory of a kernel at a table, and what can be read there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.native.boards import Image
from kbrules.engine.native.layout import MOST
from kbrules.engine.native.lowering import Lowered

__all__ = ["Memory"]

WORD = 2**64 - 1


class Memory:
    """The memory of a kernel, at a place where vectors can be read at once."""

    def __init__(self, lowered: Lowered, game: Game) -> None:
        import numpy

        self._numpy = numpy
        self._lowered = lowered
        self._layout = lowered.layout
        self._game = game
        self._fill(numpy.frombuffer(Image(lowered, game).filled(), dtype=numpy.int64))
        self._numbers[self._layout["TRACED"]] = -1

    def _fill(self, numbers: Any) -> None:
        room = self._numpy.zeros(len(numbers) + 8, dtype=self._numpy.int64)
        first = -(room.ctypes.data // 8) % 8
        self._numbers = room[first : first + len(numbers)]
        self._numbers[:] = numbers
        self.address = int(self._numbers.ctypes.data)

    def __copy__(self) -> Memory:
        twin = object.__new__(Memory)
        twin._numpy, twin._lowered, twin._game = self._numpy, self._lowered, self._game
        twin._layout = self._layout
        twin._fill(self._numbers)
        return twin

    def play(self, native: Any, seeds: Sequence[int], size: int) -> Any:
        """The games of some seeds: an array with a row of so many numbers for each."""
        numpy = self._numpy
        given = numpy.array(seeds, dtype=numpy.int64)
        out = numpy.zeros(size * len(seeds), dtype=numpy.int64)
        native(self.address, 1, len(seeds), given.ctypes.data, out.ctypes.data)
        return out.reshape(len(seeds), size)

    def begin(self, native: Any, seed: int) -> bool:
        """Begin the game of a seed; whether a player must decide."""
        return bool(native(self.address, self._layout["BEGIN"], seed, None, None) == 1)

    @property
    def is_faulty(self) -> bool:
        """Whether the game needs more room than there is."""
        return bool(self._numbers[self._layout["FAULT"]])

    def row(self, native: Any, size: int) -> list[int]:
        """The outcome of a game that is over: so many numbers."""
        out = array("q", bytes(8 * size))
        native(self.address, self._layout["RESULT"], 0, None, out.buffer_info()[0])
        return out.tolist()

    def number(self, at: int) -> int:
        """What lies at a place."""
        return int(self._numbers[at])

    def room(self, size: int) -> Any:
        """Room for so many numbers to be told, each of them 0."""
        return self._numpy.zeros(size, dtype=self._numpy.int64)

    def begin_with(self, numbers: array[int]) -> None:
        """Let what is played on begin in a position; see `Positions`."""
        layout, given = self._layout, self._numpy.frombuffer(numbers, dtype=self._numpy.int64)
        at = layout["SAVES"] + MOST["SAVE"] * layout["SAVE_SIZE"]
        self._numbers[at : at + len(given)] = given

    def play_on(self, native: Any, until: int, wanted: Sequence[int], out: Any) -> int:
        """Play games on, up to a number; the number of the next one, see `played_on`."""
        given = self._numpy.array(wanted, dtype=self._numpy.int64)
        place = self._layout["PLAY_ON"]
        return int(native(self.address, place, until, given.ctypes.data, out.ctypes.data))

    @property
    def position(self) -> int:
        """Where the first stream of chance stands, 0 to 2**64 - 1."""
        return int(self._numbers[self._layout["STREAMS"]]) & WORD

    def go_to(self, position: int) -> None:
        """Let the first stream of chance go on from there."""
        self._numbers.view(self._numpy.uint64)[self._layout["STREAMS"]] = position

    def traced(self, native: Any, seed: int, size: int) -> list[tuple[int, str, str, int]]:
        layout, strings = self._layout, self._lowered.strings
        self._numbers[layout["TRACED"]] = 0
        self.play(native, [seed], size)
        number = int(self._numbers[layout["TRACED"]])
        self._numbers[layout["TRACED"]] = -1
        start = layout["TRACE"]
        rows = self._numbers[start : start + 4 * number].reshape(number, 4).tolist()
        terrains = [kind.id for kind in self._game.ruleset.catalog.hexes]
        rules = [*strings.rules, *terrains]
        return [
            (who, "draw", "", hex) if verb < 0 else (who, strings.verbs[verb], rules[rule], hex)
            for who, verb, rule, hex in rows
        ]

    def pieces(self) -> dict[str, list[int]]:
        layout, kinds = self._layout, range(self._layout["PIECE_KINDS"])
        width = layout.width
        found = {"nobody": [self._mask(layout["NEUTRAL"] + k * width) for k in kinds]}
        for player in range(self._game.players):
            seat = layout["SEATS"] + player * layout["SEAT"] + layout["PIECES"]
            found[str(player)] = [self._mask(seat + kind * width) for kind in kinds]
        return found

    def _mask(self, at: int) -> int:
        numbers = self._numbers[at : at + self._layout.width]
        return int.from_bytes(numbers.tobytes(), "little")
