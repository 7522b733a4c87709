"""Many games on one table: whole ones by random players, or side by side, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from copy import copy
from itertools import islice
from typing import Any, NoReturn, Self

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import NATIVE, Table, whole_number
from kbrules.engine.matches import Outcome, outcome, random_bot
from kbrules.engine.simulation.kernels import OutOfRoom, kernel_of
from kbrules.game.board import Board
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random

# Whole games by players who choose evenly, by the kernel of the rules.
#
# They are, move by move, the games that `matches.Match` plays with such players and the same seed.

GAMES_PER_CALL = 1024
"""So many games are played in one call; between calls one can be interrupted."""
MAX_SEED = 2**63 - 1


def is_kernel_seed(seed: int) -> bool:
    """Whether a kernel derives the streams of a seed; those of others are handed to it.

    Not of one that looks like a number and may be written in its own way, like True: streams are
    found by how their seed is written.
    """
    return type(seed) is int and -MAX_SEED <= seed <= MAX_SEED


def seeds_of(seeds: Any) -> Sequence[int]:
    """Return seeds as a sequence, those of numpy as plain numbers; TypeError for anything else."""
    if isinstance(seeds, Sequence) and not isinstance(seeds, str | bytes | bytearray):
        return seeds
    if hasattr(seeds, "tolist") and getattr(seeds, "ndim", 0) == 1:
        return tuple(seeds.tolist())
    if isinstance(seeds, Set):
        return tuple(seeds)
    raise TypeError(f"seeds are a sequence, as `range(100)`, not {shortened(seeds)}")


def reference_playouts(game: Table, seeds: Iterable[int]) -> Iterator[Outcome]:
    """The outcomes of the games of some seeds, played by states."""
    return (outcome(game, seed, [random_bot] * game.players) for seed in seeds)


class Playouts:
    """The random games of one table by seed: those of `outcome` with players who choose evenly.

    NotLowered if no kernel can be made of the rules, MissingNumba for `native` without the extra.
    faults: how many games were not played, for want of room.
    """

    def __init__(self, game: Table, engine: str) -> None:
        self._kernel = kernel = kernel_of(game, engine)
        self._game, self._layout = game, kernel.lowered.layout
        self._decoder = kernel.decoder(game)
        self.faults = 0

    def __call__(self, seed: int) -> Outcome:
        """The outcome of the game of a seed."""
        return next(self.outcomes([seed]))

    def outcomes(self, seeds: Sequence[int]) -> Iterator[Outcome]:
        """The outcomes of the games of some seeds, in that order.

        OutOfRoom after the last one before a game that needs more room than the kernel has.
        """
        for start in range(0, len(seeds), GAMES_PER_CALL):
            part = seeds[start : start + GAMES_PER_CALL]
            out = self.rows(part)
            numbers = out if isinstance(out, list) else out.tolist()
            faults = numbers[:: self._decoder.size]
            whole = next((game for game, fault in enumerate(faults) if fault), len(part))
            yield from islice(self._decoder.decode_all(numbers), whole)
            if whole < len(part):
                self.faults += 1
                raise OutOfRoom(f"the game with seed {part[whole]}", faults[whole])

    def rows(self, seeds: Sequence[int]) -> Any:
        """The outcomes as numbers, so many for each seed, for whoever adds them up.

        The first of them is not 0 where the game needs more room than the kernel has.
        """
        memory, what, arguments = self._kernel.memory_for_table(self._game), "PLAY", seeds
        if not all(map(is_kernel_seed, seeds)):
            names = ("deck", *(f"bot {player}" for player in range(self._game.players)))
            starts = [Random(seed, name).position for seed in seeds for name in names]
            # The streams of the seeds as signed numbers.
            what, arguments = "PLAY_FROM", [start - (start >> 63 << 64) for start in starts]
        out = memory.room(self._decoder.size * len(seeds))
        memory.call(self._layout[what], len(seeds), arguments, out)
        return out


class TablePlayouts:
    """Games between players who choose evenly, on tables of the same shape, rules and options.

    game: at any of these tables. Boards differ from one to the next, and cards do where the same
    kernel has all of them. NotLowered, MissingNumba: as `Game.playouts`.
    """

    def __init__(self, game: Table) -> None:
        self.kernel = kernel_of(game, NATIVE)
        self.lowered = self.kernel.lowered
        self.decoder = self.kernel.decoder(game)
        self._game = game

    def board_row(self, board: Board, cards: Iterable[str]) -> Any:
        """A table as numbers: sets of each kind of hex, cards in play, places with tiles."""
        return self.kernel.board_row(board, cards)

    def play(self, seeds: Any, rows: Any) -> Any:
        """What the games of some seeds came to, a row of numbers for each; see `OutcomeDecoder`.

        seeds: int64, n. rows: int64, n rows of equal length, longer ones filled up with anything.
        The first number of an outcome is not 0 where a game needs more room than there is.
        """
        import numpy

        memory, size = self.kernel.memory_for_tables(self._game), self.decoder.size
        found = numpy.zeros((len(seeds), size), numpy.int64)
        for start in range(0, len(seeds), GAMES_PER_CALL):
            part = numpy.column_stack(
                [seeds[start : start + GAMES_PER_CALL], rows[start:][:GAMES_PER_CALL]]
            )
            arguments = numpy.concatenate([[rows.shape[1]], part.ravel()]).astype(numpy.int64)
            out = found[start : start + len(part)]
            memory.call(self.lowered.layout["PLAY_TABLES"], len(part), arguments, out)
        return found


# Many games on one table side by side, stepped by one call, for training players.

MAX_WIDTH = 1 << 16
"""No game offers so many moves at once."""


class Batch:
    """The games of some seeds, as `Game.playthrough` plays them, each in a row of one array.

    MissingNumba without the extra `fast`; NotLowered for rules of which no kernel can be made.
    What it returns are arrays of numpy with one entry for each game, in the order of the seeds.
    """

    def __init__(self, game: Table, seeds: Sequence[int]) -> None:
        kernel = kernel_of(game, NATIVE)
        import numpy

        self.game, self._numpy = game, numpy
        self.seeds: tuple[int, ...] = tuple(seeds_of(seeds))
        self._lowered, self._layout = kernel.lowered, kernel.lowered.layout
        kinds = game.ruleset.catalog.hexes
        self._rules = [*kernel.lowered.strings.rules, *(kind.id for kind in kinds)]
        self._memory, self._decoder = kernel.new_memory(game), kernel.decoder(game)
        self._rows = numpy.zeros((len(self.seeds), self._layout["ROW_SIZE"]), numpy.int64)
        self._begin(self.seeds, self._rows)
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

    def _begin(self, seeds: Sequence[int], rows: Any) -> None:
        """Begin the game of each seed in its row."""
        numpy = self._numpy
        first = numpy.array([Random(seed, "deck").position for seed in seeds], numpy.uint64)
        starts = first.view(numpy.int64)
        self._memory.call(self._layout["BEGIN_ROWS"], len(seeds), starts, rows)

    def _call(self, entry: str, arguments: Any) -> None:
        self._memory.call(self._layout[entry], len(self), arguments, self._rows)

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
            kind = shortened(values) if numbers.dtype.kind == "O" else str(numbers.dtype)
            raise TypeError(f"{what} are whole numbers, not {kind}")
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
        rows, players = self._results(range(len(self))), range(self.game.players)
        totals = [rows[:, self._decoder.total_columns(p)].sum(1) for p in players]
        return self._numpy.stack(totals, 1)

    def outcomes(self) -> list[Outcome]:
        """What came of the games that are over; of others, what it would be if they ended now."""
        return self._decoded(range(len(self)))

    def _decoded(self, games: Sequence[int]) -> list[Outcome]:
        return [*self._decoder.decode_all(self._results(games).ravel().tolist())]

    def _results(self, games: Sequence[int]) -> Any:
        """Return the numbers of some games as if they ended now, a row for each."""
        rows = self._numpy.ascontiguousarray(self._rows[games])
        found = self._numpy.zeros((len(games), self._decoder.size), self._numpy.int64)
        self._memory.call(self._layout["ROW_RESULTS"], len(games), found, rows)
        for game, fault in zip(games, found[:, 0].tolist(), strict=True):
            if fault:
                raise OutOfRoom(f"the game with seed {self.seeds[game]}", fault)
        return found


def array_of(values: Any) -> Any:
    """Return values as an array; those of rows of several lengths as an array of objects."""
    import numpy

    try:
        return numpy.asarray(values)
    except ValueError:
        return numpy.asarray(values, object)
