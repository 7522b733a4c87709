"""The memory of a kernel filled for one game: what its board and its table fix."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from kbrules.engine.game import Game
from kbrules.engine.native.layout import MOST, Layout
from kbrules.engine.native.lowering import Lowered
from kbrules.engine.native.positions import Positions
from kbrules.engine.native.refused import NotLowered
from kbrules.game.view import View
from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask
from kbrules.hex.walks import landings
from kbrules.lang.sorts import Sort


class Image:
    """A memory in the making."""

    def __init__(self, lowered: Lowered, game: Game) -> None:
        self._lowered = lowered
        self._layout: Layout = lowered.layout
        self._game = game
        self.memory = array("q", bytes(8 * self._layout.end))

    def filled(self) -> array[int]:
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
        start, numbers = self._layout[name] + at, array("q", values)
        self.memory[start : start + len(numbers)] = numbers

    def _set(self, name: str, mask: Mask, at: int = 0) -> None:
        start, width = self._layout[name] + at, self._layout.width
        self.memory[start : start + width] = _numbers(mask, width)

    def _grid(self) -> None:
        grid, width = self._game.board.grid, self._layout.width
        self._set("FULL", grid.full)
        self._set("WITH_HOLES", grid.filled)
        self._put("PART_COUNT", [len(grid.parts)])
        self._put("AXIAL", _axial(grid, 64 * width))
        for name, steps in self._lowered.landings.items():
            table = landings(grid.full, (1, grid.stride, grid.stride - 1))
            for axis, jump in enumerate(table[steps - 1] if steps <= len(table) else ()):
                self._set(name, jump.forward, 2 * axis * width)
                self._set(name, jump.backward, (2 * axis + 1) * width)

    def _board(self) -> None:
        board, layout = self._game.board, self._layout
        if len(board.places) > MOST["PLACES"]:
            raise NotLowered(f"more than {MOST['PLACES']} places with tiles")
        for kind, mask in enumerate(board.kinds):
            self._set("KINDS", mask, kind * layout.width)
        self._put("PLACES", [len(board.places)])
        self._put("PLACE_AT", [-1] * (64 * layout.width))
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
                    self.memory += _numbers(group, self._layout.width)
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
        positions = Positions(self._lowered, self._game, self.memory.__getitem__)
        empty = positions.written(self._game.empty())
        start = self._layout["STATE"]
        self.memory[start : start + len(empty)] = empty


def _numbers(mask: Mask, width: int) -> array[int]:
    return array("q", mask.to_bytes(8 * width, "little"))


_AXIAL: dict[tuple[Grid, int], array[int]] = {}
"""The few grids there are; of each hex its part, row, slant and fall."""


def _axial(grid: Grid, hexes: int) -> array[int]:
    found = _AXIAL.get((grid, hexes))
    if found is None:
        found = array("q", [-1] * (4 * hexes))
        names = [part.name for part in grid.parts]
        for hex in range(grid.full.bit_length()):
            if grid.full >> hex & 1:
                part, row, column = grid.place(hex)
                slant = column - row // 2
                spot = (names.index(part), row, slant, row + slant)
                found[4 * hex : 4 * hex + 4] = array("q", spot)
        if len(_AXIAL) > 16:
            _AXIAL.clear()
        _AXIAL[grid, hexes] = found
    return found
