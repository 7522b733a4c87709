"""Encodes states as a kernel's numbers: pieces, tiles, cards, and the frames of the stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from kbrules.game.state import (
    FRESH,
    READY,
    USED,
    EachLoop,
    Frame,
    RepeatLoop,
    Seat,
    State,
    UpToLoop,
)
from kbrules.hex.sets import Mask, bits
from kbrules.kernel.lowering.binding import BINDING, binding_of
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.memory.cells import Cells, Numbers
from kbrules.kernel.memory.game_protocol import ConfiguredGame
from kbrules.kernel.memory.layout import ENUMS, MAX_COUNTS
from kbrules.lang.typed import Sort
from kbrules.plan.plan import Plan

STAGES = ("setup", "turn", "turn over", "finish", "over")
LISTED = {"setup": ("before setup", "setup", "after setup"), "finish": ("finish",)}
"""Stages that are a list of phases."""
LOOPS: Mapping[type, int] = {RepeatLoop: 1, UpToLoop: 2, EachLoop: 3}
STATUSES = (FRESH, READY, USED)


class DoesNotFit(Exception):
    """A state, or a table, for which a kernel has no room. fault: a name of `ROOMS`."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class StateEncoder:
    """Writes the states of one table. fixed: reads a memory, in which lies what its board fixes."""

    def __init__(
        self,
        lowered: KernelText,
        game: ConfiguredGame,
        cells: Cells,
        read_memory: Callable[[int], int],
    ) -> None:
        self._cells = cells
        self._blocks, self._layout = lowered.blocks, lowered.layout
        self._places, self._players, self._read_memory = (
            game.board.places,
            game.players,
            read_memory,
        )
        self._actions = {path: bit for bit, path in enumerate(lowered.plan.offers)}
        memories = lowered.plan.ruleset.memories.values()
        self._of_table = [slot for scope, slot in memories if scope == "table"]
        self._of_seats = [slot for scope, slot in memories if scope != "table"]
        self._sets = lowered.set_slots
        self._begun = {name: begun(lowered.plan, game, kinds) for name, kinds in LISTED.items()}
        self._start = self._layout["STATE"]
        catalog = game.board.catalog
        self._card_count = len(catalog.cards)
        self._here = [catalog.cards.index(card) for card in game.cards]
        self._numbers = cells.zeros(0)

    def encode(self, state: State) -> Numbers:
        """What lies in a memory from `STATE` on; DoesNotFit if there is not enough of it.

        What a game only counts, and no rule asks for, is 0.
        """
        layout = self._layout
        end = layout["FRAMES"] + len(state.stack) * layout["FRAME"]
        self._numbers = self._cells.zeros(end - self._start)
        self._course(state)
        self._table(state)
        for player, seat in enumerate(state.seats):
            self._seat(seat, layout["SEATS"] + player * layout["SEAT"])
        self._stack(state.stack)
        return self._numbers

    def _put(self, at: int, values: Iterable[int]) -> None:
        numbers = self._cells.numbers(values)
        at -= self._start
        self._numbers[at : at + len(numbers)] = numbers

    def _set(self, at: int, mask: Mask) -> None:
        numbers = self._cells.of_set(mask)
        at -= self._start
        self._numbers[at : at + len(numbers)] = numbers

    def _list(self, at: int, values: Sequence[int], most: int) -> None:
        """A list: how many there are, then each of them."""
        if len(values) > most:
            raise DoesNotFit("OUT_OF_CARDS")
        self._put(at, [len(values), *values])

    def _course(self, state: State) -> None:
        stage, index = state.stage
        if stage in self._begun:
            index = self._begun[stage][index]
        for name, number in (
            ("ACTIVE", state.active), ("STAGE", STAGES.index(stage)), ("INDEX", index),
            ("ENDING", state.ending), ("REVEALED", state.revealed),
            ("CHOICE", state.choice), ("FIRINGS", state.firings), ("CUT", state.cut),
            ("FURTHER", state.further),
            ("DEPTH", len(state.stack)),
        ):  # fmt: skip
            self._numbers[self._layout[name] - self._start] = number
        used = [self._actions[path] for path in state.used]
        self._list(self._layout["USED_ACTIONS"], used, len(used))

    def _table(self, state: State) -> None:
        layout = self._layout
        places = zip(self._places, state.stock, strict=True)
        self._set(layout["OCCUPIED"], state.occupied)
        self._set(layout["STOCKED"], sum(1 << hex for hex, tiles in places if tiles))
        for piece, mask in enumerate(state.neutral):
            self._set(layout["NEUTRAL"] + piece * layout.width, mask)
            counts = reduce(or_, [seat.pieces[piece] for seat in state.seats], mask)
            self._set(layout["HELD"] + piece * layout.width, counts)
        self._put(layout["STOCK"], map(len, state.stock))
        for zone, pile in enumerate(state.piles):
            self._put(layout["PILES"] + zone * len(pile), pile)
        if layout["CARDS_MOVE"]:
            out = bits(state.beside), bits(state.retired)
            self._put(layout["IN_PLAY"], where_cards_are(self._card_count, self._here, *out))
        self._list(layout["SHOWN"], state.shown, MAX_COUNTS["SHOWN"])
        self._list(layout["ASIDE"], state.aside, MAX_COUNTS["SHOWN"])
        self._memories(state.memory, self._of_table, 0)

    def _seat(self, seat: Seat, at: int) -> None:
        layout = self._layout
        self._set(at + layout["ALL"], seat.all)
        for piece, mask in enumerate(seat.pieces):
            self._set(at + layout["PIECES"] + piece * layout.width, mask)
        self._put(at + layout["SUPPLY"], seat.supply)
        self._put(at + layout["GOLD"], [seat.gold])
        self._list(at + layout["HAND"], seat.hand, MAX_COUNTS["SHOWN"])
        tiles = [(kind, origin, STATUSES.index(status)) for kind, origin, status in seat.tiles]
        if len(tiles) > MAX_COUNTS["TILES"]:
            raise DoesNotFit("OUT_OF_TILES")
        self._put(at + layout["TILES"], [len(tiles), *sum(tiles, ())])
        self._memories(seat.memory, self._of_seats, at)

    def _memories(self, values: Sequence[int], slots: Sequence[int], at: int) -> None:
        """What is remembered: sets, and numbers, of which some are below 0."""
        for slot in slots:
            value, place = values[slot], at + self._layout[f"MEMORY_{slot}"]
            if slot in self._sets:
                self._set(place, value)
            else:
                self._put(place, [value])

    def _stack(self, stack: Sequence[Frame]) -> None:
        if len(stack) > MAX_COUNTS["FRAME"]:
            raise DoesNotFit("OUT_OF_FRAMES")
        for depth, frame in enumerate(stack):
            self._frame(frame, self._layout["FRAMES"] + depth * self._layout["FRAME"])

    def _frame(self, frame: Frame, at: int) -> None:
        number = self._blocks.numbers[frame.block]
        fields = {
            "BLOCK": number, "PC": frame.pc, "ME": frame.me, "DONE": frame.repetitions,
            "CHOSEN": len(frame.chosen), "FIRST": frame.chosen[0] if frame.chosen else 0,
        }  # fmt: skip
        if frame.loop:
            fields["LOOP"] = LOOPS[type(frame.loop)]
            if isinstance(frame.loop, EachLoop):
                fields |= self._items(frame.block, frame.loop.left, at)
            else:
                fields |= zip(("LEFT", "ROUNDS", "MAY_STOP"), frame.loop, strict=False)
        for field, value in fields.items():
            self._numbers[at + self._layout[field] - self._start] = value
        for name in self._blocks.names[number]:
            place, value = (
                at + self._layout[self._blocks.frame_field(name)],
                frame.env.get(name[0], 0),
            )
            if name == BINDING:
                value = binding_of(frame.env)
            if name[1] is Sort.HEXES:
                self._set(place, value)
            else:
                self._put(place, [value])

    def _items(self, block: str, items: Sequence[int], at: int) -> dict[str, int]:
        """Where the items are that a loop has left; some are written into the frame itself."""
        layout, domain = self._layout, self._blocks.domain(block)
        match domain.sort:
            case Sort.HEXES:
                self._set(at + layout["ITEMS"], sum(items))
                return {}
            case Sort.GROUPS if not getattr(domain, "fixed", False):
                if len(items) > MAX_COUNTS["LIST"]:
                    raise DoesNotFit("OUT_OF_LIST")
                for number, group in enumerate(items):
                    self._set(at + layout["LIST"] + number * layout.width, group)
                left = 0
            case Sort.GROUPS:
                first = layout[self._blocks.hoisted_name(domain)]
                gone = self._read_memory(first + 1) - len(items)
                left = self._read_memory(first) + gone * layout.width
            case Sort.PLAYERS:
                left = self._players - len(items)
            case _:
                if len(items) > MAX_COUNTS["LIST"]:
                    raise DoesNotFit("OUT_OF_LIST")
                self._put(at + layout["LIST"], items)
                left = 0
        return {"LEFT": left, "ROUNDS": len(items)}


def where_cards_are(
    cards: int, here: Iterable[int], beside: Iterable[int], retired: Iterable[int]
) -> list[int]:
    """For each of so many cards where it is, by the numbers of `layout.ENUMS`.

    here: the cards of the table; of these some are beside it, or retired.
    """
    found = [0] * cards
    for group, where in ((here, "COUNTS"), (beside, "BESIDE"), (retired, "RETIRED")):
        for card in group:
            found[card] = ENUMS[where]
    return found


def begun(plan: Plan, game: ConfiguredGame, kinds: Sequence[str]) -> list[int]:
    """How many phases a kernel has gone past when a game has begun so many, from none to all.

    A kernel goes past those of cards that are not on the table as well.
    """
    in_play = [plan.ruleset.catalog.cards.index(card) for card in game.cards]
    found, passed = [0], 0
    for kind in kinds:
        phases = [o for _, o in plan.ruleset.phases(kind) if plan.may_apply(o)]
        for owner in phases * (1 if kind == "before setup" else game.players):
            passed += 1
            if owner.card < 0 or owner.card in in_play:
                found.append(passed)
    return found
