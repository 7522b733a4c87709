"""The memory of a kernel filled for one game: what its board and its table fix."""

from __future__ import annotations

from typing import Any

from kbrules.compile.native.plain import Memory, store
from kbrules.engine.game import Game
from kbrules.engine.native.layout import MOST, Layout
from kbrules.engine.native.lowering import Lowered
from kbrules.engine.native.refused import NotLowered
from kbrules.game.view import View
from kbrules.hex.walks import landings
from kbrules.lang.sorts import Sort


class Image:
    """A memory in the making."""

    def __init__(self, lowered: Lowered, game: Game) -> None:
        self._lowered = lowered
        self._layout: Layout = lowered.layout
        self._game = game
        self.memory = Memory([0]) * 0
        self.memory = Memory([0] * self._layout.end)
        self.memory.width = self._layout.width

    def filled(self) -> Memory:
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

    def _put(self, name: str, values: Any, at: int = 0) -> None:
        start = self._layout[name] + at
        for i, value in enumerate(values):
            self.memory[start + i] = value

    def _set(self, name: str, mask: int, at: int = 0) -> None:
        store(self.memory, self._layout[name] + at, mask)

    def _grid(self) -> None:
        grid, width = self._game.board.grid, self._layout.width
        self._set("FULL", grid.full)
        self._set("WITH_HOLES", grid._with_holes)
        parts = {part.name: number for number, part in enumerate(grid.parts)}
        self._put("PART_COUNT", [len(parts)])
        self._put("AXIAL", [-1] * (4 * 64 * width))
        for hex, (part, row, column) in grid._addresses.items():
            slant = column - row // 2
            self._put("AXIAL", (parts[part], row, slant, row + slant), 4 * hex)
        table = landings(grid.full, grid._axes)
        for name, steps in self._lowered.landings.items():
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
            self._put("PLACE_HEX", [hex], place)
            self._put("PLACE_KIND", [board.tiles[hex]], place)
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
        self._put("NEUTRALS", [int(piece.neutral) for piece in pieces])
        self._put("PLAYERS", [self._game.players])
        for card in self._game._card_indexes:
            self._put("IN_PLAY", [1], card)

    def _fixed(self) -> None:
        """What the rules ask of the board, asked of the reference evaluator."""
        game = self._game
        view = View(game.board, game.empty(), 0, self._lowered.program, {})
        evaluate = game.ruleset.evaluate
        for name, call in self._lowered.fixed.items():
            value = evaluate.linked(call).value(view)
            if call.sort is Sort.HEXES:
                self._set(name, value)
            elif call.sort is Sort.GROUPS:
                self._put(name, [len(self.memory), len(value)])
                self._groups(value)
            elif call.sort is Sort.RANGE:
                self._put(name, value)
            else:
                self._put(name, [int(value)])

    def _groups(self, groups: tuple[int, ...]) -> None:
        width = self._layout.width
        start = len(self.memory)
        self.memory += [0] * (width * len(groups))
        for number, group in enumerate(groups):
            store(self.memory, start + number * width, group)

    def _rules(self) -> None:
        blocks, program = self._lowered.blocks, self._lowered.program
        begun = [program._begun.get(path) for path in blocks.paths]
        self._put("BEGUN", [-1 if each is None else int(each) for each in begun])
        self._put("FIRST_STEP", blocks.first_step)
        self._put("LENGTHS", [len(doings) for doings in blocks.doings])
        self._put("KIND_OF", [self._layout[kind] for kind in self._lowered.kinds])

    def _state(self) -> None:
        draft, layout = self._game.empty(), self._layout
        for player, seat in enumerate(draft.seats):
            self._put("SEATS", seat.supply, player * layout["SEAT"] + layout["SUPPLY"])
        places = zip(self._game.board.places, draft.stock, strict=True)
        self._set("STOCKED", sum(1 << hex for hex, tiles in places if tiles))
        self._put("STOCK", [len(tiles) for tiles in draft.stock])
        for zone, pile in enumerate(draft.piles):
            self._put("PILES", pile, zone * len(pile))
        for name in ("REVEALED", "CHOICE"):
            self._put(name, [-1])
