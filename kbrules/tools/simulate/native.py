"""Deals of random players in arrays: tables drawn, laid and played by the native kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product, repeat
from typing import Any, NamedTuple

import numpy

from kbrules.engine.game import Game
from kbrules.engine.setup import RANDOM, draw_cards, draw_sections, scoring_cards, sections_of
from kbrules.engine.simulation.kernels import PlayerColumns
from kbrules.engine.simulation.playouts import TablePlayouts
from kbrules.game.streams import Streams
from kbrules.kernel.layout import Int64Cells
from kbrules.library.boards.tables import PlacedSection, has_pools, is_whole, placed_section
from kbrules.library.ruleset import Ruleset
from kbrules.tools.simulate import question as questions

# The tables of many seeds drawn side by side, where nothing but chance decides them.


NO_HEX = 2**31


class BoardArrays(NamedTuple):
    """Boards as numbers, a row for each: of sets of kinds of hexes, and of places with tiles.

    lying: which kinds of tiles are there. sections: those that lie on any of them.
    """

    kinds: Any
    places: Any
    tiles_present: Any
    sections: frozenset[str]


def can_be_sampled(question: questions.Question, rulesets: Sequence[Ruleset]) -> bool:
    """Whether the sections of one table and its scoring cards are all that is drawn, of all."""
    first = rulesets[0]
    parts, scoring = first.parts, scoring_cards(first)
    return (
        question.setup == RANDOM
        and not question.beside
        and not parts.section_sets
        and not any(side.cards for side in question.sides)
        and all(card in each.catalog.cards for each in rulesets for card in scoring)
        and not any(each.catalog.grids or has_pools(each.catalog) for each in rulesets)
        and not any(section.tasks for section in parts.sections.values())
        and all(is_whole(parts, section) for section in parts.sections.values())
    )


class TableSampler:
    """Draws for the rules of one side. ruleset: the rules by which tables are drawn."""

    def __init__(self, ruleset: Ruleset, game: Game, width: int) -> None:
        """game: at any of the tables. width: of a set of hexes, in words of 64 bits."""
        self._first, self._sections = ruleset, sections_of(ruleset, "")
        self._tiles = len(game.ruleset.catalog.tiles)
        rows, columns = ruleset.parts.table
        positions = product(range(rows), range(columns))
        placed = [[*self._placements(game, position)] for position in positions]
        self._kinds = [_kinds(each, len(game.board.kinds), Int64Cells(width)) for each in placed]
        self._places = [_places(each, self._tiles) for each in placed]

    def _placements(self, game: Game, position: tuple[int, int]) -> Iterable[PlacedSection]:
        """Each section upright and turned, as it lies on a spot."""
        catalog, parts = game.ruleset.catalog, game.ruleset.parts
        for id, turned in product(self._sections, (False, True)):
            yield placed_section(catalog, parts, game.board.grid, id, turned, position)

    def boards(self, seeds: Sequence[int]) -> BoardArrays:
        """The boards of some seeds."""
        streams = Streams(seeds, "board")
        draws = draw_sections(self._first, streams, len(self._sections))
        orientations = [2 * index + turned for index, turned in draws]
        kinds = self._kinds[0][orientations[0]]
        for placed, orientation in zip(self._kinds[1:], orientations[1:], strict=True):
            kinds |= placed[orientation]
        chosen = [placed[at] for placed, at in zip(self._places, orientations, strict=True)]
        places = numpy.concatenate(chosen, axis=1)
        sections = frozenset(
            self._sections[i] for i in numpy.unique(numpy.stack(orientations) // 2).tolist()
        )
        return BoardArrays(kinds, *self._sorted_places(places), sections)

    def _sorted_places(self, places: Any) -> tuple[Any, Any]:
        """Hexes and tiles in the order of hexes behind how many they are, and the tiles there."""
        order = numpy.argsort(places[:, :, 0], axis=1)
        places = numpy.take_along_axis(places, order[:, :, None], axis=1)
        number = (places[:, :, 0] < NO_HEX).sum(1)
        tiles_present = numpy.zeros((len(places), self._tiles + 1), bool)
        tiles_present[numpy.arange(len(places))[:, None], places[:, :, 1]] = True
        return numpy.column_stack([number, places.reshape(len(places), -1)]), tiles_present[:, :-1]

    def cards(self, seeds: Sequence[int]) -> Any:
        """The scoring cards of some seeds, a row for each, the numbers in it in ascending order."""
        draws = draw_cards(self._first, Streams(seeds, "cards"))
        return numpy.sort(numpy.stack(draws, axis=1), axis=1) if draws else None

    def ids(self, cards: Iterable[int]) -> tuple[str, ...]:
        """The ids of cards by their numbers."""
        scoring = scoring_cards(self._first)
        return tuple(scoring[card] for card in cards)


def _kinds(placed: Sequence[PlacedSection], kinds: int, cells: Int64Cells) -> Any:
    """The sets of each kind of hex of each section, as numbers."""
    rows = [cells.of_sets([dict(each.kinds).get(k, 0) for k in range(kinds)]) for each in placed]
    return numpy.array(rows, numpy.int64)


def _places(placed: Sequence[PlacedSection], no_tile: int) -> Any:
    """Hex and kind of tile of each place of each section, as many of all."""
    max_places = max(len(each.tiles) for each in placed)
    arrays = numpy.full((len(placed), max_places, 2), (NO_HEX, no_tile), numpy.int64)
    for number, each in enumerate(placed):
        if each.tiles:
            arrays[number, : len(each.tiles)] = [*each.tiles.items()]
    return arrays


# The tables of many deals as rows of numbers, which the native kernel lays.


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """The cards of some tables: what plays and what tells games with them. flags: of each card."""

    playouts: TablePlayouts
    row_writer: questions.RowWriter
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

    def __init__(self, tables: questions.QuestionTables, side: int) -> None:
        self._tables, self._side = tables, side
        self._ruleset = tables.ruleset(side)
        self._card_sets: dict[Any, CardSet] = {}
        self._sampler: TableSampler | None = None
        if can_be_sampled(tables.question, tables.rulesets):
            game = tables.game(tables.question.deal(0), side)
            width = self._cards(game).playouts.lowered.layout.width
            self._sampler = TableSampler(tables.rulesets[0], game, width)

    def encode(self, deals: Sequence[questions.Deal]) -> TableRows:
        """The tables of some deals, drawn side by side where nothing but chance decides them."""
        if self._sampler is None:
            return self._one_by_one(deals)
        return self._sampled(self._sampler, deals)

    def _one_by_one(self, deals: Sequence[questions.Deal]) -> TableRows:
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
        if key not in self._card_sets:
            self._card_sets[key] = self._new_cards(game)
        return self._card_sets[key]

    def _new_cards(self, game: Game) -> CardSet:
        flags = [card in game.cards for card in game.ruleset.catalog.cards]
        return CardSet(
            TablePlayouts(game), self._tables.row_writer(game, self._side), numpy.array(flags)
        )

    def _sampled(self, sampler: TableSampler, deals: Sequence[questions.Deal]) -> TableRows:
        seeds = [deal.table for deal in deals]
        boards = sampler.boards(seeds)
        card_sets, card_index = _unique_rows(sampler.cards(seeds), len(deals))
        cards = [self._cards_with_ids(sampler.ids(each), deals[0]) for each in card_sets]
        flags = numpy.stack([each.flags for each in cards])[card_index]
        rows = numpy.column_stack([boards.kinds, flags, boards.places])
        sections = self._ruleset.parts.sections
        stand_ins = frozenset(id for id in boards.sections if sections[id].stand_in)
        return TableRows(rows, cards, card_index, boards.tiles_present, stand_ins)

    def _cards_with_ids(self, ids: tuple[str, ...], deal: questions.Deal) -> CardSet:
        if ids not in self._card_sets:
            game = self._tables.with_cards(deal, self._side, ids)
            self._card_sets[ids] = self._new_cards(game)
        return self._card_sets[ids]


def _unique_rows(cards: Any, number: int) -> tuple[list[list[int]], Any]:
    """The different rows there are of so many, and of each which it is."""
    if cards is None:
        return [[]], numpy.zeros(number, numpy.int64)
    unique, index_of = numpy.unique(cards, axis=0, return_inverse=True)
    return unique.tolist(), index_of.reshape(-1)


def _unique_sets(cards: Sequence[CardSet]) -> tuple[list[CardSet], Any]:
    """Those there are, and of each which it is."""
    unique = list({id(each): each for each in cards}.values())
    numbers = {id(each): number for number, each in enumerate(unique)}
    return unique, numpy.array([numbers[id(each)] for each in cards])


# Deals of random players, played by the native kernel and decoded in arrays.


def play_natively(
    tables: questions.QuestionTables,
    deals: Sequence[questions.Deal],
    side: int,
    seating: questions.Seating,
) -> questions.GameRows:
    """The games of some deals on one side, played many at a time.

    NotLowered, MissingNumba: as `Game.playouts`.
    """
    encoder = tables.cache.get((TableEncoder, side))
    if encoder is None:
        encoder = tables.cache[TableEncoder, side] = TableEncoder(tables, side)
    table_rows = encoder.encode(deals)
    rows: list[questions.Row] = []
    unplayed: list[questions.Deal] = []
    for playouts, indices in _by_kernel(table_rows):
        games = _Games(tables, table_rows, playouts, indices, deals)
        rows += games.rows(side, seating)
        unplayed += games.unplayed
    return questions.GameRows(rows, table_rows.stand_ins, unplayed)


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
        tables: questions.QuestionTables,
        table_rows: TableRows,
        playouts: TablePlayouts,
        indices: Any,
        deals: Sequence[questions.Deal],
    ) -> None:
        self._tables, self._cards, self._playouts = tables, table_rows.cards, playouts
        seeds = numpy.array([deal.seed for deal in deals])[indices]
        outcomes = playouts.play(seeds, table_rows.rows[indices])
        is_finished = outcomes[:, 0] == 0
        finished = indices[is_finished]
        self.unplayed = [deals[at] for at in indices[~is_finished]]
        self._outcomes, self._deals = outcomes[is_finished], [deals[at] for at in finished.tolist()]
        self._of, self._tiles_present = table_rows.of[finished], table_rows.tiles_present[finished]

    def rows(self, side: int, seating: questions.Seating) -> Iterator[questions.Row]:
        """A row for each player of each game; the columns are those of `question.columns`."""
        deal, seed, table = zip(*self._deals, strict=True) if self._deals else ((), (), ())
        won, turns = self._outcomes[:, 2], self._outcomes[:, 1].tolist()
        players = range(len(self._playouts.decoder.fields))
        winners = sum(won >> player & 1 for player in players).tolist()
        is_present = self._present_columns()
        of_players = [
            zip(
                deal, repeat(side), repeat(seating.lineup), repeat(seating.rotation),
                repeat(player), repeat(seating.bots[player]), seed, table,
                (won >> player & 1).tolist(), winners,
                self._totals(fields), turns, self._outcomes[:, fields.decisions].tolist(),
                *self._columns(self._of_player(fields), is_present),
            )
            for player, fields in enumerate(self._playouts.decoder.fields)
        ]  # fmt: skip
        return chain.from_iterable(zip(*of_players, strict=True))

    def _totals(self, fields: PlayerColumns) -> Any:
        paid = self._outcomes[:, fields.paid].sum(1)
        return (paid + self._outcomes[:, fields.gained]).tolist()

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
