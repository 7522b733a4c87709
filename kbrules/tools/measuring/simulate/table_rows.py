"""The tables of many deals as rows of numbers, which the native kernel lays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from kbrules.engine.game import Game
from kbrules.engine.simulation.playouts import TablePlayouts
from kbrules.tools.measuring.simulate.question import Deal
from kbrules.tools.measuring.simulate.rows import RowWriter
from kbrules.tools.measuring.simulate.table_sampling import TableSampler, can_be_sampled
from kbrules.tools.measuring.simulate.tables import Tables

__all__ = ["CardSet", "TableEncoder", "TableRows"]


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """The cards of some tables: what plays and what tells games with them. flags: of each card."""

    bulk: TablePlayouts
    row_writer: RowWriter
    flags: Any


@dataclass(frozen=True, slots=True)
class TableRows:
    """The tables of some deals.

    rows: n x numbers. cards: those there are; of: which of them each table has. lying: n x kinds
    of tiles, which of them are on the board. stand_ins: sections with an invented map.
    """

    rows: Any
    cards: list[CardSet]
    of: Any
    lying: Any
    stand_ins: frozenset[str]


class TableEncoder:
    """Lays the tables of one side."""

    def __init__(self, tables: Tables, side: int) -> None:
        self._tables, self._side = tables, side
        self._ruleset = tables.rulesets[side]
        self._known: dict[Any, CardSet] = {}
        self._drawing: TableSampler | None = None
        if can_be_sampled(tables.question, tables.rulesets):
            game = tables.game(tables.question.deal(0), side)
            width = self._cards(game).bulk.lowered.layout.width
            self._drawing = TableSampler(tables.rulesets[0], game, width)

    def laid(self, deals: Sequence[Deal]) -> TableRows:
        """The tables of some deals, drawn side by side where nothing but chance decides them."""
        if self._drawing is None:
            return self._one_by_one(deals)
        return self._drawn(self._drawing, deals)

    def _one_by_one(self, deals: Sequence[Deal]) -> TableRows:
        games = [self._tables.game(deal, self._side) for deal in deals]
        cards = [self._cards(game) for game in games]
        rows = [each.bulk.board_row(g.board, g.cards) for each, g in zip(cards, games, strict=True)]
        even = numpy.zeros((len(rows), max(map(len, rows))), numpy.int64)
        lying = numpy.zeros((len(rows), len(self._ruleset.catalog.tiles)), bool)
        for number, (row, game) in enumerate(zip(rows, games, strict=True)):
            even[number, : len(row)] = row
            lying[number, [*game.board.tiles.values()]] = True
        stand_ins = frozenset(id for game in games for id in game.board.stand_ins)
        return TableRows(even, *_numbered(cards), lying, stand_ins)

    def _cards(self, game: Game) -> CardSet:
        key = frozenset(game.cards), game.board.grid
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new_cards(game)
        return found

    def _new_cards(self, game: Game) -> CardSet:
        flags = [card in game.cards for card in game.ruleset.catalog.cards]
        return CardSet(
            TablePlayouts(game), self._tables.row_writer(game, self._side), numpy.array(flags)
        )

    def _drawn(self, drawing: TableSampler, deals: Sequence[Deal]) -> TableRows:
        seeds = [deal.table for deal in deals]
        boards = drawing.boards(seeds)
        sets, of = _different(drawing.cards(seeds), len(deals))
        cards = [self._of_ids(drawing.ids(each), deals[0]) for each in sets]
        flags = numpy.stack([each.flags for each in cards])[of]
        rows = numpy.column_stack([boards.kinds, flags, boards.places])
        sections = self._ruleset.parts.sections
        stand_ins = frozenset(id for id in boards.sections if sections[id].stand_in)
        return TableRows(rows, cards, of, boards.lying, stand_ins)

    def _of_ids(self, ids: tuple[str, ...], deal: Deal) -> CardSet:
        found = self._known.get(ids)
        if found is None:
            game = self._tables.with_cards(deal, self._side, ids)
            found = self._known[ids] = self._new_cards(game)
        return found


def _different(cards: Any, number: int) -> tuple[list[list[int]], Any]:
    """The different rows there are of so many, and of each which it is."""
    if cards is None:
        return [[]], numpy.zeros(number, numpy.int64)
    keys = numpy.zeros(number, numpy.int64)
    for column in cards.T:
        keys = keys * (cards.max() + 1) + column
    _, first, of = numpy.unique(keys, return_index=True, return_inverse=True)
    return cards[first].tolist(), of


def _numbered(cards: Sequence[CardSet]) -> tuple[list[CardSet], Any]:
    """Those there are, and of each which it is."""
    known = list({id(each): each for each in cards}.values())
    numbers = {id(each): number for number, each in enumerate(known)}
    return known, numpy.array([numbers[id(each)] for each in cards])
