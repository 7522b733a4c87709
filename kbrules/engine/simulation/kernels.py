"""The kernel of a game, made once for what it depends on, and its results decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

from kbrules.diagnostics import CodedError, Diagnostic, RulesError, shortened
from kbrules.engine.configuration import NATIVE, PYTHON, Table, check_game
from kbrules.engine.matches import Outcome
from kbrules.game.board import Board
from kbrules.hex.sets import Mask
from kbrules.kernel import states
from kbrules.kernel.layout import (
    PLACES,
    DoesNotFit,
    Int64Cells,
    IntCells,
    KernelMemory,
    Numbers,
)
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.lowering.writing import NotLowered
from kbrules.kernel.python import PythonKernel
from kbrules.kernel.runtime.names import GROUP_TOO_LARGE, ROOMS
from kbrules.plan.plan import MAX_BITS, Plan
from kbrules.primitives.numbers import TOO_LARGE_HELP, too_large_group

# Decodes the results of finished games from a kernel's numbers.


class PlayerColumns(NamedTuple):
    """Where the numbers of one player lie in the row of an outcome."""

    gained: int
    decisions: int
    paid: slice
    used: slice
    taken: slice
    gains: slice


Columns = Sequence[Sequence[int]]
Gains = tuple[tuple[tuple[str, int], ...], ...]


class OutcomeDecoder:
    """Reads outcomes: each is a row of so many numbers as `size` says, one behind the other."""

    def __init__(self, lowered: KernelText, game: Table) -> None:
        players = range(game.players)
        self.fields = [_player_columns(lowered, player) for player in players]
        """Where the numbers of each player lie."""
        self.size = self.fields[-1].gains.stop
        places = [lowered.paying_rules.index(id) for id in game.scoring.ids]
        self._gold = [[fields.paid.start + at for at in places] for fields in self.fields]
        self._gained = [fields.gained for fields in self.fields]
        self._decisions = [fields.decisions for fields in self.fields]
        self._used = [range(each.used.start, each.used.stop) for each in self.fields]
        self._taken = [range(each.taken.start, each.taken.stop) for each in self.fields]
        rules = range(len(lowered.gaining_rules))
        order = sorted(rules, key=lowered.gaining_rules.__getitem__)
        firsts = [fields.gains.start for fields in self.fields]
        self._gains = [[(lowered.gaining_rules[i], first + i) for i in order] for first in firsts]
        bits = range(1 << game.players)
        self._winners = [tuple([p for p in players if each >> p & 1]) for each in bits]

    def total_columns(self, player: int) -> list[int]:
        """Where the numbers lie that are the total gold of a player."""
        fields = self.fields[player]
        return [fields.gained, *range(fields.paid.start, fields.paid.stop)]

    def decode_all(self, rows: Sequence[int]) -> Iterator[Outcome]:
        """The outcomes that rows say.

        They are put together by columns: that takes a third of the time of one by one.
        """
        columns = [rows[at :: self.size] for at in range(self.size)]
        fields = zip(
            _by_player(columns, self._gold), _tuples(columns, self._gained),
            map(self._winners.__getitem__, columns[2]), columns[1],
            _tuples(columns, self._decisions), _by_player(columns, self._used),
            _by_player(columns, self._taken), self._gains_of(columns), strict=True,
        )  # fmt: skip
        return map(_outcome, fields)

    def _gains_of(self, columns: Columns) -> Iterator[Gains]:
        """The gold that each player got in play, by rule."""
        some = [[(id, columns[at]) for id, at in each if any(columns[at])] for each in self._gains]
        games = len(columns[0])
        if not any(some):
            return repeat(tuple([() for _ in some]), games)
        return (
            tuple([tuple([(id, gold[i]) for id, gold in each if gold[i]]) for each in some])
            for i in range(games)
        )


def _player_columns(lowered: KernelText, player: int) -> PlayerColumns:
    kinds, gains = lowered.layout["TILE_KINDS"], lowered.layout["GAIN_RULES"]
    rules = len(lowered.paying_rules)
    at = 3 + player * (2 + rules + 2 * kinds + gains)
    used = at + 2 + rules
    taken, last = used + kinds, used + 2 * kinds
    return PlayerColumns(
        at, at + 1, slice(at + 2, used), slice(used, taken), slice(taken, last),
        slice(last, last + gains),
    )  # fmt: skip


# Made for every game; this is twice as fast as calling the class.
_outcome: Callable[[tuple[Any, ...]], Outcome] = partial(tuple.__new__, Outcome)


def _tuples(columns: Columns, places: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """For each row what stands in some of the columns."""
    found = [columns[place] for place in places]
    return zip(*found, strict=True) if found else repeat((), len(columns[0]))


def _by_player(
    columns: Columns, places: Iterable[Iterable[int]]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """For each row, and in that for each player, what stands in some of the columns."""
    return zip(*[_tuples(columns, each) for each in places], strict=True)


# The kernel of a game: made once for the rules, options and boards of a kind, by engine.

ENGINES = PYTHON, NATIVE
"""`python` runs the kernel by CPython, `native` as machine code: that needs the extra `fast`."""
MAX_DECODERS = 256


class MissingNumba(CodedError):
    """The libraries of the extra `fast` are not there."""

    code = "KB045"
    help = "pip install 'kbrules[fast]'"

    def __init__(self, why: str) -> None:
        super().__init__(f"this needs the extra `fast` of kbrules: {why}")


class OutOfRoom(CodedError, RuntimeError):
    """A game that needs more room than its kernel has; the reference can play it on. Code KB065.

    what: for which there is no room. fault: the number in `ROOMS` of what there is too much of, or
    the same below 0.
    """

    code = "KB065"
    help = "choose the engine `reference`"

    def __new__(cls, what: str, fault: int) -> OutOfRoom:
        is_group = abs(fault) == GROUP_TOO_LARGE
        return super().__new__(GroupTooLarge if is_group else cls)

    def __init__(self, what: str, fault: int) -> None:
        much = ROOMS[abs(fault)]
        why = "the engine `reference` has no such limit"
        super().__init__(f"the kernel has no room for {what}: too many {much}; {why}")
        self.what, self.fault = what, fault

    def __reduce__(self) -> tuple[Any, ...]:
        return OutOfRoom, (self.what, self.fault)


class GroupTooLarge(OutOfRoom, RulesError):
    """The error of the reference where a group is too large for `longest_way`. Code KB513."""

    code = "KB513"
    help = TOO_LARGE_HELP

    def __init__(self, what: str, fault: int) -> None:
        RulesError.__init__(self, [too_large_group()])
        self.what, self.fault = what, fault

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding."""
        return self.diagnostics[0]


class Kernel:
    """What was lowered, and the memories that it works on, one table after another.

    program: the functions in Python.
    """

    def __init__(
        self,
        lowered: KernelText,
        image: states.MemoryImage,
        memory: KernelMemory,
        python_kernel: PythonKernel | None = None,
    ) -> None:
        self.lowered, self.program = lowered, python_kernel
        self._decoders: dict[tuple[int, tuple[str, ...]], OutcomeDecoder] = {}
        self._image, self._blank = image, memory
        self._shared: KernelMemory | None = None
        self._loaded: Table | None = None

    def new_memory(self, game: Table) -> KernelMemory:
        """A memory of its own, with the table of this game."""
        self._load_table(self._blank, game)
        return copy(self._blank)

    def decoder(self, game: Table) -> OutcomeDecoder:
        """What reads the outcomes of a table: the same where the same rules pay as many players."""
        key = game.players, game.scoring.ids
        found = self._decoders.get(key)
        if found is None:
            if len(self._decoders) >= MAX_DECODERS:
                self._decoders.clear()
            found = self._decoders[key] = OutcomeDecoder(self.lowered, game)
        return found

    def board_row(self, board: Board, cards: Iterable[str]) -> Numbers:
        """The row by which the kernel lays a board with some cards."""
        return self._image.row(board, cards)

    def memory_for_tables(self, game: Table) -> KernelMemory:
        """The one memory in which whole games are played, for tables of the shape of a game's.

        Each call brings the rows of its tables.
        """
        if self._shared is None:
            self._shared = copy(self._blank)
        self._loaded = None
        self._shared.take(self._image.shape(game))
        return self._shared

    def memory_for_table(self, game: Table) -> KernelMemory:
        """The one memory in which whole games are played, of this table until the next is laid."""
        if self._shared is None:
            self._shared = copy(self._blank)
        if self._loaded is not game:
            self._loaded = None
            self._load_table(self._shared, game)
            self._loaded = game
        return self._shared

    def _load_table(self, memory: KernelMemory, game: Table) -> None:
        try:
            if self not in game.cache:
                game.cache[self] = self._image.table_image(game)
            memory.lay(game.cache[self])
        except DoesNotFit as lacking:
            raise OutOfRoom("this table", lacking.fault) from None


def kernel_of(game: Table, engine: str) -> Kernel:
    """The kernel for a game's rules and options and boards like its own, cached with the rules.

    NotLowered if none can be made of the rules, MissingNumba for `native` without the extra.
    """
    check_game(game)
    if not isinstance(engine, str) or engine not in ENGINES:
        raise ValueError(f"no engine is called {shortened(engine)}: {' or '.join(ENGINES)}")
    if game.players > game.ruleset.parts.players[1]:
        raise NotLowered(f"{game.players} players, more than the boxes are for")
    ruleset, grid = game.ruleset, game.board.grid
    cards = kernel_cards(game)
    options = tuple(sorted(game.options.items()))
    width, hexes = _set_size(grid.filled, engine)
    places = PLACES if len(game.board.places) <= PLACES else len(game.board.places)
    # All that the text of a kernel depends on beside the rules, and no more: boards of one shape
    # share a kernel, whatever lies on them.
    key = ("kernel", engine, cards, options, width, hexes, grid.stride, places)

    def make() -> Kernel:
        plan = Plan(ruleset, cards, game.options)
        text = KernelText(plan, width, hexes, grid.stride, places)
        return _python_kernel(text) if engine == PYTHON else _native_kernel(text)

    return ruleset.once(key, make)


def kernel_cards(game: Table) -> tuple[int, ...]:
    """The cards that have a part in the kernel of a game.

    A card that only pays, or only follows events, is in every kernel: the memory says if it is
    in play. One that changes what is legal is in the kernels of its own tables only.
    """
    acting, owners = game.ruleset.acting_cards, game.ruleset.owners.values()
    rules = {owner.card: owner.rule for owner in owners if owner.card in acting}
    changing = {c for c, rule in rules.items() if rule.norms or rule.changes or rule.actions}
    return tuple(
        card for card in sorted(acting) if card in game.card_indexes or card not in changing
    )


def _set_size(full: Mask, engine: str) -> tuple[int, int]:
    """How many numbers hold a set, and how many indexes a hex may have."""
    if engine == PYTHON:
        return 1, full.bit_length() + 1
    if full.bit_length() > MAX_BITS:
        raise NotLowered(f"a board with more than {MAX_BITS} bits (KB748)")
    width = 1
    while 64 * width <= full.bit_length():
        width *= 2
    return width, 64 * width


def _python_kernel(text: KernelText) -> Kernel:
    program = PythonKernel(text.text)
    image, layout = states.MemoryImage(text, IntCells()), text.layout
    memory = KernelMemory(layout, IntCells(), image.blank(), program["kernel"])
    return Kernel(text, image, memory, program)


def _native_kernel(text: KernelText) -> Kernel:
    try:
        from kbrules.kernel.native.jit import compile_kernel
        from kbrules.kernel.native.memory import NativeMemory
    except ImportError as error:
        raise MissingNumba(str(error)) from None
    native = compile_kernel(text.text)
    cells = Int64Cells(text.layout.width)
    image = states.MemoryImage(text, cells)
    return Kernel(text, image, NativeMemory(text.layout, cells, image.blank(), native))
