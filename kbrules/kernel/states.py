"""States, moves and tables as a kernel's numbers, and decoded from them. All ways are exact."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from kbrules.game import state as game_state
from kbrules.game.board import Board, cards_beside
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.state import STAGES, STATUSES
from kbrules.game.view import REPEATED, View
from kbrules.hex.grid import Grid, Symmetry
from kbrules.hex.sets import Mask, bits, mask_of
from kbrules.kernel.layout import (
    Cells,
    ConfiguredGame,
    DoesNotFit,
    KernelMemory,
    MemoryShape,
    Numbers,
    TableImage,
)
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.lowering.writing import BINDING, BINDINGS, Name, binding_of
from kbrules.kernel.runtime import names
from kbrules.lang.typed import Sort
from kbrules.plan.plan import Plan

# States as a kernel's numbers, and read from them: pieces, tiles, cards, frames of the stack.


LISTED = {"setup": ("before setup", "setup", "after setup"), "finish": ("finish",)}
"""Stages that are a list of phases."""
LOOPS = (type(None), game_state.RepeatLoop, game_state.UpToLoop, game_state.EachLoop)


def where_cards_are(
    cards: int, here: Iterable[int], beside: Iterable[int], retired: Iterable[int]
) -> list[int]:
    """For each of so many cards where it is, as a kernel has it.

    here: the cards of the table; of these some are beside it, or retired.
    """
    found = [0] * cards
    for group, where in ((here, names.COUNTS), (beside, names.BESIDE), (retired, names.RETIRED)):
        for card in group:
            found[card] = where
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


NUMBERS = ("active", "revealed", "choice", "firings", "cut", "further")
"""Facts of a state that are one number, under the same name in capitals."""
CARD_LISTS = ("shown", "aside")


class StateCodec:
    """Writes the states of one table as a kernel's numbers, and reads them.

    memory: one in which lies what its board fixes; a state in which nothing is under way needs
    none.
    """

    def __init__(
        self, lowered: KernelText, game: ConfiguredGame, cells: Cells, memory: KernelMemory | None
    ) -> None:
        self._lowered, self._layout, self._cells = lowered, lowered.layout, cells
        self._blocks, self._board, self._players = lowered.blocks, game.board, game.players
        self._memory: Any = memory
        self._cards = game.cards
        self._offers = tuple(lowered.plan.offers)
        self._memories = tuple(lowered.plan.ruleset.memories.values())
        self._begun = {name: begun(lowered.plan, game, kinds) for name, kinds in LISTED.items()}
        self._start = self._layout["STATE"]
        self._numbers = cells.zeros(0)
        self._facts = self._all_facts()

    def encode(self, state: game_state.State) -> Numbers:
        """Return what lies in a memory from `STATE` on; DoesNotFit if there is not enough of it.

        What a game only counts, and no rule asks for, is 0.
        """
        layout = self._layout
        end = layout["FRAMES"] + len(state.stack) * layout["FRAME"]
        self._numbers = self._cells.zeros(end - self._start)
        self._put_course(state)
        self._put_table(state)
        for player, seat in enumerate(state.seats):
            self._put_seat(seat, layout["SEATS"] + player * layout["SEAT"])
        if len(state.stack) > names.MAX_COUNTS["FRAME"]:
            raise DoesNotFit(names.OUT_OF_FRAMES)
        for depth, frame in enumerate(state.stack):
            self._put_frame(frame, layout["FRAMES"] + depth * layout["FRAME"])
        return self._numbers

    def state(self, numbers: Numbers, *known: Any) -> game_state.State:
        """Return the state that lies in numbers, which begin with what lies at `STATE`.

        Its fields are decoded when they are first read. known: the game it is of, and its
        legal moves.
        """
        game, moves = known or (None, None)
        return game_state.kernel_state(
            game_state.StateCache(game, moves, partial(self._fact, numbers), numbers)
        )

    def _fact(self, numbers: Numbers, name: str) -> Any:
        self._numbers = numbers
        return self._facts[name]()

    # numbers, sets and lists

    def _put(self, at: int, values: Iterable[int]) -> None:
        self._put_cells(at, self._cells.numbers(values))

    def _put_sets(self, at: int, masks: Iterable[Mask]) -> None:
        self._put_cells(at, self._cells.of_sets(masks))

    def _put_cells(self, at: int, cells: Numbers) -> None:
        at -= self._start
        self._numbers[at : at + len(cells)] = cells

    def _number(self, at: int) -> int:
        return self._numbers[at - self._start]

    def _part(self, at: int, size: int) -> tuple[int, ...]:
        at -= self._start
        return tuple(self._numbers[at : at + size])

    def _sets(self, at: int, number: int) -> tuple[Mask, ...]:
        return tuple(self._set(at + i * self._layout.width) for i in range(number))

    def _set(self, at: int) -> Mask:
        return self._cells.set_in(self._numbers, at - self._start)

    def _list(self, at: int) -> tuple[int, ...]:
        return self._part(at + 1, self._number(at))

    # the table

    def _put_course(self, state: game_state.State) -> None:
        layout, (stage, index) = self._layout, state.stage
        if stage in self._begun:
            index = self._begun[stage][index]
        for name in NUMBERS:
            self._put(layout[name.upper()], [getattr(state, name)])
        for name, number in (
            ("STAGE", STAGES.index(stage)), ("INDEX", index), ("ENDING", state.ending),
            ("DEPTH", len(state.stack)),
        ):  # fmt: skip
            self._put(layout[name], [number])
        used = [self._offers.index(path) for path in state.used]
        self._put(layout["USED_ACTIONS"], [len(used), *used])

    def _put_table(self, state: game_state.State) -> None:
        layout, catalog = self._layout, self._board.catalog
        places = zip(self._board.places, state.stock, strict=True)
        stocked = sum(1 << hex for hex, tiles in places if tiles)
        held = (
            reduce(or_, [seat.pieces[piece] for seat in state.seats], mask)
            for piece, mask in enumerate(state.neutral)
        )
        for name, masks in (
            ("OCCUPIED", [state.occupied]), ("STOCKED", [stocked]),
            ("NEUTRAL", state.neutral), ("HELD", held),
        ):  # fmt: skip
            self._put_sets(layout[name], masks)
        self._put(layout["STOCK"], map(len, state.stock))
        self._put(layout["PILES"], sum(state.piles, ()))
        if layout["CARDS_MOVE"]:
            here = [catalog.cards.index(card) for card in self._cards]
            out = bits(state.beside), bits(state.retired)
            self._put(layout["IN_PLAY"], where_cards_are(len(catalog.cards), here, *out))
        for name in CARD_LISTS:
            self._put_hand(layout[name.upper()], getattr(state, name))
        self._put_memories(state.memory, "table", 0)

    def _put_hand(self, at: int, cards: Sequence[int]) -> None:
        """Write how many cards there are, then each of them."""
        if len(cards) > names.MAX_COUNTS["SHOWN"]:
            raise DoesNotFit(names.OUT_OF_CARDS)
        self._put(at, [len(cards), *cards])

    def _all_facts(self) -> dict[str, Callable[[], Any]]:
        """How each fact of a state is read."""
        layout, pieces = self._layout, len(self._board.catalog.pieces)
        return {
            **{name: partial(self._number, layout[name.upper()]) for name in NUMBERS},
            **{name: partial(self._list, layout[name.upper()]) for name in CARD_LISTS},
            "beside": partial(self._cards_at, names.BESIDE),
            "retired": partial(self._cards_at, names.RETIRED),
            "ending": lambda: bool(self._number(layout["ENDING"])),
            "stage": self._stage,
            "used": self._used,
            "occupied": partial(self._set, layout["OCCUPIED"]),
            "neutral": partial(self._sets, layout["NEUTRAL"], pieces),
            "stock": self._stock,
            "piles": self._piles,
            "memory": partial(self._memory_values, "table", 0),
            "seats": lambda: tuple(map(self._seat, range(self._players))),
            "stack": lambda: tuple(map(self._frame, range(self._number(layout["DEPTH"])))),
        }

    def _cards_at(self, where: int) -> Mask:
        """The scoring cards that are beside the table, or retired."""
        layout = self._layout
        if not layout["CARDS_MOVE"]:
            return 0
        cells = self._part(layout["IN_PLAY"], len(self._board.catalog.cards))
        return mask_of(card for card, cell in enumerate(cells) if cell == where)

    def _stage(self) -> tuple[str, int]:
        index = self._number(self._layout["INDEX"])
        stage = STAGES[self._number(self._layout["STAGE"])]
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
        return tuple(
            self._part(first + zone * cards, cards) for zone in range(len(game_state.ZONES))
        )

    def _slots(self, scope: str, at: int) -> Iterator[tuple[int, int, bool]]:
        """Each memory of the table, or of a seat that begins there: its slot, place, if a set."""
        for its_scope, slot in self._memories:
            if (its_scope == "table") == (scope == "table"):
                place = at + self._layout[f"MEMORY_{slot}"]
                yield slot, place, slot in self._lowered.set_slots

    def _put_memories(self, values: Sequence[int], scope: str, at: int) -> None:
        for slot, place, is_set in self._slots(scope, at):
            (self._put_sets if is_set else self._put)(place, [values[slot]])

    def _memory_values(self, scope: str, at: int) -> tuple[int, ...]:
        found = [0] * len(self._memories)
        for slot, place, is_set in self._slots(scope, at):
            found[slot] = (self._set if is_set else self._number)(place)
        return tuple(found)

    # seats

    def _put_seat(self, seat: game_state.Seat, at: int) -> None:
        layout = self._layout
        self._put_sets(at + layout["ALL"], [seat.all])
        self._put_sets(at + layout["PIECES"], seat.pieces)
        self._put(at + layout["SUPPLY"], seat.supply)
        self._put(at + layout["GOLD"], [seat.gold])
        self._put_hand(at + layout["HAND"], seat.hand)
        tiles = [(kind, origin, STATUSES.index(status)) for kind, origin, status in seat.tiles]
        if len(tiles) > names.MAX_COUNTS["TILES"]:
            raise DoesNotFit(names.OUT_OF_TILES)
        self._put(at + layout["TILES"], [len(tiles), *sum(tiles, ())])
        self._put_memories(seat.memory, "seat", at)

    def _seat(self, player: int) -> game_state.Seat:
        layout, pieces = self._layout, len(self._board.catalog.pieces)
        at = layout["SEATS"] + player * layout["SEAT"]
        count = self._number(at + layout["TILES"])
        tiles = iter(self._part(at + layout["TILES"] + 1, 3 * count))
        return game_state.Seat(
            self._sets(at + layout["PIECES"], pieces),
            self._set(at + layout["ALL"]),
            self._part(at + layout["SUPPLY"], pieces),
            self._list(at + layout["HAND"]),
            tuple(
                game_state.Tile(kind, origin, STATUSES[status])
                for kind, origin, status in zip(tiles, tiles, tiles, strict=True)
            ),
            self._memory_values("seat", at),
            self._number(at + layout["GOLD"]),
        )

    # frames

    def _put_frame(self, frame: game_state.Frame, at: int) -> None:
        number = self._blocks.numbers[frame.block]
        fields = {
            names.BLOCK: number, names.PC: frame.pc, names.ME: frame.me,
            names.DONE: frame.repetitions,
            names.CHOSEN: len(frame.chosen), names.FIRST: frame.chosen[0] if frame.chosen else 0,
        }  # fmt: skip
        fields[names.LOOP] = LOOPS.index(type(frame.loop))
        if isinstance(frame.loop, game_state.EachLoop):
            fields |= self._put_items(frame.block, frame.loop.left, at)
        elif frame.loop:
            fields |= zip((names.LEFT, names.ROUNDS, names.MAY_STOP), frame.loop, strict=False)
        for field, value in fields.items():
            self._put(at + field, [value])
        for name in self._blocks.names[number]:
            place = at + self._layout[self._blocks.frame_field(name)]
            value = binding_of(frame.env) if name == BINDING else frame.env.get(name[0], 0)
            (self._put_sets if name[1] is Sort.HEXES else self._put)(place, [value])

    def _put_items(self, block: str, items: Sequence[int], at: int) -> dict[int, int]:
        """Write the items that a loop has left, or where they are: the fields that say so."""
        layout, domain = self._layout, self._blocks.domain(block)
        match domain.sort:
            case Sort.HEXES:
                self._put_sets(at + layout["ITEMS"], [sum(items)])
                return {}
            case Sort.GROUPS if getattr(domain, "fixed", False):
                first = layout[self._blocks.hoisted_name(domain)]
                gone = self._memory.number(first + 1) - len(items)
                left = self._memory.number(first) + gone * layout.width
            case Sort.PLAYERS:
                left = self._players - len(items)
            case sort:
                if len(items) > names.MAX_COUNTS["LIST"]:
                    raise DoesNotFit(names.OUT_OF_LIST)
                put = self._put_sets if sort is Sort.GROUPS else self._put
                put(at + layout["LIST"], items)
                left = 0
        return {names.LEFT: left, names.ROUNDS: len(items)}

    def _frame(self, depth: int) -> game_state.Frame:
        at = self._layout["FRAMES"] + depth * self._layout["FRAME"]
        fields = self._part(at, names.FIELDS)
        number = fields[names.BLOCK]
        path = self._blocks.paths[number]
        chosen = (fields[names.FIRST],) if fields[names.CHOSEN] else ()
        env = dict(self._env(number, at))
        loop = self._loop(path, fields, at)
        return game_state.Frame(
            path, fields[names.PC], fields[names.ME], env, loop, fields[names.DONE], chosen
        )

    def _env(self, block: int, at: int) -> Iterator[tuple[str, Any]]:
        """What is bound in a frame: what an event bound, then loops, and whether it is a reuse."""
        bound = self._blocks.names[block]
        binding = self._value(BINDING, at) if BINDING in bound else 0
        for name in (*BINDINGS[binding], *self._blocks.loop_names[block]):
            yield name[0], self._value(name, at)
        for name in bound:
            if name[0] == REPEATED and self._value(name, at):
                yield REPEATED, True

    def _value(self, name: Name, at: int) -> Any:
        place = at + self._layout[self._blocks.frame_field(name)]
        if name[1] is Sort.HEXES:
            return self._set(place)
        number = self._number(place)
        return bool(number) if name[1] is Sort.TRUTH else number

    def _loop(self, path: str, fields: Sequence[int], at: int) -> game_state.Loop | None:
        left, rounds, may_stop = fields[names.LEFT : names.MAY_STOP + 1]
        match LOOPS[fields[names.LOOP]]:
            case game_state.RepeatLoop:
                return game_state.RepeatLoop(left)
            case game_state.UpToLoop:
                return game_state.UpToLoop(left, rounds, bool(may_stop))
            case game_state.EachLoop:
                items = self._items(path, fields, at)
                return game_state.EachLoop(self._blocks.variable(path), items)
        return None

    def _items(self, path: str, fields: Sequence[int], at: int) -> tuple[int, ...]:
        """The items that a loop has left."""
        layout, domain = self._layout, self._blocks.domain(path)
        left, number = fields[names.LEFT], range(fields[names.ROUNDS])
        match domain.sort:
            case Sort.HEXES:
                return tuple(1 << hex for hex in bits(self._set(at + layout["ITEMS"])))
            case Sort.GROUPS if not getattr(domain, "fixed", False):
                first = at + layout["LIST"] + left
                return self._sets(first, len(number))
            case Sort.GROUPS:
                return tuple(self._memory.set_at(left + i * layout.width) for i in number)
            case Sort.PLAYERS:
                return tuple((fields[names.ME] + left + i) % self._players for i in number)
            case _:
                return tuple(self._part(at + layout["LIST"] + left, len(number)))


# Moves as a kernel has them: numbers for verbs, rules and hexes, and groups of them.


CHOOSE, DRAW = "choose", "draw"
DRAWN = (MoveGroup(DRAW, ""),)
NOBODY = MoveSet(CHANCE, ())


class MoveDecoder:
    """Reads what is offered in a memory, and writes moves."""

    def __init__(self, lowered: KernelText) -> None:
        self._layout, self._verbs = lowered.layout, lowered.strings.verbs
        self._paths = ["", *lowered.blocks.paths]
        hexes = lowered.plan.ruleset.catalog.hexes
        self._rules = [*lowered.strings.rules, *(kind.id for kind in hexes)]
        self._cards = len(lowered.plan.ruleset.catalog.deck)
        first = self._layout["TERRAIN_RULES"]
        self._verb = {verb: number for number, verb in enumerate(self._verbs)}
        self._rule = {rule: number for number, rule in enumerate(lowered.strings.rules)}
        self._terrain = {kind.id: number for number, kind in enumerate(hexes, first)}
        self._path = {path: number for number, path in enumerate(self._paths)}

    def offered(self, memory: KernelMemory) -> MoveSet:
        """The moves of the decision that is due, as `legal_moves` says them."""
        layout = self._layout
        player = memory.number(layout["DECIDER"])
        if memory.number(layout["IS_DRAW"]):
            return MoveSet(CHANCE, DRAWN, tuple(memory.numbers(layout["PILES"], self._cards)))
        return MoveSet(player, self._groups(memory))

    def _groups(self, memory: KernelMemory) -> tuple[MoveGroup, ...]:
        layout, found = self._layout, []
        size, first = layout["GROUP_SIZE"], layout["GROUPS"]
        for at in range(first, first + memory.number(layout["GROUP_COUNT"]) * size, size):
            verb, rule, path = memory.numbers(at, 3)
            hexes = memory.set_at(at + 8)
            found.append(MoveGroup(self._verbs[verb], self._rules[rule], hexes, self._paths[path]))
        return tuple(found)

    def numbers(self, move: Move) -> tuple[int, int, int]:
        """Verb, rule and hex of a move."""
        verb, rule, hex = move
        rules = self._terrain if verb == CHOOSE else self._rule
        return self._verb[verb], rules[rule], hex

    def decision(self, move: Move, group: MoveGroup) -> tuple[int, ...]:
        """What a kernel must know to carry out a move of a group: its numbers, and what it begins.

        Of a draw the verb is -1 and the hex the card.
        """
        if move.verb == DRAW and not move.rule:
            return -1, 0, move.hex, 0
        return *self.numbers(move), self._path[group.path]


# The image of a table: a row of numbers, and what all tables of a shape share.


MAX_CACHED = 16
"""How many shapes of tables are cached."""


class MemoryImage:
    """What a kernel is given of one table after another.

    What tables have in common is worked out once.
    """

    def __init__(self, lowered: KernelText, cells: Cells) -> None:
        self._lowered, self._layout, self._cells = lowered, lowered.layout, cells
        self._shapes: dict[Any, MemoryShape] = {}

    def blank(self) -> Numbers:
        """A memory that knows the rules and no table yet."""
        memory = self._cells.zeros(self._layout.end)
        blocks, plan = self._lowered.blocks, self._lowered.plan
        begun = [plan.required_by_block.get(path) for path in blocks.paths]
        self._put(memory, "BEGUN", [-1 if each is None else int(each) for each in begun])
        self._put(memory, "FIRST_STEP", blocks.first_step)
        self._put(memory, "LENGTHS", [len(statements) for statements in blocks.statements])
        self._put(memory, "KIND_OF", [self._layout[kind] for kind in self._lowered.kinds])
        return memory

    def table_image(self, game: ConfiguredGame) -> TableImage:
        """The table of a game."""
        return TableImage(self.shape(game), self.row(game.board, game.cards))

    def row(self, board: Board, in_play: Iterable[str]) -> Numbers:
        """The row by which a kernel lays a board with some cards; see `runtime/rows.py`."""
        cells, catalog = self._cells, board.catalog
        here = [catalog.cards.index(card) for card in in_play]
        cards = where_cards_are(len(catalog.cards), here, cards_beside(catalog, here), ())
        tiles = [number for hex in board.places for number in (hex, board.tiles[hex])]
        row = cells.of_sets(board.kinds)
        row += cells.numbers([*cards, len(board.places), *tiles])
        return row

    def shape(self, game: ConfiguredGame) -> MemoryShape:
        """What all tables like that of a game share."""
        key = game.board.grid, game.board.sectors, game.players
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MAX_CACHED:
                self._shapes.clear()
            found = self._shapes[key] = self._shape(game)
        return found

    def _shape(self, game: ConfiguredGame) -> MemoryShape:
        head = self._grid(game.board.grid)
        self._put(head, "PLAYERS", [game.players])
        catalog = game.ruleset.catalog
        self._put(head, "SHOWS", self._shows(game))
        self._put(head, "SIZES", [piece.size for piece in catalog.pieces])
        self._put(head, "SUPPLIES", [piece.supply for piece in catalog.pieces])
        self._put(head, "NEUTRALS", [piece.neutral for piece in catalog.pieces])
        self._put(head, "EACH", [tile.each for tile in catalog.tiles])
        parts = {part.name for part in game.board.grid.parts}
        beside = [grid.id for grid in catalog.grids]
        masks = [game.board.grid.part(id) if id in parts else 0 for id in beside]
        self._put_cells(head, "GRIDS", self._cells.of_sets(masks))
        groups = self._of_grid(head, game)
        return MemoryShape(head, self._first(game), groups)

    def _first(self, game: ConfiguredGame) -> Numbers:
        """The state before set-up, but for the tiles on the board."""
        layout = self._layout
        state = StateCodec(self._lowered, game, self._cells, None).encode(game.empty())
        for name, size in (("STOCKED", layout.width), ("STOCK", layout.places)):
            at = layout[name] - layout["STATE"]
            state[at : at + size] = self._cells.zeros(size)
        return state

    def _put(self, numbers: Numbers, name: str, values: Iterable[int]) -> None:
        self._put_cells(numbers, name, self._cells.numbers(values))

    def _put_cells(self, numbers: Numbers, name: str, cells: Numbers) -> None:
        start = self._layout[name]
        numbers[start : start + len(cells)] = cells

    def _grid(self, grid: Grid) -> Numbers:
        layout, cells = self._layout, self._cells
        head = cells.zeros(layout["BEGUN"])
        self._put_cells(head, "FULL", cells.of_sets([grid.full]))
        self._put_cells(head, "WITH_HOLES", cells.of_sets([grid.filled]))
        self._put(head, "PART_COUNT", [len(grid.parts)])
        self._put(head, "TRACED", [-1])
        self._put(head, "AXIAL", _axial(grid, layout.hexes))
        for which, table in zip(Symmetry, grid.symmetry_tables, strict=True):
            self._put(head, which.name, [table.get(hex, -1) for hex in range(layout.hexes)])
        self._put(head, "PLACE_AT", [-1] * layout.hexes)
        return head

    def _shows(self, game: ConfiguredGame) -> Numbers:
        """For each card of the deck its terrains, behind room for those that are on the board."""
        half = self._layout["SHOWS_SIZE"] // 2
        rows = []
        for card in game.ruleset.catalog.deck:
            unused = [0] * (half - 1 - len(card.terrains))
            rows.append([*[0] * half, len(card.terrains), *card.terrains, *unused])
        return self._cells.numbers(number for row in rows for number in row)

    def _of_grid(self, head: Numbers, game: ConfiguredGame) -> Numbers:
        """What the rules ask of the shape of a table, by the code of the words; the groups."""
        view = View(game.board, game.empty(), 0, self._lowered.plan, {})
        groups = self._cells.zeros(0)
        for name, (sort, node) in self._lowered.grid_values.items():
            value = node.value(view)
            if sort is Sort.GROUPS:
                self._put(head, name, [self._layout.end + len(groups), len(value)])
                groups += self._cells.of_sets(value)
            else:
                self._put_cells(head, name, self._cells.of_sets([value]))
        return groups


def _axial(grid: Grid, hexes: int) -> list[int]:
    """Of each hex its part, row, slant and fall; -1 where there is none."""
    found = [-1] * (4 * hexes)
    names = [part.name for part in grid.parts]
    for hex in range(grid.full.bit_length()):
        if grid.full >> hex & 1:
            part, row, column = grid.address(hex)
            slant = column - row // 2
            found[4 * hex : 4 * hex + 4] = names.index(part), row, slant, row + slant
    return found
