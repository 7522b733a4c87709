"""What players see of games that lie in rows, filled by the native kernel in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from kbrules.engine.configuration import NATIVE, GameLike
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.envs.actions import actions_of
from kbrules.envs.features import features_of
from kbrules.envs.observation import board_planes
from kbrules.envs.view_head import ViewHead


class Views:
    """The observations of one table: the arrays of `observe` and `Actions.mask`, of many games.

    MissingNumba without the extra `fast`; NotLowered for rules of which no kernel can be made.
    """

    def __init__(self, game: GameLike) -> None:
        lowered = kernel_of(game, NATIVE).lowered
        import numpy

        self._numpy, self._what = numpy, lowered.layout["ROW_VIEWS"]
        self.actions, self.features = actions_of(game), features_of(game)
        self.head = ViewHead(lowered, self.features, self.actions, game.board)
        self._first = numpy.array(self.head.numbers, numpy.int64)
        self._board = self._bytes_of_board(game)

    def _bytes_of_board(self, game: GameLike) -> Any:
        """The planes of the board alone, as the numbers of a row of bytes."""
        flat = self._numpy.zeros(8 * self.head.planes_size, self._numpy.int8)
        planes = board_planes(game).ravel()
        flat[: len(planes)] = planes
        return flat.view(self._numpy.int64)

    def observe(self, memory: Any, rows: Any, viewers: Any) -> dict[str, Any]:
        """What a player sees of each game: `planes`, `numbers` and `mask`, a row for each game.

        memory: the kernel's, with the table; what it holds of a game is lost. rows: the games, as
        the kernel keeps them. viewers: a seat for each game.
        """
        numpy, head, features, number = self._numpy, self.head, self.features, len(viewers)
        sizes = head.size, head.planes_size, head.mask_size
        views = numpy.empty(len(self._first) + number * sum(sizes), numpy.int64)
        numbers, planes, mask = self._sections(views, number, sizes)
        views[: len(self._first)] = self._first
        numbers[:], planes[:], mask[:] = 0, self._board, 0
        numbers[:, 0] = viewers
        memory.call_with(self._what, number, views, rows)
        return {
            "planes": self._bytes(planes, prod(features.shape)).reshape(-1, *features.shape),
            "numbers": numbers.copy(),
            "mask": self._bytes(mask, len(self.actions)),
        }

    def _sections(self, views: Any, number: int, sizes: Sequence[int]) -> Iterator[Any]:
        """What lies behind the head: a row of each size for each game."""
        end = len(self._first)
        for size in sizes:
            first, end = end, end + number * size
            yield views[first:end].reshape(number, size)

    def _bytes(self, rows: Any, size: int) -> Any:
        return rows.view(self._numpy.int8)[:, :size]


def views_of(game: GameLike) -> Views:
    """The views of a table, made once."""
    found: Views | None = game.cache.get(Views)
    if found is None:
        found = game.cache[Views] = Views(game)
    return found
