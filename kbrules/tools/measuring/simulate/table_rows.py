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


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """The cards of some tables: what plays and what tells games with them. flags: of each card."""

    playouts: TablePlayouts
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
    tiles_present: Any
    stand_ins: frozenset[str]


class TableEncoder:
    """Lays the tables of one side."""

    def __init__(self, tables: Tables, side: int) -> None:
        self._tables, self._side = tables, side
        self._ruleset = tables.rulesets[side]
        self._card_sets: dict[Any, CardSet] = {}
        self._sampler: TableSampler | None = None
        if can_be_sampled(tables.question, tables.rulesets):
            game = tables.game(tables.question.deal(0), side)
            width = self._cards(game).playouts.lowered.layout.width
            self._sampler = TableSampler(tables.rulesets[0], game, width)

    def encode(self, deals: Sequence[Deal]) -> TableRows:
        """The tables of some deals, drawn side by side where nothing but chance decides them."""
        if self._sampler is None:
            return self._one_by_one(deals)
        return self._sampled(self._sampler, deals)

    def _one_by_one(self, deals: Sequence[Deal]) -> TableRows:
        games = [self._tables.game(deal, self._side) for deal in deals]
        cards = [self._cards(game) for game in games]
        rows = [
            each.playouts.board_row(g.board, g.cards) for each, g in zip(cards, games, strict=True)
        ]
        padded = numpy.zeros((len(rows), max(map(len, rows))), numpy.int64)
        tiles_present = numpy.zeros((len(rows), len(self._ruleset.catalog.tiles)), bool)
        for number, (row, game) in enumerate(zip(rows, games, strict=True)):
            padded[number, : len(row)] = row
            tiles_present[number, [*game.board.tiles.values()]] = True
        stand_ins = frozenset(id for game in games for id in game.board.stand_ins)
        return TableRows(padded, *_unique_sets(cards), tiles_present, stand_ins)

    def _cards(self, game: Game) -> CardSet:
        key = frozenset(game.cards), game.board.grid
        cards = self._card_sets.get(key)
        if cards is None:
            cards = self._card_sets[key] = self._new_cards(game)
        return cards

    def _new_cards(self, game: Game) -> CardSet:
        flags = [card in game.cards for card in game.ruleset.catalog.cards]
        return CardSet(
            TablePlayouts(game), self._tables.row_writer(game, self._side), numpy.array(flags)
        )

    def _sampled(self, sampler: TableSampler, deals: Sequence[Deal]) -> TableRows:
        seeds = [deal.table for deal in deals]
        boards = sampler.boards(seeds)
        card_sets, card_index = _unique_rows(sampler.cards(seeds), len(deals))
        cards = [self._cards_with_ids(sampler.ids(each), deals[0]) for each in card_sets]
        flags = numpy.stack([each.flags for each in cards])[card_index]
        rows = numpy.column_stack([boards.kinds, flags, boards.places])
        sections = self._ruleset.parts.sections
        stand_ins = frozenset(id for id in boards.sections if sections[id].stand_in)
        return TableRows(rows, cards, card_index, boards.tiles_present, stand_ins)

    def _cards_with_ids(self, ids: tuple[str, ...], deal: Deal) -> CardSet:
        cards = self._card_sets.get(ids)
        if cards is None:
            game = self._tables.with_cards(deal, self._side, ids)
            cards = self._card_sets[ids] = self._new_cards(game)
        return cards


def _unique_rows(cards: Any, number: int) -> tuple[list[list[int]], Any]:
    """The different rows there are of so many, and of each which it is."""
    if cards is None:
        return [[]], numpy.zeros(number, numpy.int64)
    keys = numpy.zeros(number, numpy.int64)
    for column in cards.T:
        keys = keys * (cards.max() + 1) + column
    _, first, index_of = numpy.unique(keys, return_index=True, return_inverse=True)
    return cards[first].tolist(), index_of


def _unique_sets(cards: Sequence[CardSet]) -> tuple[list[CardSet], Any]:
    """Those there are, and of each which it is."""
    unique = list({id(each): each for each in cards}.values())
    numbers = {id(each): number for number, each in enumerate(unique)}
    return unique, numpy.array([numbers[id(each)] for each in cards])
