"""What an observation holds: named planes of the board and named numbers, in a fixed order.

Seats are counted from the viewer: 0 is who looks, 1 the next player, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kbrules.engine.configuration import GameLike, check_game
from kbrules.hex.sets import bits
from kbrules.kernel.states import STAGES
from kbrules.lang.syntax import tree
from kbrules.library.ruleset import Ruleset


class Feature(NamedTuple):
    """A plane or a number: its name, and what it says."""

    name: str
    meaning: str


class Memories(NamedTuple):
    """The memories of a table, or of a seat, by name with their slots: sets, and numbers."""

    sets: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, int], ...]


class Features:
    """The planes and numbers of a configuration, and where hexes lie on a plane.

    planes: of `rows` by `columns` cells each; odd rows lie half a hex to the right. The grids
    beside the table lie below it, each from an even row on. cells: the row and the column of each
    hex of the board, in board order; cell_of: by the bit index of the hex.
    """

    def __init__(self, game: GameLike) -> None:
        catalog, self.players = game.ruleset.catalog, game.players
        self.catalog, self.grid = catalog, game.board.grid
        self.own_pieces = [i for i, piece in enumerate(catalog.pieces) if not piece.neutral]
        self.neutral_pieces = [i for i, piece in enumerate(catalog.pieces) if piece.neutral]
        self.of_table, self.of_seat = memories_of(game.ruleset)
        self.rows, self.columns, tops = _extent(game)
        places = [self.grid.address(hex) for hex in bits(self.grid.full)]
        self.cells = [(tops[place.part] + place.row, place.column) for place in places]
        self.cell_of = dict(zip(bits(self.grid.full), self.cells, strict=True))
        self.planes = tuple(self._planes())
        self.numbers = tuple(self._numbers())
        self.shape = len(self.planes), self.rows, self.columns

    def plane(self, name: str) -> int:
        """The index of a plane; KeyError if there is none of this name."""
        return _index(self.planes, name)

    def number(self, name: str) -> int:
        """The index of a number; KeyError if there is none of this name."""
        return _index(self.numbers, name)

    def cell_number(self, hex: int) -> int:
        """The number of a hex's cell on a plane, row by row."""
        row, column = self.cell_of[hex]
        return row * self.columns + column

    def _planes(self) -> Iterator[Feature]:
        """The planes: first those that the board alone decides."""
        catalog = self.catalog
        yield Feature("board", "1 on every hex of the board")
        for kind in catalog.hexes:
            yield Feature(f"hex {kind.id}", "1 on the hexes of this kind")
        for tile in catalog.tiles:
            yield Feature(f"tiles {tile.id}", "how many of these tiles are left on a place")
        for seat in range(self.players):
            for piece in self.own_pieces:
                name = f"seat {seat} piece {catalog.pieces[piece].id}"
                yield Feature(name, "1 where the player has such a piece")
        for piece in self.neutral_pieces:
            yield Feature(f"piece {catalog.pieces[piece].id}", "1 where such a piece is")
        for seat in range(self.players):
            for name, _ in self.of_seat.sets:
                yield Feature(f"seat {seat} memory {name}", "the set that the rules remember")
        for name, _ in self.of_table.sets:
            yield Feature(f"memory {name}", "the set that the rules remember")
        yield Feature("chosen", "1 on the hex chosen before in the step under way")
        yield Feature("legal", "1 where the viewer may choose, if it is their decision")

    def _numbers(self) -> Iterator[Feature]:
        yield Feature("seat", "the number of the viewer's seat, from 0")
        yield Feature("decides", "1 if the viewer must decide now")
        yield Feature("active", "whose turn it is, counted from the viewer")
        yield Feature("stage", f"0 to {len(STAGES) - 1}: {', '.join(STAGES)}")
        yield Feature("turn", "the number of the turn, from 0; 0 outside of turns")
        yield Feature("round", "the number of the round, from 0; 0 outside of turns")
        yield Feature("ending", "1 if this is the last round")
        yield from self._cards()
        for seat in range(self.players):
            yield from self._of_seat(seat)
        for card in self.catalog.cards:
            yield Feature(f"card {card}", "1 if it counts now, 2 if it lies beside the table")
        for name, _ in self.of_table.numbers:
            yield Feature(f"memory {name}", "the number that the rules remember")

    def _cards(self) -> Iterator[Feature]:
        """What the viewer knows of the cards with terrains."""
        names = [self.catalog.card_name(card) for card in range(len(self.catalog.deck))]
        for zone, meaning in (
            ("shown", "face up and played in this turn"),
            ("aside", "face up and not chosen in this turn"),
            ("hand", "in the viewer's hand"),
            ("unseen", "in the deck or in the hands of others: which, nobody tells the viewer"),
            ("discards", "discarded"),
            ("removed", "out of the game"),
        ):
            yield from (Feature(f"{zone} {name}", f"cards {meaning}") for name in names)
        for name in names:
            yield Feature(f"revealed {name}", "1 if it was revealed last in this turn")
        for kind in self.catalog.hexes:
            yield Feature(f"choice {kind.id}", "1 if it is the terrain chosen of those shown")

    def _of_seat(self, seat: int) -> Iterator[Feature]:
        yield Feature(f"seat {seat} hand", "how many cards the player has in hand")
        yield Feature(f"seat {seat} gold", "gold got in play")
        for piece in self.own_pieces:
            name = self.catalog.pieces[piece].id
            yield Feature(f"seat {seat} supply {name}", "pieces left in the supply")
        for tile in self.catalog.tiles:
            yield Feature(f"seat {seat} ready {tile.id}", "tiles that may be used in this turn")
        for tile in self.catalog.tiles:
            yield Feature(f"seat {seat} held {tile.id}", "tiles that the player has, in all")
        for name, _ in self.of_seat.numbers:
            yield Feature(f"seat {seat} memory {name}", "the number that the rules remember")


def memories_of(ruleset: Ruleset) -> tuple[Memories, Memories]:
    """The memories of the table, and those of each seat."""
    declared = [each for each in ruleset.declarations if isinstance(each, tree.Memory)]
    sets = {each.name.text for each in declared if each.sort.text == "hexes"}
    found = []
    for of_table in (True, False):
        names = [
            (name, slot)
            for name, (scope, slot) in sorted(ruleset.memories.items())
            if (scope == "table") == of_table
        ]
        kept = tuple(pair for pair in names if pair[0] in sets)
        found.append(Memories(kept, tuple(pair for pair in names if pair not in kept)))
    return found[0], found[1]


def _extent(game: GameLike) -> tuple[int, int, dict[str, int]]:
    """Rows and columns of a plane, and the first row of each part of the grid."""
    tops, rows = {}, 0
    for part in game.board.grid.parts:
        tops[part.name] = rows
        rows += part.height + 1
        rows += rows % 2
    last = game.board.grid.parts[-1]
    columns = max(part.width for part in game.board.grid.parts)
    return tops[last.name] + last.height, columns, tops


def _index(features: tuple[Feature, ...], name: str) -> int:
    for index, feature in enumerate(features):
        if feature.name == name:
            return index
    raise KeyError(name)


def features_of(game: GameLike) -> Features:
    """The features of a table, made once for all of its rules, shape and players."""
    check_game(game)
    key = Features, game.players, game.board.grid.parts
    found: Any = game.ruleset.derived.get(key)
    if found is None:
        found = game.ruleset.derived[key] = Features(game)
    return found  # type: ignore[no-any-return]
