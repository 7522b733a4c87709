"""Whole games by players who choose evenly, by the kernel of the rules.

They are, move by move, the games that `match.Match` plays with such players and the same seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import NATIVE
from kbrules.engine.interface import GameLike
from kbrules.engine.matches.outcome import Outcome, outcome
from kbrules.engine.simulation.kernels import OutOfRoom, kernel_of
from kbrules.game.board import Board
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

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


def reference_playouts(game: GameLike, seeds: Iterable[int]) -> Iterator[Outcome]:
    """The outcomes of the games of some seeds, played by states."""
    return (outcome(game, seed, [_random_move] * game.players) for seed in seeds)


class Playouts:
    """The random games of one table by seed: those of `outcome` with players who choose evenly.

    NotLowered if no kernel can be made of the rules, MissingNumba for `native` without the extra.
    faults: how many games were not played, for want of room.
    """

    def __init__(self, game: GameLike, engine: str) -> None:
        self._kernel = kernel = kernel_of(game, engine)
        self._game, self._layout, self._lowered = game, kernel.lowered.layout, kernel.lowered
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
            yield from self._play_part(seeds[start : start + GAMES_PER_CALL])

    def _play_part(self, seeds: Sequence[int]) -> Iterator[Outcome]:
        out = self.rows(seeds)
        numbers = out if isinstance(out, list) else out.tolist()
        found, faults = self._decoder.decode_all(numbers), numbers[:: self._decoder.size]
        return self._until_fault(found, seeds, faults) if any(faults) else found

    def _until_fault(
        self, found: Iterator[Outcome], seeds: Sequence[int], faults: Sequence[int]
    ) -> Iterator[Outcome]:
        for seed, fault, result in zip(seeds, faults, found, strict=True):
            if fault:
                self.faults += 1
                raise OutOfRoom(f"the game with seed {seed}", fault)
            yield result

    def rows(self, seeds: Sequence[int]) -> Any:
        """The outcomes as numbers, so many for each seed, for whoever adds them up.

        The first of them is not 0 where the game needs more room than the kernel has.
        """
        memory, what, arguments = self._kernel.memory_for_table(self._game), "PLAY", seeds
        if not all(map(is_kernel_seed, seeds)):
            what, arguments = "PLAY_FROM", self._streams(seeds)
        out = memory.room(self._decoder.size * len(seeds))
        memory.call(self._layout[what], len(seeds), arguments, out)
        return out

    def _streams(self, seeds: Sequence[int]) -> list[int]:
        """Where the streams of seeds begin, as signed numbers."""
        names = ("deck", *(f"bot {player}" for player in range(self._game.players)))
        found = [Random(seed, name).position for seed in seeds for name in names]
        return [position - (position >> 63 << 64) for position in found]

    def trace(self, seed: int) -> list[tuple[int, str, str, int]]:
        """The moves of the game of a seed: who, verb, rule and hex; chance is -1."""
        return self.traced(seed)[1]

    def traced(self, seed: int) -> tuple[Outcome, list[tuple[int, str, str, int]]]:
        """What came of the game of a seed, and its moves as `trace` tells them; OutOfRoom."""
        memory = self._kernel.memory_for_table(self._game)
        memory.put(self._layout["TRACED"], [0])
        try:
            found = self(seed)
            number = memory.number(self._layout["TRACED"])
        finally:
            memory.put(self._layout["TRACED"], [-1])
        return found, self._moves(memory.numbers(self._layout["TRACE"], 4 * number))

    def _moves(self, numbers: Sequence[int]) -> list[tuple[int, str, str, int]]:
        """The recorded moves of a game, four numbers each."""
        strings, rows = self._lowered.strings, iter(numbers)
        rules = [*strings.rules, *(kind.id for kind in self._game.ruleset.catalog.hexes)]
        return [
            (who, "draw", "", hex) if verb < 0 else (who, strings.verbs[verb], rules[rule], hex)
            for who, verb, rule, hex in zip(rows, rows, rows, rows, strict=True)
        ]

    def piece_masks(self) -> dict[str, list[int]]:
        """The masks of all pieces, by player and then of nobody, at the end of the last game."""
        layout, kinds = self._layout, range(self._layout["PIECE_KINDS"])
        memory = self._kernel.memory_for_table(self._game)
        starts = {"nobody": layout["NEUTRAL"]}
        for player in range(self._game.players):
            starts[str(player)] = layout["SEATS"] + player * layout["SEAT"] + layout["PIECES"]
        return {
            name: [memory.set_at(at + kind * layout.width) for kind in kinds]
            for name, at in starts.items()
        }


class TablePlayouts:
    """Games between players who choose evenly, on tables of the same shape, rules and options.

    game: at any of these tables. Boards differ from one to the next, and cards do where the same
    kernel has all of them. NotLowered, MissingNumba: as `Game.playouts`.
    """

    def __init__(self, game: GameLike) -> None:
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
            memory.call_with(self.lowered.layout["PLAY_TABLES"], len(part), arguments, out)
        return found


def _random_move(_game: GameLike, _state: State, moves: MoveSet, random: Random) -> Move:
    """Any legal move, all as likely."""
    return moves.sample(random)
