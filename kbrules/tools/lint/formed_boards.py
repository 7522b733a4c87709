"""The boards that the loaded sections can form. It loads the engine, so lints load it late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from math import perm, prod

from kbrules.engine.game import Game
from kbrules.engine.setup import board_of, choose_table, sections_of
from kbrules.game.board import Board
from kbrules.game.view import View
from kbrules.library.boards import tables
from kbrules.library.ruleset import Ruleset
from kbrules.tools.lint.subject import never_cancelled

# The boards that the loaded sections can form: all of them if they are few, else a sample.

MAX_BOARDS = 400
"""So many boards are all examined; of more, or where tiles are drawn, a sample is."""


class Boards:
    """Boards of a rule set, each as the first player sees it with nothing on it.

    samples: how many are drawn if there are too many. `claim` says what holds of what holds on
    all of them.
    """

    def __init__(
        self, ruleset: Ruleset, samples: int, check_cancelled: Callable[[], None] = never_cancelled
    ) -> None:
        self._ruleset = ruleset
        self._is_all = not tables.has_pools(ruleset.catalog) and self._board_count() <= MAX_BOARDS
        fewest = max(1, ruleset.parts.players[0])
        drawn = (choose_table(ruleset, fewest, seed) for seed in range(samples))
        boards = (
            self._every_board() if self._is_all else (board_of(ruleset, each) for each in drawn)
        )
        self.views: list[View] = []
        for board in boards:
            check_cancelled()
            game = Game(ruleset, board, fewest)
            self.views.append(game.view(game.empty(), 0, {}))

    @property
    def claim(self) -> str:
        """How sure it is what holds on these boards."""
        return "exact" if self._is_all else f"sampled {len(self.views)}"

    @property
    def description(self) -> str:
        """The boards in words."""
        number = len(self.views)
        if self._is_all:
            return "the only board" if number == 1 else f"all {number} boards there can be"
        return f"{number} boards"

    def _section_sets(self) -> list[list[str]]:
        """The sections that may lie on one table."""
        sets = self._ruleset.parts.section_sets
        return [sorted(each) for each in sets.values()] or [sections_of(self._ruleset, "")]

    def _orientations(self) -> tuple[bool, ...]:
        return (False, True) if tables.can_turn(self._ruleset.parts.section_size) else (False,)

    def _grids(self) -> list[list[tuple[str, str]]]:
        grids = sorted(grid.id for grid in self._ruleset.catalog.grids)
        return [[(grid, id) for id in sections_of(self._ruleset, grid)] for grid in grids]

    def _board_count(self) -> int:
        rows, columns = self._ruleset.parts.table
        positions = rows * columns
        placings = sum(perm(len(each), positions) for each in self._section_sets())
        drawn = placings * int(len(self._orientations()) ** positions)
        return (drawn + len(self._setup_layouts())) * prod(map(len, self._grids()))

    def _setup_layouts(self) -> list[tables.Layout]:
        """The tables that set-ups lay: of any shape, and of sections from several sets."""
        parts = self._ruleset.parts
        layouts = (setup.layout for setup in parts.setups.values())
        return [
            each for each in layouts if each is not None and not tables.why_not_laid(parts, each)
        ]

    def _layouts(self) -> Iterator[tables.Layout]:
        """Every table once, those of set-ups with whatever lies beside them."""
        shapes = dict.fromkeys((*self._tables(), *(each.rows for each in self._setup_layouts())))
        for table, grids in product(shapes, product(*self._grids())):
            yield tables.Layout(table, grids)

    def _tables(self) -> Iterator[tuple[tuple[tuple[str, bool], ...], ...]]:
        rows, columns = self._ruleset.parts.table
        positions = rows * columns
        for sections in self._section_sets():
            for chosen in permutations(sections, positions):
                for turns in product(self._orientations(), repeat=positions):
                    pairs = list(zip(chosen, turns, strict=True))
                    yield tuple(tuple(pairs[i * columns : (i + 1) * columns]) for i in range(rows))

    def _every_board(self) -> Iterator[Board]:
        parts = self._ruleset.parts
        for layout in self._layouts():
            if not tables.why_incomplete(parts, layout):
                yield tables.lay_table(self._ruleset.catalog, parts, layout)
