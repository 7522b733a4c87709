"""Deals of random players, played by the native kernel and decoded in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

import numpy

from kbrules.engine.simulation.decoding import PlayerColumns
from kbrules.engine.simulation.playouts import TablePlayouts
from kbrules.tools.measuring.simulate.question import Deal, Seating
from kbrules.tools.measuring.simulate.rows import GameRows, Row
from kbrules.tools.measuring.simulate.table_rows import TableEncoder, TableRows
from kbrules.tools.measuring.simulate.tables import Tables

__all__ = ["play_natively"]


def play_natively(tables: Tables, deals: Sequence[Deal], side: int, seating: Seating) -> GameRows:
    """The games of some deals on one side, played many at a time.

    NotLowered, MissingNumba: as `Game.playouts`.
    """
    laying = tables.kept.get((TableEncoder, side))
    if laying is None:
        laying = tables.kept[TableEncoder, side] = TableEncoder(tables, side)
    laid = laying.laid(deals)
    rows: list[Row] = []
    left: list[Deal] = []
    for bulk, which in _by_kernel(laid):
        games = _Games(tables, laid, bulk, which, deals)
        rows += games.rows(side, seating)
        left += games.left
    return GameRows(rows, laid.stand_ins, left)


def _by_kernel(laid: TableRows) -> Iterator[tuple[TablePlayouts, Any]]:
    """The tables that have the same kernel, and what plays them."""
    kernels = {id(cards.bulk.kernel): cards.bulk for cards in laid.cards}
    of = numpy.array([id(cards.bulk.kernel) for cards in laid.cards])[laid.of]
    for key, bulk in kernels.items():
        yield bulk, (of == key).nonzero()[0]


class _Games:
    """What some games by one kernel came to."""

    def __init__(
        self,
        tables: Tables,
        laid: TableRows,
        bulk: TablePlayouts,
        which: Any,
        deals: Sequence[Deal],
    ) -> None:
        self._tables, self._cards, self._bulk = tables, laid.cards, bulk
        seeds = numpy.array([deal.seed for deal in deals])[which]
        found = bulk.play(seeds, laid.rows[which])
        over = found[:, 0] == 0
        self.left = [deals[at] for at in which[~over]]
        self._found, self._deals = found[over], [deals[at] for at in which[over].tolist()]
        self._of, self._lying = laid.of[which[over]], laid.lying[which[over]]

    def rows(self, side: int, seating: Seating) -> Iterator[Row]:
        """A row for each player of each game; the columns are those of `rows.columns`."""
        deal, seed, table = zip(*self._deals, strict=True) if self._deals else ((), (), ())
        won, turns = self._found[:, 2], self._found[:, 1].tolist()
        players = range(len(self._bulk.decoder.fields))
        winners = sum(won >> player & 1 for player in players).tolist()
        known = self._known()
        of_players = [
            zip(
                deal, repeat(side), repeat(seating.party), repeat(seating.turned), repeat(player),
                repeat(seating.bots[player]), seed, table, (won >> player & 1).tolist(), winners,
                self._total(fields), turns, self._found[:, fields.decisions].tolist(),
                *self._columns(self._of_player(fields), known),
            )
            for player, fields in enumerate(self._bulk.decoder.fields)
        ]  # fmt: skip
        return chain.from_iterable(zip(*of_players, strict=True))

    def _total(self, fields: PlayerColumns) -> list[int]:
        total = self._found[:, fields.paid].sum(1) + self._found[:, fields.gained]
        found: list[int] = total.tolist()
        return found

    def _of_player(self, fields: PlayerColumns) -> Any:
        """The numbers of all columns behind the fixed ones, of one player."""
        lowered, found = self._bulk.lowered, self._found
        paid, gains = found[:, fields.paid], found[:, fields.gains]
        gold = numpy.zeros((len(found), len(self._tables.rules)), numpy.int64)
        for at, rule in enumerate(self._tables.rules):
            for ids, numbers in ((lowered.paying, paid), (lowered.gains, gains)):
                if rule in ids:
                    gold[:, at] += numbers[:, ids.index(rule)]
        kinds = self._cards[0].row_writer.kinds
        taken, used = (found[:, each][:, kinds] for each in (fields.taken, fields.used))
        return numpy.column_stack([gold, taken, used])

    def _known(self) -> Any:
        """Which columns each game has: rules and tiles that are not there are left empty."""
        writers = [cards.row_writer for cards in self._cards]
        first = writers[0]
        there = self._lying.copy()
        for fields in self._bulk.decoder.fields:
            there |= self._found[:, fields.taken] > 0
        rules = numpy.array([[rule is not None for rule in each.rules] for each in writers])
        kinds = [
            there[:, columns] & (numpy.array(columns) >= 0)
            for columns in (first.kinds, first.usable)
        ]
        return numpy.column_stack([rules[self._of], *kinds])

    def _columns(self, numbers: Any, known: Any) -> Iterator[list[int | None]]:
        for column, is_there in zip(numbers.T, known.T, strict=True):
            told: Any = column
            if not is_there.all():
                told = numpy.where(is_there, column.astype(object), None)
            yield told.tolist()
