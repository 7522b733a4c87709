"""The kernel of a game: made once for the rules, options and boards of a kind, by engine."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.engine.interface import Playable
from kbrules.engine.simulation.decoding import Reader
from kbrules.game.board import Board
from kbrules.hex.masks import Mask
from kbrules.kernel.lowering.refused import NotLowered
from kbrules.kernel.lowering.rules import Lowered, lowered
from kbrules.kernel.memory.cells import Ints, Memory, Numbers, Words
from kbrules.kernel.memory.image import Image, Laid
from kbrules.kernel.memory.layout import PLACES, ROOMS
from kbrules.kernel.memory.positions import NoRoom
from kbrules.kernel.native.missing import MissingNumba
from kbrules.kernel.python.memory import Memory as OfInts
from kbrules.kernel.python.program import Program
from kbrules.library.ruleset import Ruleset
from kbrules.plan.limits import MOST_BITS

__all__ = ["ENGINES", "NATIVE", "PYTHON", "Kernel", "OutOfRoom", "kernel_of", "memory_of"]

ENGINES = PYTHON, NATIVE
"""`python` runs the kernel by CPython, `native` as machine code: that needs the extra `fast`."""
MOST_READERS = 256


class OutOfRoom(RuntimeError):
    """A game that needs more room than its kernel has; the reference can play it on.

    what: for which there is no room. fault: the number of what there is too much of, by its place
    in `ROOMS`, from 1 or down from -1.
    """

    def __init__(self, what: str, fault: int) -> None:
        much = [*ROOMS.values()][abs(fault) - 1]
        why = "the engine `reference` has no such limit"
        super().__init__(f"the kernel has no room for {what}: too many {much}; {why}")
        self.what, self.fault = what, fault

    def __reduce__(self) -> tuple[Any, ...]:
        return OutOfRoom, (self.what, self.fault)


class Kernel:
    """What was lowered, and the memories that it works on, one table after another.

    program: the functions in Python.
    """

    def __init__(
        self, lowered: Lowered, image: Image, memory: Memory, program: Program | None = None
    ) -> None:
        self.lowered, self.program = lowered, program
        self._readers: dict[tuple[int | str, ...], Reader] = {}
        self._image, self._blank = image, memory
        self._played: Memory | None = None
        self._game: Playable | None = None

    def memory(self, game: Playable) -> Memory:
        """A memory of its own for whoever plays this game."""
        self._lay(self._blank, game)
        return copy(self._blank)

    def reader(self, game: Playable) -> Reader:
        """What reads the outcomes of a table: the same where the same rules pay as many players."""
        key: tuple[int | str, ...] = (game.players, *(rule.id for rule in game.scoring.rules))
        found = self._readers.get(key)
        if found is None:
            if len(self._readers) >= MOST_READERS:
                self._readers.clear()
            found = self._readers[key] = Reader(self.lowered, game)
        return found

    def row(self, board: Board, cards: Iterable[str]) -> Numbers:
        """The row by which the kernel lays a board with some cards."""
        return self._image.row(board, cards)

    def for_tables(self, game: Playable) -> Memory:
        """The one memory in which whole games are played, for tables of the shape of a game's.

        Each call brings the rows of its tables.
        """
        if self._played is None:
            self._played = copy(self._blank)
        self._game = None
        self._played.take(self._image.shape(game))
        return self._played

    def at_table(self, game: Playable) -> Memory:
        """The one memory in which whole games are played, of this table until the next is laid."""
        if self._played is None:
            self._played = copy(self._blank)
        if self._game is not game:
            self._game = None
            self._lay(self._played, game)
            self._game = game
        return self._played

    def _lay(self, memory: Memory, game: Playable) -> None:
        try:
            memory.lay(self._laid(game))
        except NoRoom as lacking:
            raise OutOfRoom("this table", self.lowered.layout[lacking.fault]) from None

    def _laid(self, game: Playable) -> Laid:
        found: Laid | None = game.kept.get(self)
        if found is None:
            found = game.kept[self] = self._image.laid(game)
        return found


def kernel_of(game: Playable, engine: str) -> Kernel:
    """The kernel for a game's rules and options and boards like its own, kept with the rules.

    NotLowered if none can be made of the rules, MissingNumba for `native` without the extra.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine is called {engine!r}: {' or '.join(ENGINES)}")
    ruleset, grid = game.ruleset, game.board.grid
    cards = cards_of(game)
    options = tuple(sorted(game.options.items()))
    width, hexes = _size_of(grid.full, engine)
    places = PLACES if len(game.board.places) <= PLACES else len(game.board.places)
    key = ("kernel", engine, cards, options, width, hexes, grid.stride, places)
    if key not in ruleset.kept:
        made = lowered(ruleset, cards, game.options, width, hexes, grid.stride, places)
        ruleset.kept[key] = _in_python(made) if engine == PYTHON else _native(made)
    found: Kernel = ruleset.kept[key]
    return found


def cards_of(game: Playable) -> tuple[int, ...]:
    """The cards that have a part in the kernel of a game.

    A card that only pays, or only follows events, is in every kernel: the memory says if it is
    in play. One that changes what is legal is in the kernels of its own tables only.
    """
    ruleset = game.ruleset
    return tuple(
        card
        for card in sorted(ruleset.acting_cards)
        if card in game.card_indexes or not _bears_on_others(ruleset, card)
    )


def memory_of(game: Playable, engine: str) -> Memory:
    """A memory of its own for whoever plays this game."""
    return kernel_of(game, engine).memory(game)


def _size_of(full: Mask, engine: str) -> tuple[int, int]:
    """How many numbers hold a set, and how many indexes a hex may have."""
    if engine == PYTHON:
        return 1, full.bit_length() + 1
    if full.bit_length() > MOST_BITS:
        raise NotLowered(f"a board with more than {MOST_BITS} bits (KB748)")
    width = 1
    while 64 * width <= full.bit_length():
        width *= 2
    return width, 64 * width


def _in_python(made: Lowered) -> Kernel:
    program = Program(made.text)
    image = Image(made, Ints())
    return Kernel(made, image, OfInts(image, program), program)


def _native(made: Lowered) -> Kernel:
    try:
        from kbrules.kernel.native.jit import compiled
        from kbrules.kernel.native.memory import Memory as OfWords
    except ImportError as error:
        raise MissingNumba(str(error)) from None
    native = compiled(made.text)
    image = Image(made, Words(made.layout.width))
    return Kernel(made, image, OfWords(image, made.layout.width, native))


def _bears_on_others(ruleset: Ruleset, card: int) -> bool:
    owner = next(owner for owner in ruleset.owners.values() if owner.card == card)
    rule = owner.rule
    return bool(rule.norms or rule.changes or rule.actions)
