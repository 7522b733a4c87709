"""The numbers of an observation read from what the native kernel wrote, for many games at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kbrules.engine.interface import GameLike
from kbrules.envs.features import STAGES, Features
from kbrules.envs.view_head import ViewHead

__all__ = ["ViewNumbers"]


class ViewNumbers:
    """Reads the numbers of all rows, in the order of `Features.numbers`."""

    def __init__(self, head: ViewHead, features: Features, game: GameLike) -> None:
        import numpy

        self._numpy, self._head, self._features = numpy, head, features
        self._cards, self._tiles = len(features.catalog.deck), len(features.catalog.tiles)
        self._turn = STAGES.index("turn")

    def __call__(self, rows: Any) -> Any:
        """rows: what the kernel wrote, a row for each game. The numbers, int32."""
        columns = [*self._course(rows), *self._of_cards(rows)]
        for seat in range(self._features.players):
            columns += self._of_seat(rows, seat)
        columns += self._of_table(rows)
        wide = [column if column.ndim == 2 else column[:, None] for column in columns]
        return self._numpy.concatenate(wide, 1, dtype=self._numpy.int32, casting="unsafe")

    def _part(self, rows: Any, name: str, size: int = 1) -> Any:
        at = self._head.at[name]
        return rows[:, at : at + size]

    def _in_seat(self, rows: Any, seat: int, name: str, size: int = 1) -> Any:
        at = self._head.seats + seat * self._head.seat_size + self._head.in_seat[name]
        return rows[:, at : at + size]

    def _course(self, rows: Any) -> Iterator[Any]:
        viewer, players = rows[:, 0], self._features.players
        stage = self._part(rows, "STAGE")[:, 0]
        turn = self._numpy.where(stage == self._turn, self._part(rows, "INDEX")[:, 0], 0)
        yield viewer
        yield rows[:, 1]
        yield (self._part(rows, "ACTIVE")[:, 0] - viewer) % players
        yield from (stage, turn, turn // players)
        yield self._part(rows, "ENDING")

    def _of_cards(self, rows: Any) -> Iterator[Any]:
        numpy, cards, players = self._numpy, self._cards, self._features.players
        piles = self._part(rows, "PILES", 3 * cards)
        hands = [self._in_seat(rows, seat, "HAND", cards) for seat in range(players)]
        yield self._part(rows, "SHOWN", cards)
        yield self._part(rows, "ASIDE", cards)
        yield hands[0]
        yield sum(hands[1:], piles[:, :cards])
        yield piles[:, cards:]
        yield self._part(rows, "REVEALED") == numpy.arange(cards)
        yield self._part(rows, "CHOICE") == numpy.arange(len(self._features.catalog.hexes))

    def _of_seat(self, rows: Any, seat: int) -> Iterator[Any]:
        features = self._features
        yield self._in_seat(rows, seat, "HAND", self._cards).sum(1)
        yield self._in_seat(rows, seat, "GOLD")
        yield from (self._in_seat(rows, seat, f"supply {piece}") for piece in features.own_pieces)
        yield self._in_seat(rows, seat, "READY", self._tiles)
        yield self._in_seat(rows, seat, "IN ALL", self._tiles)
        for name, _ in features.of_seat.numbers:
            yield self._in_seat(rows, seat, f"memory {name}")

    def _of_table(self, rows: Any) -> Iterator[Any]:
        features = self._features
        cards = self._part(rows, "IN_PLAY", len(features.catalog.cards))
        yield self._numpy.where(cards <= 2, cards, 0)
        yield from (self._part(rows, f"memory {name}") for name, _ in features.of_table.numbers)
