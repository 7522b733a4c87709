"""Where the native kernel writes what a player sees: the head of a view, and how to read a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from math import prod
from typing import NamedTuple

from kbrules.envs.actions import ActionKind, Actions
from kbrules.envs.features import Features
from kbrules.game.board import Board
from kbrules.kernel.lowering.kernel_text import KernelText

__all__ = ["NO_CODE", "ViewHead"]

NO_CODE = 255 << 16
"""The code of a move that a kernel cannot offer at all."""
FIRST = 2
"""A row begins with who looks, and whether that player decides."""


class Part(NamedTuple):
    """A part of the kernel's memory that is copied: its name here, where it lies, its size."""

    name: str
    at: int
    size: int


class ViewHead:
    """The head of the views of one table, and where things lie in a row behind it.

    numbers: the head. size: of a row of numbers; planes_size, mask_size: of a row of bytes, in
    numbers of eight bytes each. at: where each part of the table begins in a row; in_seat: where
    each part of a seat begins in it, the first seat at `seats`, each of `seat_size` numbers. sets:
    where the set of the hex chosen before lies, then that of all legal hexes.
    """

    def __init__(
        self, lowered: KernelText, features: Features, actions: Actions, board: Board
    ) -> None:
        self._layout, self._features = lowered.layout, features
        self.width = lowered.layout["W"]
        table, seat = [*self._table(len(board.places))], [*self._seat()]
        cards, tiles = len(features.catalog.deck), len(features.catalog.tiles)
        self.at, end = _placed(table, FIRST)
        self.at |= {"SHOWN": end, "ASIDE": end + cards}
        self.seats = end + 2 * cards
        self.in_seat, self.seat_size = _placed(seat, cards + 2 * tiles)
        self.in_seat |= {"HAND": 0, "READY": cards, "IN ALL": cards + tiles}
        self.sets = self.seats + features.players * self.seat_size
        self.size = self.sets + 2 * self.width
        self.planes_size, self.mask_size = -(-prod(features.shape) // 8), -(-len(actions) // 8)
        self.codes = [*_codes(lowered, actions)]
        kinds, rules = _kinds(lowered, actions)
        sets = self._sets()
        tables = {
            "VIEW_PARTS": [number for part in (*table, *seat) for number in (part.at, part.size)],
            "VIEW_KINDS": kinds,
            "VIEW_CELLS": self._by_hex(features.byte_of),
            "VIEW_PLACES": self._by_hex({hex: at for at, hex in enumerate(actions.hexes)}),
            "VIEW_TILES": [features.byte_of_tiles(board, hex) for hex in board.places],
            "VIEW_PLANES": [number for pair in sets for number in pair],
        }
        sizes = {
            "VIEW_SIZE": self.size, "VIEW_PLANES_SIZE": self.planes_size,
            "VIEW_MASK_SIZE": self.mask_size, "VIEW_TABLE_PARTS": len(table),
            "VIEW_SEAT_PARTS": len(seat), "VIEW_SETS": self.sets, "VIEW_RULES": rules,
            "VIEW_PLANE_COUNT": len(sets),
        }  # fmt: skip
        self.numbers = self._joined(sizes, tables)

    def _joined(self, sizes: dict[str, int], tables: dict[str, list[int]]) -> list[int]:
        """The head: its fields, of tables where they begin, then the tables."""
        fields, end = dict(sizes), self._layout["VIEW_PARTS"]
        for name, numbers in tables.items():
            fields[name] = end
            end += len(numbers)
        del fields["VIEW_PARTS"]
        fields["VIEW_HEAD"] = end
        ordered = sorted(fields, key=lambda name: self._layout[name])
        return [*(fields[name] for name in ordered), *chain(*tables.values())]

    def _by_hex(self, numbers: Mapping[int, int]) -> list[int]:
        """A number for each bit of a set; 0 where there is no hex."""
        return [numbers.get(bit, 0) for bit in range(64 * self.width)]

    def _table(self, places: int) -> Iterator[Part]:
        layout, features, width = self._layout, self._features, self.width
        catalog = features.catalog
        for name in ("ACTIVE", "STAGE", "INDEX", "ENDING", "REVEALED", "CHOICE"):
            yield Part(name, layout[name], 1)
        yield Part("PILES", layout["PILES"], 3 * len(catalog.deck))
        yield Part("IN_PLAY", layout["IN_PLAY"], len(catalog.cards))
        yield Part("STOCK", layout["STOCK"], places)
        for name, slot in features.of_table.numbers:
            yield Part(f"memory {name}", layout[f"MEMORY_{slot}"], 1)
        for piece in features.neutral_pieces:
            yield Part(f"piece {piece}", layout["NEUTRAL"] + piece * width, width)
        for name, slot in features.of_table.sets:
            yield Part(f"memory {name}", layout[f"MEMORY_{slot}"], width)

    def _seat(self) -> Iterator[Part]:
        layout, features, width = self._layout, self._features, self.width
        yield Part("GOLD", layout["GOLD"], 1)
        for piece in features.own_pieces:
            yield Part(f"supply {piece}", layout["SUPPLY"] + piece, 1)
        for name, slot in features.of_seat.numbers:
            yield Part(f"memory {name}", layout[f"MEMORY_{slot}"], 1)
        for piece in features.own_pieces:
            yield Part(f"piece {piece}", layout["PIECES"] + piece * width, width)
        for name, slot in features.of_seat.sets:
            yield Part(f"memory {name}", layout[f"MEMORY_{slot}"], width)

    def _sets(self) -> list[tuple[int, int]]:
        """Of the planes behind those of tiles: where the set lies in a row, and its first byte."""
        features = self._features
        seats = [self.seats + seat * self.seat_size for seat in range(features.players)]
        own, remembered = features.own_pieces, [name for name, _ in features.of_seat.sets]
        found = [
            *(seat + self.in_seat[f"piece {piece}"] for seat in seats for piece in own),
            *(self.at[f"piece {piece}"] for piece in features.neutral_pieces),
            *(seat + self.in_seat[f"memory {name}"] for seat in seats for name in remembered),
            *(self.at[f"memory {name}"] for name, _ in features.of_table.sets),
            self.sets,
            self.sets + self.width,
        ]
        first, cells = len(features.planes) - len(found), features.rows * features.columns
        return [(at, cells * plane) for plane, at in enumerate(found, first)]


def _placed(parts: list[Part], first: int) -> tuple[dict[str, int], int]:
    """Where each part begins if they follow one another, and where they end."""
    found = {}
    for part in parts:
        found[part.name] = first
        first += part.size
    return found, first


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
