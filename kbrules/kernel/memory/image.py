"""The image of a table: a row of numbers, and what all tables of a shape share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from kbrules.game.board import Board, cards_beside
from kbrules.game.view import View
from kbrules.hex.grid import Grid, Symmetry
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.memory.cells import Cells, ConfiguredGame, Numbers
from kbrules.kernel.memory.states import StateEncoder, where_cards_are
from kbrules.kernel.runtime.names import MAX_COUNTS
from kbrules.lang.typed import Sort

MAX_CACHED = 16
"""How many shapes of tables are cached."""


class MemoryShape(NamedTuple):
    """What tables of one grid and number of players share: the head of a memory, the state in
    which games begin, and the sets of groups, which lie behind everything else."""

    head: Numbers
    state: Numbers
    groups: Numbers


class TableImage(NamedTuple):
    """One table: what it shares with others of its shape, and the row that a kernel lays."""

    shape: MemoryShape
    row: Numbers


class MemoryImage:
    """What a kernel is given of one table after another.

    What tables have in common is worked out once.
    """

    def __init__(self, lowered: KernelText, cells: Cells) -> None:
        self._lowered, self._layout, self._cells = lowered, lowered.layout, cells
        self._shapes: dict[Any, MemoryShape] = {}
        self.start = self._layout["SAVES"] + MAX_COUNTS["SAVE"] * self._layout["SAVE_SIZE"]
        """Where the state lies in which games begin."""
        self.lay = self._layout["LOAD_TABLE"]
        """What a kernel is called with to lay a table."""

    def blank(self) -> Numbers:
        """A memory that knows the rules and no table yet."""
        memory = self._cells.zeros(self._layout.end)
        blocks, plan = self._lowered.blocks, self._lowered.plan
        begun = [plan.required_by_block.get(path) for path in blocks.paths]
        self._put(memory, "BEGUN", [-1 if each is None else int(each) for each in begun])
        self._put(memory, "FIRST_STEP", blocks.first_step)
        self._put(memory, "LENGTHS", [len(statements) for statements in blocks.statements])
        self._put(memory, "KIND_OF", [self._layout[kind] for kind in self._lowered.kinds])
        return memory

    def table_image(self, game: ConfiguredGame) -> TableImage:
        """The table of a game."""
        return TableImage(self.shape(game), self.row(game.board, game.cards))

    def row(self, board: Board, in_play: Iterable[str]) -> Numbers:
        """The row by which a kernel lays a board with some cards; see `runtime/rows.py`."""
        cells, catalog = self._cells, board.catalog
        here = [catalog.cards.index(card) for card in in_play]
        cards = where_cards_are(len(catalog.cards), here, cards_beside(catalog, here), ())
        tiles = [number for hex in board.places for number in (hex, board.tiles[hex])]
        row = cells.of_sets(board.kinds)
        row += cells.numbers([*cards, len(board.places), *tiles])
        return row

    def shape(self, game: ConfiguredGame) -> MemoryShape:
        """What all tables like that of a game share."""
        key = game.board.grid, game.board.sectors, game.players
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MAX_CACHED:
                self._shapes.clear()
            found = self._shapes[key] = self._shape(game)
        return found

    def _shape(self, game: ConfiguredGame) -> MemoryShape:
        head = self._grid(game.board.grid)
        self._put(head, "PLAYERS", [game.players])
        catalog = game.ruleset.catalog
        self._put(head, "SHOWS", self._shows(game))
        self._put(head, "SIZES", [piece.size for piece in catalog.pieces])
        self._put(head, "SUPPLIES", [piece.supply for piece in catalog.pieces])
        self._put(head, "NEUTRALS", [piece.neutral for piece in catalog.pieces])
        self._put(head, "EACH", [tile.each for tile in catalog.tiles])
        parts = {part.name for part in game.board.grid.parts}
        beside = [grid.id for grid in catalog.grids]
        masks = [game.board.grid.part(id) if id in parts else 0 for id in beside]
        self._put_cells(head, "GRIDS", self._cells.of_sets(masks))
        groups = self._of_grid(head, game)
        return MemoryShape(head, self._first(game), groups)

    def _first(self, game: ConfiguredGame) -> Numbers:
        """The state before set-up, but for the tiles on the board."""
        layout = self._layout
        state = StateEncoder(self._lowered, game, self._cells, lambda at: 0).encode(game.empty())
        for name, size in (("STOCKED", layout.width), ("STOCK", layout.places)):
            at = layout[name] - layout["STATE"]
            state[at : at + size] = self._cells.zeros(size)
        return state

    def _put(self, numbers: Numbers, name: str, values: Iterable[int]) -> None:
        self._put_cells(numbers, name, self._cells.numbers(values))

    def _put_cells(self, numbers: Numbers, name: str, cells: Numbers) -> None:
        start = self._layout[name]
        numbers[start : start + len(cells)] = cells

    def _grid(self, grid: Grid) -> Numbers:
        layout, cells = self._layout, self._cells
        head = cells.zeros(layout["BEGUN"])
        self._put_cells(head, "FULL", cells.of_set(grid.full))
        self._put_cells(head, "WITH_HOLES", cells.of_set(grid.filled))
        self._put(head, "PART_COUNT", [len(grid.parts)])
        self._put(head, "TRACED", [-1])
        self._put(head, "AXIAL", _axial(grid, layout.hexes))
        for which, table in zip(Symmetry, grid.symmetry_tables(), strict=True):
            self._put(head, which.name, [table.get(hex, -1) for hex in range(layout.hexes)])
        self._put(head, "PLACE_AT", [-1] * layout.hexes)
        return head

    def _shows(self, game: ConfiguredGame) -> Numbers:
        """For each card of the deck its terrains, behind room for those that are on the board."""
        half = self._layout["SHOWS_SIZE"] // 2
        rows = []
        for card in game.ruleset.catalog.deck:
            unused = [0] * (half - 1 - len(card.terrains))
            rows.append([*[0] * half, len(card.terrains), *card.terrains, *unused])
        return self._cells.numbers(number for row in rows for number in row)

    def _of_grid(self, head: Numbers, game: ConfiguredGame) -> Numbers:
        """What the rules ask of the shape of a table, by the code of the words; the groups."""
        view = View(game.board, game.empty(), 0, self._lowered.plan, {})
        groups = self._cells.zeros(0)
        for name, (sort, node) in self._lowered.grid_values.items():
            value = node.value(view)
            if sort is Sort.GROUPS:
                self._put(head, name, [self._layout.end + len(groups), len(value)])
                groups += self._cells.of_sets(value)
            else:
                self._put_cells(head, name, self._cells.of_set(value))
        return groups


def _axial(grid: Grid, hexes: int) -> list[int]:
    """Of each hex its part, row, slant and fall; -1 where there is none."""
    found = [-1] * (4 * hexes)
    names = [part.name for part in grid.parts]
    for hex in range(grid.full.bit_length()):
        if grid.full >> hex & 1:
            part, row, column = grid.address(hex)
            slant = column - row // 2
            found[4 * hex : 4 * hex + 4] = names.index(part), row, slant, row + slant
    return found
