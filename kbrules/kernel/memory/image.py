"""What a table fixes of the memory of a kernel: its board, the cards in play, the first state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from kbrules.game.view import View
from kbrules.hex.grid import Grid
from kbrules.kernel.lowering.rules import Lowered
from kbrules.kernel.memory.cells import Cells, Numbers
from kbrules.kernel.memory.configured import Configured
from kbrules.kernel.memory.layout import MOST
from kbrules.kernel.memory.positions import Positions
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort

__all__ = ["Image", "Laid"]

MOST_KEPT = 16
"""Grids, numbers of players and lists of terrains of which something is kept."""


class Laid(NamedTuple):
    """What one table fixes: the head of a memory, the state in which games begin, and the sets of
    fixed groups, which lie behind everything else."""

    head: Numbers
    state: Numbers
    groups: Numbers


class Image:
    """What a kernel writes into its memory for one table after another.

    What tables have in common is worked out once.
    """

    def __init__(self, lowered: Lowered, cells: Cells) -> None:
        self._lowered, self._layout, self._cells = lowered, lowered.layout, cells
        self._kept: dict[Any, Numbers] = {}
        self.start = self._layout["SAVES"] + MOST["SAVE"] * self._layout["SAVE_SIZE"]
        """Where the state lies in which games begin."""
        fixed = lowered.fixed.items()
        self._sets = self._runs([(name, node) for name, (s, node) in fixed if s is Sort.HEXES])
        self._others = [(name, s, node) for name, (s, node) in fixed if s is not Sort.HEXES]

    def _runs(self, sets: Iterable[tuple[str, Node]]) -> list[tuple[int, list[Node]]]:
        """Fixed sets that lie one behind the other, by where the first of them lies."""
        found: list[tuple[int, list[Node]]] = []
        for name, node in sets:
            at = self._layout[name]
            if found and at == found[-1][0] + len(found[-1][1]) * self._layout.width:
                found[-1][1].append(node)
            else:
                found.append((at, [node]))
        return found

    def blank(self) -> Numbers:
        """A memory that knows the rules and no table yet."""
        memory = self._cells.zeros(self._layout.end)
        blocks, program = self._lowered.blocks, self._lowered.program
        begun = [program.under_way.get(path) for path in blocks.paths]
        self._put(memory, "BEGUN", [-1 if each is None else int(each) for each in begun])
        self._put(memory, "FIRST_STEP", blocks.first_step)
        self._put(memory, "LENGTHS", [len(doings) for doings in blocks.doings])
        self._put(memory, "KIND_OF", [self._layout[kind] for kind in self._lowered.kinds])
        return memory

    def laid(self, game: Configured) -> Laid:
        """What the table of a game fixes."""
        grid = game.board.grid
        head = self._once(("grid", grid), lambda: self._grid(game))[:]
        self._board(head, game)
        self._put(head, "PLAYERS", [game.players])
        in_play = {*game.cards}
        cards = game.ruleset.catalog.cards
        self._put(head, "IN_PLAY", [card in in_play for card in cards])
        return Laid(head, self._state(game), self._fixed(head, game))

    def _once(self, key: Any, make: Callable[[], Numbers]) -> Numbers:
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = make()
        return found

    def _put(self, numbers: Numbers, name: str, values: Iterable[int], at: int = 0) -> None:
        start, cells = self._layout[name] + at, self._cells.numbers(values)
        numbers[start : start + len(cells)] = cells

    def _grid(self, game: Configured) -> Numbers:
        """The head of all tables that have a grid."""
        layout, cells, grid = self._layout, self._cells, game.board.grid
        head = cells.zeros(layout["BEGUN"])
        for name, mask in (("FULL", grid.full), ("WITH_HOLES", grid.filled)):
            head[layout[name] : layout[name] + layout.width] = cells.of_sets([mask])
        self._put(head, "PART_COUNT", [len(grid.parts)])
        self._put(head, "TRACED", [-1])
        self._put(head, "SCRATCH", [layout["SCRATCH_START"]])
        self._put(head, "AXIAL", _axial(grid, layout.hexes))
        self._put(head, "PLACE_AT", [-1] * layout.hexes)
        pieces = game.ruleset.catalog.pieces
        self._put(head, "SIZES", [piece.size for piece in pieces])
        self._put(head, "SUPPLIES", [piece.supply for piece in pieces])
        self._put(head, "NEUTRALS", [piece.neutral for piece in pieces])
        return head

    def _board(self, head: Numbers, game: Configured) -> None:
        board, layout = game.board, self._layout
        kinds = self._cells.of_sets(board.kinds)
        head[layout["KINDS"] : layout["KINDS"] + len(kinds)] = kinds
        place_at = layout["PLACE_AT"]
        for place, hex in enumerate(board.places):
            head[place_at + hex] = place
        head[layout["PLACES"]] = len(board.places)
        self._put(head, "PLACE_HEX", board.places)
        self._put(head, "PLACE_KIND", map(board.tiles.__getitem__, board.places))
        self._put(head, "SHOWS", self._once(board.shows, lambda: self._shows(game)))
        self._put(head, "SOLE", board.sole)

    def _shows(self, game: Configured) -> Numbers:
        """For each card of the deck its terrains that are on the board, then all of them."""
        half = self._layout["SHOWS_SIZE"] // 2
        deck = zip(game.board.shows, game.ruleset.catalog.deck, strict=True)
        lists = [each for shown, card in deck for each in (shown, card.terrains)]
        rows = ([len(each), *each, *[0] * (half - 1 - len(each))] for each in lists)
        return self._cells.numbers(number for row in rows for number in row)

    def _fixed(self, head: Numbers, game: Configured) -> Numbers:
        """What the rules ask of the board, asked of the reference evaluator; gives the groups."""
        layout, cells = self._layout, self._cells
        view = View(game.board, game.empty(), 0, self._lowered.program, {})
        groups = cells.zeros(0)
        for at, nodes in self._sets:
            sets = cells.of_sets([node.value(view) for node in nodes])
            head[at : at + len(sets)] = sets
        for name, sort, node in self._others:
            value = node.value(view)
            if sort is Sort.GROUPS:
                self._put(head, name, [layout.end + len(groups), len(value)])
                groups += cells.of_sets(value)
            else:
                self._put(head, name, value if sort is Sort.RANGE else [int(value)])
        return groups

    def _state(self, game: Configured) -> Numbers:
        """The table before set-up: the same for so many players, but for what lies on places."""
        layout, board = self._layout, game.board
        state = self._once(game.players, lambda: self._first(game))[:]
        tiles = game.ruleset.catalog.tiles
        stock = [tiles[board.tiles[hex]].each for hex in board.places]
        stocked = sum(1 << hex for hex, each in zip(board.places, stock, strict=True) if each)
        for name, numbers in (
            ("STOCKED", self._cells.of_sets([stocked])),
            ("STOCK", self._cells.numbers(stock + [0] * (layout.places - len(stock)))),
        ):
            at = layout[name] - layout["STATE"]
            state[at : at + len(numbers)] = numbers
        return state

    def _first(self, game: Configured) -> Numbers:
        positions = Positions(self._lowered, game, self._cells, lambda at: 0)
        return positions.written(game.empty())


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
        if len(_AXIAL) > MOST_KEPT:
            _AXIAL.clear()
        _AXIAL[grid, hexes] = found
    return found
