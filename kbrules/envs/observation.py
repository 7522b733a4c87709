"""What players see, as named planes and numbers in a fixed order, and as arrays of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any, NamedTuple

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import NATIVE, Table, check_game, check_state, whole_number
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.envs.actions import Actions, actions_of
from kbrules.game.board import NONE, Board
from kbrules.game.moves import MoveSet
from kbrules.game.state import READY, STAGES, Seat, State
from kbrules.hex.sets import Mask, bits
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.lang.syntax import tree
from kbrules.library.ruleset import Ruleset

# What an observation holds: named planes of the board and named numbers, in a fixed order.
#
# Seats are counted from the viewer: 0 is who looks, 1 the next player, and so on.


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

    def __init__(self, game: Table) -> None:
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


def _extent(game: Table) -> tuple[int, int, dict[str, int]]:
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
    return {feature.name: index for index, feature in enumerate(features)}[name]


def features_of(game: Table) -> Features:
    """The features of a table, made once for all of its rules, shape and players."""
    check_game(game)
    key = Features, game.players, game.board.grid.parts
    return game.ruleset.once(key, lambda: Features(game))


# What a player may know of a state, as arrays: the plain way, from a state.
#
# Hands of others and the order of the deck are left out. `GameBatch` fills the same arrays for
# many games of the native kernel; the tests hold the two equal.


def observe(game: Table, state: State, viewer: int, moves: MoveSet) -> dict[str, Any]:
    """The planes (int8) and the numbers (int64) of a player's view; see `Features`.

    moves: those that the state offers to the player who decides. TableMismatch for a state of
    another table, IndexError for a viewer who has no seat.
    """
    check_game(game)
    check_state(game, state)
    viewer = check_viewer(game, viewer)
    if not isinstance(moves, MoveSet):
        raise TypeError(f"moves are those of `game.legal_moves`, not {shortened(moves)}")
    import numpy

    features = features_of(game)
    planes = board_planes(game).copy()
    fixed = 1 + len(features.catalog.hexes)
    for hex, left in zip(game.board.places, state.stock, strict=True):
        row, column = features.cell_of[hex]
        for kind, number in Counter(left).items():
            planes[fixed + kind, row, column] = number
    first = fixed + len(features.catalog.tiles)
    for plane, mask in enumerate(_masks(features, state, viewer, moves), first):
        for hex in bits(mask):
            planes[(plane, *features.cell_of[hex])] = 1
    numbers = [*_numbers(game, features, state, viewer, moves)]
    return {"planes": planes, "numbers": numpy.array(numbers, numpy.int64)}


def check_viewer(game: Table, viewer: object) -> int:
    """Return a seat; TypeError for what is no whole number, IndexError if no player has it."""
    seat = whole_number(viewer, "a viewer is a seat")
    if not 0 <= seat < game.players:
        raise IndexError(f"seats are numbered 0 to {game.players - 1}, not {shortened(viewer)}")
    return seat


def board_planes(game: Table) -> Any:
    """The planes of a table with all filled in that its board alone decides; not to be changed."""
    import numpy

    planes = game.cache.get(board_planes)
    if planes is None:
        features = features_of(game)
        planes = game.cache[board_planes] = numpy.zeros(features.shape, numpy.int8)
        for plane, mask in enumerate((game.board.grid.full, *game.board.kinds)):
            for hex in bits(mask):
                planes[(plane, *features.cell_of[hex])] = 1
    return planes


def _seats(state: State, viewer: int) -> tuple[Seat, ...]:
    """The seats in turn order, the viewer's first."""
    return (*state.seats[viewer:], *state.seats[:viewer])


def _masks(features: Features, state: State, viewer: int, moves: MoveSet) -> Iterator[Mask]:
    """The sets of the planes behind those of tiles, in their order."""
    seats = _seats(state, viewer)
    yield from (seat.pieces[piece] for seat in seats for piece in features.own_pieces)
    yield from (state.neutral[piece] for piece in features.neutral_pieces)
    yield from (seat.memory[slot] for seat in seats for _, slot in features.of_seat.sets)
    yield from (state.memory[slot] for _, slot in features.of_table.sets)
    chosen = state.stack[-1].chosen if state.stack else ()
    yield 1 << chosen[0] if chosen else 0
    legal = 0
    for group in moves.groups if moves.player == viewer else ():
        legal |= group.hexes
    yield legal


def _numbers(
    game: Table, features: Features, state: State, viewer: int, moves: MoveSet
) -> Iterator[int]:
    stage, index = state.stage
    turn = index if stage == "turn" else 0
    yield from (viewer, moves.player == viewer, (state.active - viewer) % features.players)
    yield from (STAGES.index(stage), turn, turn // features.players, state.ending)
    yield from _cards(features, state, viewer)
    for seat in _seats(state, viewer):
        yield from _of_seat(features, seat)
    for card in range(len(features.catalog.cards)):
        is_in_play = card in game.card_indexes and not state.unscored >> card & 1
        yield 1 if is_in_play else 2 * (state.beside >> card & 1)
    yield from (state.memory[slot] for _, slot in features.of_table.numbers)


def _cards(features: Features, state: State, viewer: int) -> Iterator[int]:
    """How many cards of each kind are where, as far as the viewer knows."""
    kinds = range(len(features.catalog.deck))
    deck, discards, removed = state.piles
    others = [card for at, seat in enumerate(state.seats) if at != viewer for card in seat.hand]
    for cards in (state.shown, state.aside, state.seats[viewer].hand):
        yield from (cards.count(kind) for kind in kinds)
    yield from (deck[kind] + others.count(kind) for kind in kinds)
    yield from discards
    yield from removed
    yield from (state.revealed != NONE and state.revealed == kind for kind in kinds)
    terrains = range(len(features.catalog.hexes))
    yield from (state.choice != NONE and state.choice == terrain for terrain in terrains)


def _of_seat(features: Features, seat: Seat) -> Iterator[int]:
    yield from (len(seat.hand), seat.gold)
    yield from (seat.supply[piece] for piece in features.own_pieces)
    kinds = range(len(features.catalog.tiles))
    ready = Counter(tile.kind for tile in seat.tiles if tile.status == READY)
    held = Counter(tile.kind for tile in seat.tiles)
    yield from (ready[kind] for kind in kinds)
    yield from (held[kind] for kind in kinds)
    yield from (seat.memory[slot] for _, slot in features.of_seat.numbers)


# What the native kernel is told of the views of a table: sizes of rows, and where what goes.


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
            "VIEW_SUPPLIES": _list((lowered.layout["SUPPLY"] + p,) for p in features.own_pieces),
            "VIEW_SEAT_NUMBERS": _list(self._numbers(features.of_seat.numbers)),
            "VIEW_TABLE_NUMBERS": _list(self._numbers(features.of_table.numbers)),
            "VIEW_SEAT_SETS": _list(self._seat_sets()),
            "VIEW_TABLE_SETS": _list(
                (at, self._byte(name))
                for name, at in self._sets(
                    "NEUTRAL", features.neutral_pieces, features.of_table.sets
                )
            ),
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

    def _numbers(self, memories: Slots) -> Iterator[tuple[int]]:
        """Yield where some numbers that the rules remember are."""
        return ((self._layout[f"MEMORY_{slot}"],) for _, slot in memories)

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
    for verb, rule, _ in actions.kinds:
        numbers = terrains if verb == "choose" else rules
        is_known = verb in verbs and rule in numbers
        yield verbs[verb] << 16 | numbers[rule] << 24 if is_known else NO_CODE


# What players see of games that lie in rows, filled by the native kernel in one call.


class Views:
    """The observations of one table: the arrays of `observe` and `Actions.mask`, of many games.

    MissingNumba without the extra `fast`; NotLowered for rules of which no kernel can be made.
    """

    def __init__(self, game: Table) -> None:
        lowered = kernel_of(game, NATIVE).lowered
        import numpy

        self._numpy, self._what = numpy, lowered.layout["ROW_VIEWS"]
        self.actions, self.features = actions_of(game), features_of(game)
        self.head = ViewHead(lowered, self.features, self.actions, game.board)
        self._first = numpy.array(self.head.numbers, numpy.int64)
        # The planes of the board alone, as the numbers of a row of bytes.
        flat = numpy.zeros(8 * self.head.planes_size, numpy.int8)
        planes = board_planes(game).ravel()
        flat[: len(planes)] = planes
        self._board = flat.view(numpy.int64)

    def observe(self, memory: Any, rows: Any, viewers: Any) -> dict[str, Any]:
        """What a player sees of each game: `planes`, `numbers` and `mask`, a row for each game.

        memory: the kernel's, with the table; what it holds of a game is lost. rows: the games, as
        the kernel keeps them. viewers: a seat for each game.
        """
        numpy, head, features, number = self._numpy, self.head, self.features, len(viewers)
        sizes = head.size, head.planes_size, head.mask_size
        views = numpy.empty(len(self._first) + number * sum(sizes), numpy.int64)
        numbers, planes, mask = self._sections(views, number, sizes)
        views[: len(self._first)] = self._first
        numbers[:], planes[:], mask[:] = 0, self._board, 0
        numbers[:, 0] = viewers
        memory.call(self._what, number, views, rows)
        return {
            "planes": self._bytes(planes, prod(features.shape)).reshape(-1, *features.shape),
            "numbers": numbers.copy(),
            "mask": self._bytes(mask, len(self.actions)),
        }

    def _sections(self, views: Any, number: int, sizes: Sequence[int]) -> Iterator[Any]:
        """What lies behind the head: a row of each size for each game."""
        end = len(self._first)
        for size in sizes:
            first, end = end, end + number * size
            yield views[first:end].reshape(number, size)

    def _bytes(self, rows: Any, size: int) -> Any:
        return rows.view(self._numpy.int8)[:, :size]


def views_of(game: Table) -> Views:
    """The views of a table, made once."""
    found: Views | None = game.cache.get(Views)
    if found is None:
        found = game.cache[Views] = Views(game)
    return found
