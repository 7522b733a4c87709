"""Random games by the native kernel, each on a table of its own, with numbers in and out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy

from kbrules.engine.kernels import NATIVE, kernel_of
from kbrules.engine.playable import Playable
from kbrules.game.board import Board

__all__ = ["Bulk"]

AT_ONCE = 1024
"""So many games are played in one call; between calls one can be interrupted."""


class Bulk:
    """Games between players who choose evenly, on tables of the same shape, rules and options.

    game: at any of these tables. Boards differ from one to the next, and cards do where the same
    kernel has all of them. NotLowered, MissingNumba: as `Game.playouts`.
    """

    def __init__(self, game: Playable) -> None:
        self.kernel = kernel_of(game, NATIVE)
        self.lowered = self.kernel.lowered
        self.reader = self.kernel.reader(game)
        self._game = game

    def row(self, board: Board, cards: Iterable[str]) -> Any:
        """A table as numbers: sets of each kind of hex, cards in play, places with tiles."""
        return self.kernel.row(board, cards)

    def play(self, seeds: Any, rows: Any) -> Any:
        """What the games of some seeds came to, a row of numbers for each; see `Reader`.

        seeds: int64, n. rows: int64, n rows of equal length, longer ones filled up with anything.
        The first number of an outcome is not 0 where a game needs more room than there is.
        """
        memory, size = self.kernel.for_tables(self._game), self.reader.size
        found = numpy.zeros((len(seeds), size), numpy.int64)
        for start in range(0, len(seeds), AT_ONCE):
            part = numpy.column_stack([seeds[start : start + AT_ONCE], rows[start:][:AT_ONCE]])
            given = numpy.concatenate([[rows.shape[1]], part.ravel()]).astype(numpy.int64)
            out = found[start : start + len(part)]
            memory.call_with(self.lowered.layout["PLAY_TABLES"], len(part), given, out)
        return found
