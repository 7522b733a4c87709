"""What the native kernel is told of the views of a table: sizes of rows, and where what goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import prod

from kbrules.envs.actions import ActionKind, Actions
from kbrules.envs.features import Features
from kbrules.game.board import Board
from kbrules.kernel.lowering.kernel_text import KernelText

Slots = tuple[tuple[str, int], ...]
"""The names of memories, with their slots."""

NO_CODE = 255 << 16
"""The code of a move that a kernel cannot offer at all."""


class ViewHead:
    """The head of the views of one table.

    numbers: the head: its fields, then its lists and tables. size: how many numbers a player sees;
    planes_size, mask_size: of a row of bytes, in numbers of eight bytes each. codes: of each kind
    of action, as the kernel takes it, without the hex.
    """

    def __init__(
        self, lowered: KernelText, features: Features, actions: Actions, board: Board
    ) -> None:
        self._layout, self._features = lowered.layout, features
        self.size = len(features.numbers)
        self.planes_size, self.mask_size = -(-prod(features.shape) // 8), -(-len(actions) // 8)
        self.codes = [*_codes(lowered, actions)]
        cells = {hex: features.cell_number(hex) for hex in actions.hexes}
        kinds, rules = _kinds(lowered, actions)
        fields = {
            "VIEW_SIZE": self.size,
            "VIEW_PLANES_SIZE": self.planes_size,
            "VIEW_MASK_SIZE": self.mask_size,
            "VIEW_CHOSEN": self._byte("chosen"),
            "VIEW_LEGAL": self._byte("legal"),
            "VIEW_RULES": rules,
        }
        tables = {
            "VIEW_KINDS": kinds,
            "VIEW_CELLS": self._by_hex(cells),
            "VIEW_PLACES": self._by_hex({hex: at for at, hex in enumerate(actions.hexes)}),
            "VIEW_TILES": [*self._tiles(board, cells)],
            "VIEW_SUPPLIES": _list(zip(self._supplies())),
            "VIEW_SEAT_NUMBERS": _list(zip(self._numbers(features.of_seat.numbers))),
            "VIEW_TABLE_NUMBERS": _list(zip(self._numbers(features.of_table.numbers))),
            "VIEW_SEAT_SETS": _list(self._seat_sets()),
            "VIEW_TABLE_SETS": _list(self._table_sets()),
        }
        self.numbers = self._joined(fields, tables)

    def _joined(self, fields: dict[str, int], tables: dict[str, list[int]]) -> list[int]:
        """The head: its fields, of tables where they begin, then the tables."""
        end = len(fields) + len(tables) + 1
        for name, numbers in tables.items():
            fields[name] = end
            end += len(numbers)
        fields["VIEW_HEAD"] = end
        ordered = sorted(fields, key=lambda name: self._layout[name])
        return [*(fields[name] for name in ordered), *chain(*tables.values())]

    def _by_hex(self, numbers: Mapping[int, int]) -> list[int]:
        """A number for each bit of a set; 0 where there is no hex."""
        return [numbers.get(bit, 0) for bit in range(64 * self._layout["W"])]

    def _byte(self, plane: str) -> int:
        """The first byte of a plane."""
        return self._features.plane(plane) * self._features.rows * self._features.columns

    def _tiles(self, board: Board, cells: Mapping[int, int]) -> Iterator[int]:
        """The byte in which the tiles of each place are counted."""
        for hex in board.places:
            tile = self._features.catalog.tiles[board.tiles[hex]]
            yield self._byte(f"tiles {tile.id}") + cells[hex]

    def _numbers(self, memories: Slots) -> Iterator[int]:
        """Where some numbers that the rules remember lie."""
        return (self._layout[f"MEMORY_{slot}"] for _, slot in memories)

    def _supplies(self) -> Iterator[int]:
        """Where the supply of each piece lies in a seat."""
        return (self._layout["SUPPLY"] + piece for piece in self._features.own_pieces)

    def _sets(self, part: str, pieces: list[int], memories: Slots) -> Iterator[tuple[str, int]]:
        """The names of sets, and where they lie: those of pieces in a part of the memory."""
        for piece in pieces:
            at = self._layout[part] + piece * self._layout["W"]
            yield f"piece {self._features.catalog.pieces[piece].id}", at
        for name, slot in memories:
            yield f"memory {name}", self._layout[f"MEMORY_{slot}"]

    def _seat_sets(self) -> Iterator[tuple[int, int, int]]:
        """Of each set of a seat where it lies, its first byte, and how far that of the next is."""
        features = self._features
        for name, at in self._sets("PIECES", features.own_pieces, features.of_seat.sets):
            first = self._byte(f"seat 0 {name}")
            further = self._byte(f"seat 1 {name}") - first if features.players > 1 else 0
            yield at, first, further

    def _table_sets(self) -> Iterator[tuple[int, int]]:
        """Of each set of the table where it lies, and its first byte."""
        features = self._features
        for name, at in self._sets("NEUTRAL", features.neutral_pieces, features.of_table.sets):
            yield at, self._byte(name)


def _list(entries: Iterable[tuple[int, ...]]) -> list[int]:
    """How many entries there are, then their numbers."""
    found = [*entries]
    return [len(found), *chain(*found)]


def _kinds(lowered: KernelText, actions: Actions) -> tuple[list[int], int]:
    """For each verb and rule of a kernel its first action, 0 for none; how many rules."""
    firsts = {}
    for kind, (verb, rule, has_hex) in enumerate(actions.kinds):
        firsts[verb, rule] = actions.join(kind, 0 if has_hex else len(actions.hexes))
    rules = [*lowered.strings.rules, *(kind.id for kind in lowered.plan.ruleset.catalog.hexes)]
    verbs = lowered.strings.verbs
    return [firsts.get((verb, rule), 0) for verb in verbs for rule in rules], len(rules)


def _codes(lowered: KernelText, actions: Actions) -> Iterator[int]:
    """The code of each kind of action without its hex."""
    hexes = lowered.plan.ruleset.catalog.hexes
    verbs = {verb: number for number, verb in enumerate(lowered.strings.verbs)}
    rules = {rule: number for number, rule in enumerate(lowered.strings.rules)}
    terrains = {kind.id: len(rules) + number for number, kind in enumerate(hexes)}
    for kind in actions.kinds:
        yield _code(kind, verbs, terrains if kind.verb == "choose" else rules)


def _code(kind: ActionKind, verbs: dict[str, int], rules: dict[str, int]) -> int:
    if kind.verb not in verbs or kind.rule not in rules:
        return NO_CODE
    return verbs[kind.verb] << 16 | rules[kind.rule] << 24
