"""Many games on one table side by side, stepped by one call, for training players."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NoReturn, Self

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import NATIVE
from kbrules.engine.fingerprint import whole_number
from kbrules.engine.interface import GameLike
from kbrules.engine.matches.outcome import Outcome
from kbrules.engine.simulation.kernels import OutOfRoom, kernel_of
from kbrules.engine.simulation.playouts import seeds_of
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random

MAX_WIDTH = 1 << 16
"""No game offers so many moves at once."""


class Batch:
    """The games of some seeds, as `Game.playthrough` plays them, each in a row of one array.

    MissingNumba without the extra `fast`; NotLowered for rules of which no kernel can be made.
    What it returns are arrays of numpy with one entry for each game, in the order of the seeds.
    """

    def __init__(self, game: GameLike, seeds: Sequence[int]) -> None:
        kernel = kernel_of(game, NATIVE)
        import numpy

        self.game, self._numpy = game, numpy
        self.seeds: tuple[int, ...] = tuple(seeds_of(seeds))
        self._lowered, self._layout = kernel.lowered, kernel.lowered.layout
        kinds = game.ruleset.catalog.hexes
        self._rules = [*kernel.lowered.strings.rules, *(kind.id for kind in kinds)]
        self._memory, self._decoder = kernel.new_memory(game), kernel.decoder(game)
        self._rows = numpy.zeros((len(self.seeds), self._layout["ROW_SIZE"]), numpy.int64)
        first = [Random(seed, "deck").position for seed in self.seeds]
        self._call("BEGIN_ROWS", numpy.array(first, numpy.uint64).view(numpy.int64))
        self._check()

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} games, {int(self.is_over.sum())} of them over>"

    def __copy__(self) -> Self:
        """The same games, to be played on in another way."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._rows, other._memory = self._rows.copy(), copy(self._memory)
        return other

    def __deepcopy__(self, _known: object) -> Self:
        return copy(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("games in place are not pickled: pickle its seeds and the choices made")

    def _call(self, entry: str, arguments: Any) -> None:
        self._memory.call_with(self._layout[entry], len(self), arguments, self._rows)

    def _check(self) -> None:
        if (self._rows[:, 0] < 0).any():
            game = int(self._rows[:, 0].argmin())
            fault = int(self._rows[game, 0])
            raise OutOfRoom(f"the game with seed {self.seeds[game]}", fault)

    @property
    def counts(self) -> Any:
        """How many moves are offered; 0 where the game is over."""
        return self._rows[:, self._layout["ROW_COUNT"]].copy()

    @property
    def is_over(self) -> Any:
        """Where the game has ended."""
        return self._rows[:, self._layout["ROW_COUNT"]] == 0

    @property
    def players(self) -> Any:
        """Who decides; -1 where the game is over."""
        who = self._rows[:, self._layout["ROW_DECIDER"]]
        return self._numpy.where(self.is_over, CHANCE, who)

    def step(self, choices: Any) -> None:
        """Carry out a move in every game that is not over, each by its index.

        choices: an array of whole numbers, one for each game; where the game is over it does not
        matter. Nothing is done after an error: TypeError for other things than whole numbers,
        IndexError if there are not as many as games, or one is not below the count.
        """
        chosen = self._whole_numbers(choices, "choices")
        counts = self._rows[:, 0]
        if ((chosen < 0) | (chosen >= counts))[counts > 0].any():
            raise IndexError("a choice is not below the number of moves")
        self._call("STEP_ROWS", self._numpy.ascontiguousarray(chosen, self._numpy.int64))
        self._check()

    def _whole_numbers(self, values: Any, what: str) -> Any:
        """Values as an array of whole numbers, one for each game."""
        numbers = array_of(values)
        if numbers.dtype.kind not in "iu" and numbers.size:
            raise TypeError(f"{what} are whole numbers, not {_kind_of(numbers, values)}")
        if numbers.shape != (len(self),):
            raise IndexError(f"{len(self)} {what} are wanted, not {numbers.shape}")
        return numbers

    def codes(self, width: int | None = None) -> Any:
        """What is offered: a row of numbers for each game, one for each move, then -1.

        width: how many columns, at most MAX_WIDTH; without it, as many as some game needs. `move`
        says what a number means.
        """
        columns = max(1, int(self.counts.max(initial=0)))
        if width is not None:
            columns = max(1, whole_number(width, "the width is a number of columns"))
        if columns > MAX_WIDTH:
            raise ValueError(f"the width is at most {MAX_WIDTH:,}, not {shortened(width)}")
        found = self._numpy.full((len(self), columns), -1, self._numpy.int64)
        if len(self):
            found[0, 0] = columns
            self._call("ROW_CODES", found)
            if self._rows[0, 0] == 0:
                found[0, 0] = -1
        return found

    def move(self, code: int) -> Move:
        """The move that a number of `codes` means; ValueError for a number that means none."""
        number = whole_number(code, "a code is a number of `codes`")
        verb, rule, hex = number >> 16 & 255, number >> 24, (number & 65535) - 1
        verbs, rules = self._lowered.strings.verbs, self._rules
        if not (0 <= rule < len(rules) and verb < len(verbs) and hex < self._layout.hexes):
            raise ValueError(f"no move has the code {shortened(code)}")
        return Move(verbs[verb], rules[rule], hex)

    def scores(self) -> Any:
        """The total gold of each player, as if each game ended now: a row for each game."""
        rows, players = self._results(), range(self.game.players)
        return self._numpy.stack(
            [rows[:, self._decoder.total_columns(p)].sum(1) for p in players], 1
        )

    def outcomes(self) -> list[Outcome]:
        """What came of the games that are over; of others, what it would be if they ended now."""
        return [*self._decoder.decode_all(self._results().ravel().tolist())]

    def _results(self) -> Any:
        found = self._numpy.zeros((len(self), self._decoder.size), self._numpy.int64)
        self._call("ROW_RESULTS", found)
        for seed, fault in zip(self.seeds, found[:, 0].tolist(), strict=True):
            if fault:
                raise OutOfRoom(f"the game with seed {seed}", fault)
        return found


def array_of(values: Any) -> Any:
    """Return values as an array; those of rows of several lengths as an array of objects."""
    import numpy

    try:
        return numpy.asarray(values)
    except ValueError:
        return numpy.asarray(values, object)


def _kind_of(numbers: Any, values: Any) -> str:
    """What kind of values an array holds, as a message says it."""
    return shortened(values) if numbers.dtype.kind == "O" else str(numbers.dtype)
