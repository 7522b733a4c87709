"""Where a kernel keeps what, and how its memory holds numbers and sets.

There is one memory of 64-bit numbers, cut up the same for all boards of a kernel, so that tables
are laid one after another by the same code. Its parts follow in this order: the work under way,
what a board decides, tables of blocks and steps, the state (seats and frames at its end), room to
work in, and groups of hexes that a grid fixes. Sets begin at full vectors, so that none lies across
two lines of the processor's cache.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, Self

from kbrules.game.board import Board, Catalog
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.kernel.runtime.names import (
    FIELDS,
    FIXED,
    MAX_COUNTS,
    OUT_OF_ROOM,
    WAY_CASES,
    WORK_NUMBERS,
)
from kbrules.library.ruleset import Ruleset

SCRATCH_ROOM = 1 << 14
WAYS_ROOM = 4 * WAY_CASES + 64
"""What the longest way in a group needs of the scratch."""
PLACES = 128
"""So many places with tiles a board may have and still share its kernel with others."""
STATE_NUMBERS = (
    "ACTIVE", "STAGE", "INDEX", "ENDING", "REVEALED", "CHOICE", "FIRINGS", "CUT", "FURTHER",
    "DEPTH", "EVENTS", "STRAYED", "TURNS",
)  # fmt: skip
"""Numbers that belong to a state; the first ten are those of `State`, by other names."""


class MemoryLayout(dict[str, int]):
    """The names in capitals of a kernel's text and their numbers."""

    def __init__(
        self, width: int, hexes: int, stride: int, places: int, players: int, catalog: Catalog
    ) -> None:
        super().__init__(FIXED)
        self.places = places
        self.width = width
        self.hexes = hexes
        self.players = players
        self.catalog = catalog
        self.end = WORK_NUMBERS
        self.update(W=width, STRIDE=stride, LESS=stride - 1)
        self.update({f"MAX_{name}": most for name, most in MAX_COUNTS.items()})
        self.update(
            HEX_KINDS=len(catalog.hexes),
            PIECE_KINDS=len(catalog.pieces),
            TILE_KINDS=len(catalog.tiles),
            CARDS_KINDS=len(catalog.deck),
            IN_PLAY_SIZE=len(catalog.cards),
        )
        self._of_the_board()

    def allocate(self, name: str, size: int = 1) -> int:
        """Room of a size under a name, at least 1; whatever is large begins at a full vector."""
        if size > 1:
            self.end = -(-self.end // self.width) * self.width
        self[name] = self.end
        self.end += max(size, 1)
        return self[name]

    def allocate_all(self, **sizes: int) -> None:
        """Room under some names, one behind another."""
        for name, size in sizes.items():
            self.allocate(name, size)

    def _of_the_board(self) -> None:
        catalog, width = self.catalog, self.width
        most = max((len(card.terrains) for card in catalog.deck), default=0)
        self["SHOWS_SIZE"] = 2 * (most + 1)
        hexes, pieces, deck = self.hexes, len(catalog.pieces), len(catalog.deck)
        self.allocate_all(
            FULL=width, WITH_HOLES=width, KINDS=width * len(catalog.hexes),
            GRIDS=width * len(catalog.grids), AXIAL=4 * hexes, PLACE_AT=hexes, MIRRORED=hexes,
            FLIPPED=hexes, TURNED=hexes, PLACE_HEX=self.places, PLACE_KIND=self.places,
            SHOWS=self["SHOWS_SIZE"] * deck, ONLY_TERRAIN=deck, SIZES=pieces, SUPPLIES=pieces,
            NEUTRALS=pieces, EACH=len(catalog.tiles), IN_PLAY=len(catalog.cards),
        )  # fmt: skip

    def allocate_state(
        self,
        memories: dict[str, tuple[str, int]],
        gains: int,
        names: dict[str, int],
        actions: int,
        moves_cards: bool,
    ) -> None:
        """The state: what a trial restores. memories: scope and size by name.

        gains: how many rules give gold in play. names: sizes of what frames bind, by name.
        actions: how many actions the table offers. moves_cards: whether rules change which cards
        are in play, which then is a part of the state.
        """
        catalog, width = self.catalog, self.width
        sets, hand = width * len(catalog.pieces), 1 + MAX_COUNTS["SHOWN"]
        of_table = {name: max(size, 2) for name, (of, size) in memories.items() if of == "table"}
        of_seats = {name: max(size, 2) for name, (of, size) in memories.items() if of != "table"}
        self.allocate_all(STATE=width, **dict.fromkeys(STATE_NUMBERS, 1))
        self["CARDS_MOVE"] = int(moves_cards)
        if moves_cards:
            self.allocate("IN_PLAY", max(len(catalog.cards), 1))
        self.allocate_all(
            OCCUPIED=width, STOCKED=width, NEUTRAL=sets, HELD=sets, USED_ACTIONS=2 + actions,
            PILES=3 * max(1, len(catalog.deck)), **of_table, STOCK=self.places, SHOWN=hand,
            ASIDE=hand,
        )  # fmt: skip
        self["GAIN_RULES"] = max(1, gains)
        self._seat(of_seats)
        self._frames(names)

    def _seat(self, memories: dict[str, int]) -> None:
        """One player's part, of which each has one."""
        pieces, width = len(self.catalog.pieces), self.width
        tiles, gains = max(2, len(self.catalog.tiles)), max(2, self["GAIN_RULES"])
        parts = {
            "ALL": width, "PIECES": width * pieces, **memories, "SUPPLY": max(2, pieces),
            "USES": tiles, "TAKES": tiles, "GAINS": gains, "GOLD": 1,
            "HAND": 1 + MAX_COUNTS["SHOWN"], "TILES": 1 + 3 * MAX_COUNTS["TILES"], "SEAT": width,
        }  # fmt: skip
        start = self.end = self.allocate("SEATS", width)
        self.allocate_all(**parts)
        for name in parts:
            self[name] -= start
        self.end = start + self["SEAT"] * self.players

    def _frames(self, names: dict[str, int]) -> None:
        """The stack of frames, with what is bound in each of them."""
        width = self.width
        head = -(-FIELDS // width) * width
        self["ITEMS"] = head
        size = head + width
        for name, room in sorted(names.items(), key=lambda pair: (-pair[1], pair[0])):
            self[name] = size
            size += room
        self["FRAME"] = -(-size // width) * width
        self.allocate("FRAMES", self["FRAME"] * MAX_COUNTS["FRAME"])
        self["STATE_END"] = self.end

    def allocate_workspace(self, scratch: int) -> None:
        """What is used while something is worked out. scratch: how much more than usual."""
        width = self.width
        self.update(GROUP_SIZE=8 + width, TRIGGER_EVENT_SIZE=8 + 2 * width)
        self.allocate_all(
            STREAMS=self.players + 1, DECISIONS=self.players, WIN_VALUES=self.players, MESSAGE=16,
            GROUPS=MAX_COUNTS["GROUP"] * self["GROUP_SIZE"],
            TRIGGER_EVENTS=MAX_COUNTS["TRIGGER_EVENTS"] * self["TRIGGER_EVENT_SIZE"],
            PENDING=MAX_COUNTS["PENDING"] * self["FRAME"], OFFERED=MAX_COUNTS["OFFERED"],
        )  # fmt: skip
        self["SAVE_SIZE"] = -(-(self["STATE_END"] - self["STATE"] + 1) // width) * width
        self.allocate("SAVES", (MAX_COUNTS["SAVE"] + 1) * self["SAVE_SIZE"])
        self["START"] = self["SAVES"] + MAX_COUNTS["SAVE"] * self["SAVE_SIZE"]
        begun = (self["START"] - self["STATE"]) * self["CARDS_MOVE"]
        self["IN_PLAY_START"] = self["IN_PLAY"] + begun
        self.allocate("TRACE", 4 * MAX_COUNTS["TRACE"])
        self.allocate("SCRATCH_START", SCRATCH_ROOM + scratch)
        self["SCRATCH_END"] = self.end
        self._rows()

    def _rows(self) -> None:
        """How a game lies in a row of many."""
        width = self.width
        chance = self["DECISIONS"] + self.players - self["STREAMS"]
        state = self["FRAMES"] - self["STATE"] + MAX_COUNTS["ROW_FRAMES"] * self["FRAME"]
        self["ROW_CHANCE_SIZE"] = chance
        self["ROW_STATE"] = -(-(self["ROW_CHANCE"] + chance) // width) * width
        size = self["ROW_STATE"] + state + width + MAX_COUNTS["ROW_GROUPS"] * self["GROUP_SIZE"]
        self["ROW_SIZE"] = -(-size // width) * width

    def lines(self) -> Iterator[str]:
        """The numbers as the head of a text."""
        for name, number in self.items():
            if name.isidentifier() and name.isupper():
                yield f"{name} = {number}"


# How a memory holds numbers and sets: `Int64Cells` for native code, `IntCells` for Python.


class ConfiguredGame(Protocol):
    """A configuration at a table: rules, board, players and the ids of the cards in play."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def board(self) -> Board: ...

    @property
    def players(self) -> int: ...

    @property
    def cards(self) -> tuple[str, ...]: ...

    def empty(self) -> State:
        """The state before anything has happened."""
        ...


Numbers = MutableSequence[int]


class Int64Cells:
    """Signed 64-bit numbers; a set lies in `width` of them, lowest bits first."""

    def __init__(self, width: int) -> None:
        self.width = width

    def zeros(self, number: int) -> Numbers:
        """So many cells that hold 0."""
        return array("q", bytes(8 * number))

    def numbers(self, values: Iterable[int]) -> Numbers:
        """Cells that hold some numbers."""
        return array("q", values)

    def set_in(self, numbers: Numbers, at: int) -> Mask:
        """The set that some of the cells hold."""
        cells: Any = numbers
        return int.from_bytes(memoryview(cells)[at : at + self.width], "little")

    def of_sets(self, masks: Iterable[Mask]) -> Numbers:
        """The cells that hold some sets, one after another."""
        size = 8 * self.width
        return array("q", b"".join([mask.to_bytes(size, "little") for mask in masks]))


class IntCells:
    """Numbers of Python without bounds; a set is one of them."""

    width = 1

    def zeros(self, number: int) -> Numbers:
        """So many cells that hold 0."""
        return [0] * number

    def numbers(self, values: Iterable[int]) -> Numbers:
        """Cells that hold some numbers."""
        return list(values)

    def set_in(self, numbers: Numbers, at: int) -> Mask:
        """The set that one of the cells holds."""
        return numbers[at]

    def of_sets(self, masks: Iterable[Mask]) -> Numbers:
        """The cells that hold some sets, one after another."""
        return list(masks)


Cells = Int64Cells | IntCells
"""The cells of a memory; `width` of them hold a set."""


class DoesNotFit(Exception):
    """A state, or a table, for which a kernel has no room. fault: a number of `ROOMS`."""

    def __init__(self, fault: int) -> None:
        super().__init__(fault)
        self.fault = fault


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


ALL = 2**64 - 1


class KernelMemory:
    """The memory of one game as a list of numbers, and the kernel for CPython that works on it.

    The memory of a native kernel is another; these are its methods too.
    """

    def __init__(self, layout: MemoryLayout, cells: Cells, numbers: Numbers, kernel: Any) -> None:
        """numbers: those of a memory that knows the rules and no table yet."""
        self.cells, self._kernel, self._end = cells, kernel, len(numbers)
        self._start, self._lay = layout["START"], layout["LOAD_TABLE"]
        self._shape: MemoryShape | None = None
        self._hold(numbers)

    def _hold(self, numbers: Any) -> None:
        """Copy some numbers for the memory; `_words` reads what `_numbers` writes."""
        self._numbers: Numbers = numbers[:]
        self._words: Numbers = self._numbers

    def _reserve(self, size: int) -> None:
        """Make room for so many numbers; a list does so by itself."""

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._hold(self._numbers)
        return other

    def lay(self, table: TableImage) -> None:
        """Load another table; DoesNotFit if it needs too much."""
        self.take(table.shape)
        if self.call(self._lay, 0, table.row):
            raise DoesNotFit(OUT_OF_ROOM)

    def take(self, shape: MemoryShape) -> None:
        """Be for tables of a shape, of which each call brings the row."""
        if shape is self._shape:
            return
        head, state, groups = self._shape = shape
        self._reserve(self._end + len(groups))
        self.put(0, head)
        self.put(self._start, state)
        self.put(self._end, groups)

    def call(self, what: int, number: int, given: Any = None, out: Any = None) -> int:
        """Call the kernel: what to do, a number, more numbers, and where to write some.

        An array of 64-bit numbers is given as it is, and may be written to.
        """
        found: int = self._kernel(self._numbers, what, number, given, out)
        return found

    def bound(self, what: int) -> Callable[[int], int]:
        """The kernel bound to one thing to do with a number."""
        kernel, numbers = self._kernel, self._numbers

        def called(number: int) -> int:
            found: int = kernel(numbers, what, number, None, None)
            return found

        return called

    def row_saver(self, what: int, most: int) -> Callable[[], Any]:
        """A call that saves a game and returns its row, None if that is too small."""
        keep = partial(self._kernel, self._numbers, what, 0, None)

        def saved() -> tuple[int, ...] | None:
            row = [0] * most
            size = keep(row)
            return None if size < 0 else tuple(row[:size])

        return saved

    def row_loader(self, what: int) -> Callable[[Any], int]:
        """A call that loads a game from its row; how many moves it offers."""
        return partial(self._kernel, self._numbers, what, 0, None)

    def room(self, size: int) -> Any:
        """Room for so many numbers to be written, each of them 0."""
        return [0] * size

    def number(self, at: int) -> int:
        """What lies at a place."""
        return self._words[at]

    def numbers(self, at: int, size: int) -> list[int]:
        """What lies at so many places."""
        return list(self._words[at : at + size])

    def set_at(self, at: int) -> Mask:
        """The set that lies at a place."""
        return self.cells.set_in(self._words, at)

    def part(self, at: int, size: int) -> Numbers:
        """A copy of so many cells."""
        return self._words[at : at + size]

    def put(self, at: int, numbers: Sequence[int]) -> None:
        """Write some numbers."""
        self._numbers[at : at + len(numbers)] = numbers

    def stream(self, at: int) -> int:
        """Where a stream of chance stands, 0 to 2**64 - 1."""
        return self._words[at] & ALL

    def go_to(self, at: int, position: int) -> None:
        """Let a stream of chance go on from there."""
        self._words[at] = position - (position >> 63 << 64)
