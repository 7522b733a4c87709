"""The tables of many seeds drawn side by side, where nothing but chance decides them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy

from kbrules.engine.game import Game
from kbrules.engine.setup import RANDOM, draw_cards, draw_sections, scoring_cards, sections_of
from kbrules.game.streams import Streams
from kbrules.kernel.memory.cells import Int64Cells
from kbrules.library.boards.sections import has_pools
from kbrules.library.boards.tables import PlacedSection, is_whole, placed_section
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.simulate.question import Question

NO_HEX = 2**31


class BoardArrays(NamedTuple):
    """Boards as numbers, a row for each: of sets of kinds of hexes, and of places with tiles.

    lying: which kinds of tiles are there. sections: those that lie on any of them.
    """

    kinds: Any
    places: Any
    tiles_present: Any
    sections: frozenset[str]


def can_be_sampled(question: Question, rulesets: Sequence[Ruleset]) -> bool:
    """Whether the sections of one table and its scoring cards are all that is drawn, of all."""
    first = rulesets[0]
    parts, scoring = first.parts, scoring_cards(first)
    return (
        question.setup == RANDOM
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
        places = numpy.concatenate(
            [
                placed[orientation]
                for placed, orientation in zip(self._places, orientations, strict=True)
            ],
            axis=1,
        )
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
