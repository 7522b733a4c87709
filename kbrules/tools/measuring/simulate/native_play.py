"""Deals of random players, played by the native kernel and decoded in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

import numpy

from kbrules.engine.simulation.kernels import PlayerColumns
from kbrules.engine.simulation.playouts import TablePlayouts
from kbrules.tools.measuring.simulate.question import Deal, Seating
from kbrules.tools.measuring.simulate.rows import GameRows, Row
from kbrules.tools.measuring.simulate.table_rows import TableEncoder, TableRows
from kbrules.tools.measuring.simulate.tables import Tables


def play_natively(tables: Tables, deals: Sequence[Deal], side: int, seating: Seating) -> GameRows:
    """The games of some deals on one side, played many at a time.

    NotLowered, MissingNumba: as `Game.playouts`.
    """
    encoder = tables.cache.get((TableEncoder, side))
    if encoder is None:
        encoder = tables.cache[TableEncoder, side] = TableEncoder(tables, side)
    table_rows = encoder.encode(deals)
    rows: list[Row] = []
    unplayed: list[Deal] = []
    for playouts, indices in _by_kernel(table_rows):
        games = _Games(tables, table_rows, playouts, indices, deals)
        rows += games.rows(side, seating)
        unplayed += games.unplayed
    return GameRows(rows, table_rows.stand_ins, unplayed)


def _by_kernel(table_rows: TableRows) -> Iterator[tuple[TablePlayouts, Any]]:
    """The tables that have the same kernel, and what plays them."""
    kernels = {id(cards.playouts.kernel): cards.playouts for cards in table_rows.cards}
    ids = numpy.array([id(cards.playouts.kernel) for cards in table_rows.cards])
    for key, playouts in kernels.items():
        yield playouts, (ids[table_rows.of] == key).nonzero()[0]


class _Games:
    """What some games by one kernel came to."""

    def __init__(
        self,
        tables: Tables,
        table_rows: TableRows,
        playouts: TablePlayouts,
        indices: Any,
        deals: Sequence[Deal],
    ) -> None:
        self._tables, self._cards, self._playouts = tables, table_rows.cards, playouts
        seeds = numpy.array([deal.seed for deal in deals])[indices]
        outcomes = playouts.play(seeds, table_rows.rows[indices])
        is_finished = outcomes[:, 0] == 0
        finished = indices[is_finished]
        self.unplayed = [deals[at] for at in indices[~is_finished]]
        self._outcomes, self._deals = outcomes[is_finished], [deals[at] for at in finished.tolist()]
        self._of, self._tiles_present = table_rows.of[finished], table_rows.tiles_present[finished]

    def rows(self, side: int, seating: Seating) -> Iterator[Row]:
        """A row for each player of each game; the columns are those of `rows.columns`."""
        deal, seed, table = zip(*self._deals, strict=True) if self._deals else ((), (), ())
        won, turns = self._outcomes[:, 2], self._outcomes[:, 1].tolist()
        players = range(len(self._playouts.decoder.fields))
        winners = sum(won >> player & 1 for player in players).tolist()
        is_present = self._present_columns()
        of_players = [
            zip(
                deal, repeat(side), repeat(seating.party), repeat(seating.turned), repeat(player),
                repeat(seating.bots[player]), seed, table, (won >> player & 1).tolist(), winners,
                self._total(fields), turns, self._outcomes[:, fields.decisions].tolist(),
                *self._columns(self._of_player(fields), is_present),
            )
            for player, fields in enumerate(self._playouts.decoder.fields)
        ]  # fmt: skip
        return chain.from_iterable(zip(*of_players, strict=True))

    def _total(self, fields: PlayerColumns) -> list[int]:
        total = self._outcomes[:, fields.paid].sum(1) + self._outcomes[:, fields.gained]
        gold: list[int] = total.tolist()
        return gold

    def _of_player(self, fields: PlayerColumns) -> Any:
        """The numbers of all columns behind the fixed ones, of one player."""
        lowered, outcomes = self._playouts.lowered, self._outcomes
        paid, gains = outcomes[:, fields.paid], outcomes[:, fields.gains]
        gold = numpy.zeros((len(outcomes), len(self._tables.rules)), numpy.int64)
        for at, rule in enumerate(self._tables.rules):
            for ids, numbers in ((lowered.paying_rules, paid), (lowered.gaining_rules, gains)):
                if rule in ids:
                    gold[:, at] += numbers[:, ids.index(rule)]
        kinds = self._cards[0].row_writer.kinds
        taken, used = (outcomes[:, each][:, kinds] for each in (fields.taken, fields.used))
        return numpy.column_stack([gold, taken, used])

    def _present_columns(self) -> Any:
        """Which columns each game has: rules and tiles that are not there are left empty."""
        writers = [cards.row_writer for cards in self._cards]
        writer = writers[0]
        tiles_present = self._tiles_present.copy()
        for fields in self._playouts.decoder.fields:
            tiles_present |= self._outcomes[:, fields.taken] > 0
        rules = numpy.array([[rule is not None for rule in each.rules] for each in writers])
        kinds = [
            tiles_present[:, columns] & (numpy.array(columns) >= 0)
            for columns in (writer.kinds, writer.usable)
        ]
        return numpy.column_stack([rules[self._of], *kinds])

    def _columns(self, numbers: Any, is_present: Any) -> Iterator[list[int | None]]:
        for column, is_there in zip(numbers.T, is_present.T, strict=True):
            values: Any = column
            if not is_there.all():
                values = numpy.where(is_there, column.astype(object), None)
            yield values.tolist()
