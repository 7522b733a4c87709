"""States decoded from a kernel's numbers: the inverse of `encoding`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kbrules.game.state import (
    ZONES,
    EachLoop,
    Frame,
    Loop,
    RepeatLoop,
    Seat,
    State,
    StateCache,
    Tile,
    UpToLoop,
    kernel_state,
)
from kbrules.game.view import REPEATED
from kbrules.hex.sets import Mask, bits, mask_of
from kbrules.kernel.lowering.binding import BINDING, BINDINGS
from kbrules.kernel.lowering.free_names import Name
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.memory.cells import KernelMemory, Numbers
from kbrules.kernel.memory.encoding import LISTED, LOOPS, STAGES, STATUSES, begun
from kbrules.kernel.memory.game_protocol import ConfiguredGame
from kbrules.kernel.memory.layout import FIELDS
from kbrules.lang.typed import Sort

LOOP_TYPES = {number: kind for kind, number in LOOPS.items()}


class StateDecoder:
    """Reads the states of one table. memory: one in which lies what its board fixes."""

    def __init__(self, lowered: KernelText, game: ConfiguredGame, memory: KernelMemory) -> None:
        self._lowered, self._layout, self._cells = lowered, lowered.layout, memory.cells
        self._blocks, self._board, self._memory = lowered.blocks, game.board, memory
        self._players = game.players
        self._offers = tuple(lowered.plan.offers)
        self._memories = tuple(lowered.plan.ruleset.memories.values())
        plan = lowered.plan
        self._begun = {name: begun(plan, game, kinds) for name, kinds in LISTED.items()}
        self._numbers = memory.cells.zeros(0)
        self._facts = self._all_facts()

    def state(self, numbers: Numbers, *known: Any) -> State:
        """The state that lies in numbers, which begin with what lies at `STATE`.

        Its fields are decoded when they are first read. known: the game it is of, and its
        legal moves.
        """
        game, moves = known or (None, None)
        return kernel_state(StateCache(game, moves, partial(self._fact, numbers), numbers))

    def _fact(self, numbers: Numbers, name: str) -> Any:
        self._numbers = numbers
        read = self._facts[name]
        return read()

    def _number(self, name: str, at: int = 0) -> int:
        return self._numbers[self._layout[name] - self._layout["STATE"] + at]

    def _part(self, at: int, size: int) -> tuple[int, ...]:
        at -= self._layout["STATE"]
        return tuple(self._numbers[at : at + size])

    def _set(self, at: int) -> Mask:
        return self._cells.set_in(self._numbers, at - self._layout["STATE"])

    def _sets(self, at: int, number: int) -> tuple[Mask, ...]:
        return tuple(self._set(at + i * self._layout.width) for i in range(number))

    def _list(self, at: int) -> tuple[int, ...]:
        (size,) = self._part(at, 1)
        return self._part(at + 1, size)

    def _all_facts(self) -> dict[str, Callable[[], Any]]:
        """How each fact of a state is read."""
        layout, pieces = self._layout, len(self._board.catalog.pieces)
        numbers = ("active", "revealed", "choice", "firings", "cut", "further")
        return {
            **{name: partial(self._number, name.upper()) for name in numbers},
            **{name: partial(self._list, layout[name.upper()]) for name in ("shown", "aside")},
            "beside": partial(self._cards, "BESIDE"),
            "retired": partial(self._cards, "RETIRED"),
            "ending": lambda: bool(self._number("ENDING")),
            "stage": self._stage,
            "used": self._used,
            "occupied": partial(self._set, layout["OCCUPIED"]),
            "neutral": partial(self._sets, layout["NEUTRAL"], pieces),
            "stock": self._stock,
            "piles": self._piles,
            "memory": partial(self._memory_values, "table", 0),
            "seats": lambda: tuple(map(self._seat, range(self._players))),
            "stack": lambda: tuple(map(self._frame, range(self._number("DEPTH")))),
        }

    def _cards(self, state: str) -> Mask:
        """The scoring cards that are beside the table, or retired."""
        layout = self._layout
        if not layout["CARDS_MOVE"]:
            return 0
        cells = self._part(layout["IN_PLAY"], len(self._board.catalog.cards))
        return mask_of(card for card, cell in enumerate(cells) if cell == layout[state])

    def _stage(self) -> tuple[str, int]:
        stage, index = STAGES[self._number("STAGE")], self._number("INDEX")
        if stage in self._begun:
            index = bisect_right(self._begun[stage], index) - 1
        return stage, index

    def _used(self) -> tuple[str, ...]:
        return tuple(self._offers[action] for action in self._list(self._layout["USED_ACTIONS"]))

    def _stock(self) -> tuple[tuple[int, ...], ...]:
        board = self._board
        left = self._part(self._layout["STOCK"], len(board.places))
        places = zip(board.places, left, strict=True)
        return tuple((board.tiles[hex],) * number for hex, number in places)

    def _piles(self) -> tuple[tuple[int, ...], ...]:
        cards, first = len(self._board.catalog.deck), self._layout["PILES"]
        return tuple(self._part(first + zone * cards, cards) for zone in range(len(ZONES)))

    def _memory_values(self, scope: str, at: int) -> tuple[int, ...]:
        """The memories of the table, or those of a seat that begins there."""
        found = [0] * len(self._memories)
        for its_scope, slot in self._memories:
            if (its_scope == "table") == (scope == "table"):
                place = at + self._layout[f"MEMORY_{slot}"]
                is_set = slot in self._lowered.set_slots
                found[slot] = self._set(place) if is_set else self._part(place, 1)[0]
        return tuple(found)

    def _seat(self, player: int) -> Seat:
        layout, pieces = self._layout, len(self._board.catalog.pieces)
        at = layout["SEATS"] + player * layout["SEAT"]
        (count,) = self._part(at + layout["TILES"], 1)
        tiles = iter(self._part(at + layout["TILES"] + 1, 3 * count))
        return Seat(
            self._sets(at + layout["PIECES"], pieces),
            self._set(at + layout["ALL"]),
            self._part(at + layout["SUPPLY"], pieces),
            self._list(at + layout["HAND"]),
            tuple(
                Tile(kind, origin, STATUSES[status])
                for kind, origin, status in zip(tiles, tiles, tiles, strict=True)
            ),
            self._memory_values("seat", at),
            self._part(at + layout["GOLD"], 1)[0],
        )

    # frames

    def _frame(self, depth: int) -> Frame:
        at = self._layout["FRAMES"] + depth * self._layout["FRAME"]
        fields = dict(zip(FIELDS, self._part(at, len(FIELDS)), strict=True))
        number = fields["BLOCK"]
        path = self._blocks.paths[number]
        chosen = (fields["FIRST"],) if fields["CHOSEN"] else ()
        env = dict(self._env(number, at))
        loop = self._loop(path, fields, at)
        return Frame(path, fields["PC"], fields["ME"], env, loop, fields["DONE"], chosen)

    def _env(self, block: int, at: int) -> Iterator[tuple[str, Any]]:
        """What is bound in a frame: what an event bound, then loops, and whether it is a reuse."""
        names = self._blocks.names[block]
        path = self._blocks.paths[block]
        binding = self._value(BINDING, at) if BINDING in names else 0
        for name in (*BINDINGS[binding], *self._blocks.available.loops.get(path, ())):
            yield name[0], self._value(name, at)
        for name in names:
            if name[0] == REPEATED and self._value(name, at):
                yield REPEATED, True

    def _value(self, name: Name, at: int) -> Any:
        place = at + self._layout[self._blocks.frame_field(name)]
        if name[1] is Sort.HEXES:
            return self._set(place)
        (number,) = self._part(place, 1)
        return bool(number) if name[1] is Sort.TRUTH else number

    def _loop(self, path: str, fields: dict[str, int], at: int) -> Loop | None:
        kind = LOOP_TYPES.get(fields["LOOP"])
        if kind is RepeatLoop:
            return RepeatLoop(fields["LEFT"])
        if kind is UpToLoop:
            return UpToLoop(fields["LEFT"], fields["ROUNDS"], bool(fields["MAY_STOP"]))
        if kind is EachLoop:
            return EachLoop(self._blocks.variable(path), self._items(path, fields, at))
        return None

    def _items(self, path: str, fields: dict[str, int], at: int) -> tuple[int, ...]:
        """The items that a loop has left."""
        layout, domain = self._layout, self._blocks.domain(path)
        left, number = fields["LEFT"], range(fields["ROUNDS"])
        match domain.sort:
            case Sort.HEXES:
                return tuple(1 << hex for hex in bits(self._set(at + layout["ITEMS"])))
            case Sort.GROUPS if not getattr(domain, "fixed", False):
                first = at + layout["LIST"] + left
                return self._sets(first, len(number))
            case Sort.GROUPS:
                return tuple(self._memory.set_at(left + i * layout.width) for i in number)
            case Sort.PLAYERS:
                return tuple((fields["ME"] + left + i) % self._players for i in number)
            case _:
                return tuple(self._part(at + layout["LIST"] + left, len(number)))
