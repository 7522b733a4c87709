"""The memory of a kernel filled for one game: what its board and its table fix."""

from __future__ import annotations

from collections.abc import Iterable

from kbrules.game.view import View
from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask
from kbrules.kernel.lowering.rules import Lowered
from kbrules.kernel.memory.cells import Cells, Numbers
from kbrules.kernel.memory.configured import Configured
from kbrules.kernel.memory.layout import MOST, Layout
from kbrules.kernel.memory.positions import Positions
from kbrules.lang.sorts import Sort


class Image:
    """A memory in the making."""

    def __init__(self, lowered: Lowered, game: Configured, cells: Cells) -> None:
        self._lowered, self._cells = lowered, cells
        self._layout: Layout = lowered.layout
        self._game = game
        self.memory = cells.zeros(self._layout.end)

    def filled(self) -> Numbers:
        """The memory before the first game."""
        self._grid()
        self._board()
        self._things()
        self._fixed()
        self._rules()
        self._state()
        layout = self._layout
        start = layout["SAVES"] + MOST["SAVE"] * layout["SAVE_SIZE"]
        size = layout["FRAMES"] - layout["STATE"]
        self.memory[start : start + size] = self.memory[layout["STATE"] : layout["FRAMES"]]
        return self.memory

    def _put(self, name: str, values: Iterable[int], at: int = 0) -> None:
        start, numbers = self._layout[name] + at, self._cells.numbers(values)
        self.memory[start : start + len(numbers)] = numbers

    def _set(self, name: str, mask: Mask, at: int = 0) -> None:
        start, width = self._layout[name] + at, self._layout.width
        self.memory[start : start + width] = self._cells.of_set(mask)

    def _grid(self) -> None:
        grid = self._game.board.grid
        self._set("FULL", grid.full)
        self._set("WITH_HOLES", grid.filled)
        self._put("PART_COUNT", [len(grid.parts)])
        self._put("AXIAL", _axial(grid, self._layout.hexes))

    def _board(self) -> None:
        board, layout = self._game.board, self._layout
        for kind, mask in enumerate(board.kinds):
            self._set("KINDS", mask, kind * layout.width)
        self._put("PLACES", [len(board.places)])
        self._put("PLACE_AT", [-1] * layout.hexes)
        for place, hex in enumerate(board.places):
            self._put("PLACE_AT", [place], hex)
        self._put("PLACE_HEX", board.places)
        self._put("PLACE_KIND", [board.tiles[hex] for hex in board.places])
        size = layout["SHOWS_SIZE"]
        for card, shown in enumerate(board.shows):
            every = board.catalog.deck[card].terrains
            self._put("SHOWS", [len(shown), *shown], card * size)
            self._put("SHOWS", [len(every), *every], card * size + size // 2)
        self._put("SOLE", board.sole)

    def _things(self) -> None:
        pieces = self._game.ruleset.catalog.pieces
        self._put("SIZES", [piece.size for piece in pieces])
        self._put("SUPPLIES", [piece.supply for piece in pieces])
        self._put("NEUTRALS", [piece.neutral for piece in pieces])
        self._put("PLAYERS", [self._game.players])
        cards = self._game.ruleset.catalog.cards
        self._put("IN_PLAY", [card in self._game.cards for card in cards])

    def _fixed(self) -> None:
        """What the rules ask of the board, asked of the reference evaluator."""
        game = self._game
        view = View(game.board, game.empty(), 0, self._lowered.program, {})
        for name, (sort, node) in self._lowered.fixed.items():
            value = node.value(view)
            if sort is Sort.HEXES:
                self._set(name, value)
            elif sort is Sort.GROUPS:
                self._put(name, [len(self.memory), len(value)])
                for group in value:
                    self.memory += self._cells.of_set(group)
            else:
                self._put(name, value if sort is Sort.RANGE else [int(value)])

    def _rules(self) -> None:
        blocks, program = self._lowered.blocks, self._lowered.program
        begun = [program.under_way.get(path) for path in blocks.paths]
        self._put("BEGUN", [-1 if each is None else int(each) for each in begun])
        self._put("FIRST_STEP", blocks.first_step)
        self._put("LENGTHS", [len(doings) for doings in blocks.doings])
        self._put("KIND_OF", [self._layout[kind] for kind in self._lowered.kinds])

    def _state(self) -> None:
        """The table before set-up."""
        positions = Positions(self._lowered, self._game, self._cells, self.memory.__getitem__)
        empty = positions.written(self._game.empty())
        start = self._layout["STATE"]
        self.memory[start : start + len(empty)] = empty


_AXIAL: dict[tuple[Grid, int], list[int]] = {}
"""The few grids there are; of each hex its part, row, slant and fall."""


def _axial(grid: Grid, hexes: int) -> list[int]:
    found = _AXIAL.get((grid, hexes))
    if found is None:
        found = [-1] * (4 * hexes)
        names = [part.name for part in grid.parts]
        for hex in range(grid.full.bit_length()):
            if grid.full >> hex & 1:
                part, row, column = grid.place(hex)
                slant = column - row // 2
                spot = (names.index(part), row, slant, row + slant)
                found[4 * hex : 4 * hex + 4] = spot
        if len(_AXIAL) > 16:
            _AXIAL.clear()
        _AXIAL[grid, hexes] = found
    return found
