"""Where a kernel keeps what: one memory of 64-bit numbers, cut up the same for all its boards."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.game.board import Catalog
from kbrules.hex.ways import LARGEST
from kbrules.plan.plan import MAX_TRIED_BLOCKS

MAX_COUNTS = {
    "GROUP": 512,
    "TRIGGER_EVENTS": 256,
    "PENDING": 64,
    "OFFERED": 512,
    "SAVE": MAX_TRIED_BLOCKS,
    "FRAME": 80,
    "TILES": 48,
    "SHOWN": 32,
    "TRACE": 2048,
    "LIST": 48,
    "ROW_FRAMES": 16,
    "ROW_GROUPS": 96,
}
"""How much there is room for; a game that needs more raises `OutOfRoom`."""
SCRATCH_ROOM = 1 << 14
WAYS = {"WAY_LARGEST": LARGEST, "WAY_SLOTS": 13, "WAY_ORDER": 16, "WAY_CASES": (1 << 18) - 1}
"""Of the longest way in a group: hexes in it and at its frontier, where they are listed, cases.

Groups of 40 hexes were seen to have more than 131,071 cases, once in some hundred thousand.
"""
WAYS_ROOM = 4 * WAYS["WAY_CASES"] + 64
"""What it needs of the scratch."""
PLACES = 128
"""So many places with tiles a board may have and still share its kernel with others."""
FIELDS = (
    "BLOCK", "PC", "ME", "LOOP", "LEFT", "ROUNDS", "MAY_STOP", "DONE", "CHOSEN", "FIRST",
)  # fmt: skip
"""Of a frame: where it is in which block, for whom, its loop, and the hexes chosen so far."""
STATE_NUMBERS = (
    "ACTIVE", "STAGE", "INDEX", "ENDING", "REVEALED", "CHOICE", "FIRINGS", "CUT", "FURTHER",
    "DEPTH", "EVENTS", "STRAYED", "TURNS",
)  # fmt: skip
"""Numbers that belong to a state; the first ten are those of `State`, by other names."""
NUMBERS = (
    "SELF", "FAULT", "SCRATCH", "SCRATCH_FLOOR", "GROUP_COUNT", "MOVE_COUNT", "DECIDER", "IS_DRAW",
    "OFFERED_TOP", "SAVED", "TRIED_SINCE", "TRIGGER_EVENT_COUNT", "PENDING_COUNT", "PLAYERS",
    "PLACES", "PART_COUNT", "TRACED",
)  # fmt: skip
"""Numbers of the work under way: how many there are of what, and who decides."""
ENUMS = {
    # stages of a game
    "SETUP": 0, "TURN": 1, "TURN_OVER": 2, "FINISH": 3, "OVER": 4,
    # statuses of a tile
    "FRESH": 0, "READY": 1, "USED": 2,
    # where a scoring card of the table is; 0 is elsewhere
    "COUNTS": 1, "BESIDE": 2, "RETIRED": 3,
    # kinds of statement that wait for a choice
    "OTHER": 0, "CHOOSING": 1, "REPEATING": 2, "BRANCHING": 3, "REUSING": 4,
    # what the entry function is called for
    "PLAY": 1, "BEGIN": 2, "CHOOSE": 3, "RESULT": 4, "PLAY_ON": 5,
    "BEGIN_ROWS": 6, "STEP_ROWS": 7, "ROW_CODES": 8, "ROW_RESULTS": 9,
    "SAVE_ROW": 10, "LOAD_ROW": 11, "NEXT_DECISION": 12, "DECIDE": 13,
    "LOAD_TABLE": 14, "PLAY_TABLES": 15, "PLAY_FROM": 16,
    "ROW_VIEWS": 17, "ACT_ROWS": 18, "PLAY_ROWS": 19,
    # fields of a game that lies in a row
    "ROW_COUNT": 0, "ROW_DECIDER": 1, "ROW_GROUPS": 2, "ROW_OFFERED": 3, "ROW_CHANCE": 8,
    # the head of what players see of games in rows
    "VIEW_HEAD": 0, "VIEW_SIZE": 1, "VIEW_PLANES_SIZE": 2, "VIEW_MASK_SIZE": 3, "VIEW_CHOSEN": 4,
    "VIEW_LEGAL": 5, "VIEW_RULES": 6, "VIEW_KINDS": 7, "VIEW_CELLS": 8, "VIEW_PLACES": 9,
    "VIEW_TILES": 10, "VIEW_SUPPLIES": 11, "VIEW_SEAT_NUMBERS": 12, "VIEW_TABLE_NUMBERS": 13,
    "VIEW_SEAT_SETS": 14, "VIEW_TABLE_SETS": 15,
}  # fmt: skip
"""What numbers stand for."""
ROOMS = {
    "OUT_OF_ROOM": "sets worked out on the way",
    "OUT_OF_ACTIONS": "actions on offer",
    "OUT_OF_CARDS": "cards in one hand",
    "OUT_OF_FRAMES": "blocks that run one within another",
    "OUT_OF_GROUPS": "groups of moves",
    "OUT_OF_LIST": "items for one `for`",
    "OUT_OF_EVENTS": "events that rules wait for",
    "OUT_OF_PENDING": "blocks that wait for their turn",
    "OUT_OF_ROW": "moves or blocks for a row",
    "OUT_OF_TILES": "tiles of one player",
    "GROUP_TOO_LARGE": "hexes in a group of which the longest way is asked",
}
"""What there may be too much of: faults, which count from 1, and what they say."""


class MemoryLayout(dict[str, int]):
    """The names in capitals of a kernel's text and their numbers."""

    def __init__(
        self, width: int, hexes: int, stride: int, places: int, players: int, catalog: Catalog
    ) -> None:
        super().__init__(ENUMS | WAYS)
        self.update({name: 1 + at for at, name in enumerate(ROOMS)})
        self.places = places
        self.width = width
        self.hexes = hexes
        self.players = players
        self.catalog = catalog
        self.end = 0
        self.update(W=width, STRIDE=stride, LESS=stride - 1)
        self.update({f"MAX_{name}": most for name, most in MAX_COUNTS.items()})
        self.update(
            HEX_KINDS=len(catalog.hexes),
            PIECE_KINDS=len(catalog.pieces),
            TILE_KINDS=len(catalog.tiles),
            CARDS_KINDS=len(catalog.deck),
            IN_PLAY_SIZE=len(catalog.cards),
        )
        for name in NUMBERS:
            self.allocate(name)
        self._of_the_board()

    def allocate(self, name: str, size: int = 1) -> int:
        """Room of a size under a name; whatever is large begins at a full vector."""
        if size > 1:
            self.end = -(-self.end // self.width) * self.width
        self[name] = self.end
        self.end += size
        return self[name]

    def _of_the_board(self) -> None:
        catalog, width = self.catalog, self.width
        most = max((len(card.terrains) for card in catalog.deck), default=0)
        self["SHOWS_SIZE"] = 2 * (most + 1)
        for name, size in (
            ("FULL", width), ("WITH_HOLES", width), ("KINDS", width * len(catalog.hexes)),
            ("GRIDS", width * len(catalog.grids)),
            ("AXIAL", 4 * self.hexes), ("PLACE_AT", self.hexes),
            ("MIRRORED", self.hexes), ("FLIPPED", self.hexes), ("TURNED", self.hexes),
            ("PLACE_HEX", self.places), ("PLACE_KIND", self.places),
            ("SHOWS", self["SHOWS_SIZE"] * len(catalog.deck)), ("ONLY_TERRAIN", len(catalog.deck)),
            ("SIZES", len(catalog.pieces)), ("SUPPLIES", len(catalog.pieces)),
            ("NEUTRALS", len(catalog.pieces)), ("EACH", len(catalog.tiles)),
            ("IN_PLAY", len(catalog.cards)),
        ):  # fmt: skip
            self.allocate(name, max(size, 1))

    def allocate_rules(self, blocks: int, steps: int) -> None:
        """Tables of blocks and steps."""
        for name in ("BEGUN", "FIRST_STEP", "LENGTHS"):
            self.allocate(name, max(blocks, 2))
        self.allocate("KIND_OF", max(steps, 2))

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
        pieces = len(catalog.pieces)
        self.allocate("STATE", width)
        for name in STATE_NUMBERS:
            self.allocate(name)
        self["CARDS_MOVE"] = int(moves_cards)
        if moves_cards:
            self.allocate("IN_PLAY", max(len(catalog.cards), 1))
        self.allocate("OCCUPIED", width)
        self.allocate("STOCKED", width)
        self.allocate("NEUTRAL", width * pieces)
        self.allocate("HELD", width * pieces)
        self.allocate("USED_ACTIONS", 2 + actions)
        self.allocate("PILES", 3 * max(1, len(catalog.deck)))
        for name, (scope, size) in memories.items():
            if scope == "table":
                self.allocate(name, max(size, 2))
        self.allocate("STOCK", self.places)
        self.allocate("SHOWN", 1 + MAX_COUNTS["SHOWN"])
        self.allocate("ASIDE", 1 + MAX_COUNTS["SHOWN"])
        self["GAIN_RULES"] = max(1, gains)
        self._seat({name: size for name, (scope, size) in memories.items() if scope != "table"})
        self._frames(names)

    def _seat(self, memories: dict[str, int]) -> None:
        """One player's part, of which each has one."""
        catalog, width = self.catalog, self.width
        start = self.allocate("SEATS", width)
        self.end = start
        self.allocate("ALL", width)
        self.allocate("PIECES", width * len(catalog.pieces))
        for name, size in memories.items():
            self.allocate(name, max(size, 2))
        tiles = max(2, len(catalog.tiles))
        counts = {"SUPPLY": max(2, len(catalog.pieces)), "USES": tiles, "TAKES": tiles}
        for name, size in {**counts, "GAINS": max(2, self["GAIN_RULES"])}.items():
            self.allocate(name, size)
        self.allocate("GOLD")
        self.allocate("HAND", 1 + MAX_COUNTS["SHOWN"])
        self.allocate("TILES", 1 + 3 * MAX_COUNTS["TILES"])
        self.allocate("SEAT", width)
        size = self["SEAT"] - start
        for name in ("ALL", "PIECES", *memories, *counts, "GAINS", "GOLD", "HAND", "TILES"):
            self[name] -= start
        self["SEAT"] = size
        self.end = start + size * self.players

    def _frames(self, names: dict[str, int]) -> None:
        """The stack of frames, with what is bound in each of them."""
        for at, name in enumerate(FIELDS):
            self[name] = at
        width = self.width
        head = -(-len(FIELDS) // width) * width
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
        for name, size in (
            ("STREAMS", self.players + 1), ("DECISIONS", self.players),
            ("WIN_VALUES", self.players), ("MESSAGE", 16),
        ):  # fmt: skip
            self.allocate(name, size)
        self["GROUP_SIZE"] = 8 + width
        self.allocate("GROUPS", MAX_COUNTS["GROUP"] * (8 + width))
        self["TRIGGER_EVENT_SIZE"] = 8 + 2 * width
        self.allocate("TRIGGER_EVENTS", MAX_COUNTS["TRIGGER_EVENTS"] * self["TRIGGER_EVENT_SIZE"])
        self.allocate("PENDING", MAX_COUNTS["PENDING"] * self["FRAME"])
        self.allocate("OFFERED", MAX_COUNTS["OFFERED"])
        self["SAVE_SIZE"] = -(-(self["STATE_END"] - self["STATE"] + 1) // width) * width
        self.allocate("SAVES", (MAX_COUNTS["SAVE"] + 1) * self["SAVE_SIZE"])
        begun = self["SAVES"] + MAX_COUNTS["SAVE"] * self["SAVE_SIZE"] - self["STATE"]
        self["IN_PLAY_START"] = self["IN_PLAY"] + begun * self["CARDS_MOVE"]
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
        self.update(ROW_FRAMES=MAX_COUNTS["ROW_FRAMES"], MAX_ROW_GROUPS=MAX_COUNTS["ROW_GROUPS"])

    def lines(self) -> Iterator[str]:
        """The numbers as the head of a text."""
        for name, number in self.items():
            if name.isidentifier() and name.isupper():
                yield f"{name} = {number}"
