"""Which table a value belongs to, and checks of values that come from outside.

A `Fingerprint` says what makes a table. States and saves carry the one of their game: as long as
it is the same object nothing is compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from hashlib import blake2b
from operator import index as as_index
from typing import NamedTuple, Protocol

from kbrules.diagnostics import CodedError, shortened
from kbrules.engine.refusal import NOT_A_MOVE
from kbrules.game.board import Board
from kbrules.game.catalog import NONE
from kbrules.game.moves import Move
from kbrules.game.state import (
    FRESH,
    LOOP_NAMES,
    READY,
    USED,
    ZONES,
    Draft,
    Frame,
    Seat,
    State,
    StateCache,
    Tile,
)
from kbrules.hex.masks import Mask
from kbrules.library.boards.cells import OWNERS
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan

MAX_OPTION = 2**31 - 1
STAGES = ("setup", "turn", "turn over", "finish", "over")
STATUSES = (FRESH, READY, USED)
WORD = 2**63


class TableMismatch(CodedError, ValueError):
    """A state, save or board that belongs to another table, or was changed. Code KB066."""

    code = "KB066"
    help = "use what this very game made: its states, its `save()`, its arrays"


class Fingerprint(NamedTuple):
    """What makes a table: two games with equal fingerprints can share states.

    rules: the digest of the rule set. options: every option with its value. cards: those in play,
    sorted, then those beside the table. board: a digest of its grid, hexes, sectors and tiles.
    """

    rules: str
    options: tuple[tuple[str, bool | int], ...]
    players: int
    cards: tuple[str, ...]
    board: str

    @property
    def fingerprint(self) -> Fingerprint:
        """Itself: so it can take the place of a game that is not in this process."""
        return self

    @property
    def digest(self) -> str:
        """The fingerprint in 32 hexadecimal digits."""
        return _digest(tuple(self))

    def difference(self, other: Fingerprint) -> str:
        """Return in words what another table has that this one does not have."""
        return "; ".join(_differences(self, other))


class Table(Protocol):
    """What a table is made of, as far as its fingerprint and states depend on it."""

    ruleset: Ruleset
    board: Board
    players: int
    cards: tuple[str, ...]
    card_indexes: tuple[int, ...]
    options: dict[str, bool | int]
    plan: Plan

    @property
    def fingerprint(self) -> Fingerprint: ...


def fingerprint_of(table: Table, beside: Collection[int]) -> Fingerprint:
    """Return the fingerprint of a table. beside: the cards that begin beside it."""
    ruleset, board = table.ruleset, table.board
    options = tuple(sorted({**ruleset.options, **table.options}.items()))
    names = ruleset.catalog.cards
    in_play = sorted(names[card] for card in table.card_indexes if card not in beside)
    cards = (*in_play, *sorted(names[card] for card in beside))
    parts = board.grid.parts, board.kinds, board.sectors, sorted(board.tiles.items())
    return Fingerprint(ruleset.digest, options, table.players, cards, _digest(parts))


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=16).hexdigest()


def _differences(here: Fingerprint, there: Fingerprint) -> Iterator[str]:
    if here.rules != there.rules:
        yield f"its rules have the digest {there.rules[:8]}, those here {here.rules[:8]}"
    if here.players != there.players:
        yield f"it has {there.players} players, this table has {here.players}"
    if here.cards != there.cards:
        yield f"its cards are {_listed(there.cards)}, those here {_listed(here.cards)}"
    own, other = dict(here.options), dict(there.options)
    for name in sorted({*own, *other} if here.rules == there.rules else ()):
        if own.get(name) != other.get(name):
            yield f"its option `{name}` is {_shown(other[name])}, here {_shown(own[name])}"
    if here.board != there.board:
        yield "its board is not the one on this table"


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _shown(value: bool | int) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def whole_number(value: object, what: str) -> int:
    """Return a whole number, one of numpy too; TypeError, which says what is wanted, for others."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{what}, a whole number, not {shortened(value)}")
    return as_index(value)


# moves


_MOVE_TYPES = [str, str, int]


def move_of(value: object) -> Move:
    """Return a move that a program gave; TypeError if it is none."""
    if type(value) is Move and [*map(type, value)] == _MOVE_TYPES:  # nearly always, and at once
        return value
    if isinstance(value, tuple) and len(value) == 3:
        verb, rule, hex = value
        if isinstance(verb, str) and isinstance(rule, str) and hasattr(hex, "__index__"):
            return Move(verb, rule, as_index(hex))
    raise TypeError(NOT_A_MOVE)


# tables


def check_players(players: object) -> int:
    """Return a number of players; TypeError or ValueError if no table can have it."""
    if isinstance(players, bool) or not hasattr(players, "__index__"):
        raise TypeError(f"the number of players is a whole number, not {shortened(players)}")
    number = as_index(players)
    if not 1 <= number <= len(OWNERS):
        raise ValueError(f"a table has 1 to {len(OWNERS)} players, not {shortened(number)}")
    return number


def check_options(ruleset: Ruleset, options: object) -> dict[str, bool | int]:
    """Return the options of a table; KeyError for an unknown one, else TypeError, ValueError."""
    if not isinstance(options, Mapping):
        raise TypeError(f"options map names to values, not {shortened(options)}")
    for name, value in options.items():
        default = ruleset.options[name]
        if type(value) is not type(default):
            wanted = "yes or no (True or False)" if isinstance(default, bool) else "a whole number"
            raise TypeError(f"the option `{name}` is {wanted}, not {shortened(value)}")
        if abs(value) > MAX_OPTION:
            raise ValueError(f"the option `{name}` is at most {MAX_OPTION:,}")
    return dict(options)


def check_board(ruleset: Ruleset, board: Board) -> None:
    """Raise TableMismatch for a board that was laid for other rules."""
    own, other = ruleset.catalog, board.catalog
    if own is other:
        return
    for what in ("hexes", "pieces", "tiles", "cards", "deck", "grids"):
        if getattr(own, what) != getattr(other, what):
            raise TableMismatch(f"the board was laid for other rules: their {what} differ")


# states


def check_state(table: Table, state: object) -> None:
    """Raise TableMismatch for a state of another table, TypeError for what is no state.

    A state of this table that came from elsewhere is known from then on.
    """
    if not isinstance(state, State):
        raise TypeError(f"a state is wanted, as `game.start()` returns it, not {shortened(state)}")
    try:
        cache = state.cache
    except AttributeError:
        raise TableMismatch("this state is empty: no game made it") from None
    if cache is not None and cache.game is not None:
        _check_same(table.fingerprint, cache.game.fingerprint)
        return
    if problem := misfit(table, state):
        raise TableMismatch(f"this state does not fit this table: {problem}")
    if type(state) is not Draft:
        known = StateCache(None) if cache is None else cache
        object.__setattr__(state, "cache", known._replace(game=table.fingerprint))


def check_draft(table: Table, draft: Draft) -> None:
    """Raise TableMismatch for a draft that cannot be at a table."""
    if problem := misfit(table, draft):
        raise TableMismatch(f"this draft does not fit this table: {problem}")


def check_decision(state: State) -> None:
    """Raise TableMismatch for a state in which nothing is under way, though it is not over."""
    if not state.stack and not state.is_over:
        raise TableMismatch("nothing is to be decided here: `game.run_to_decision(draft)` goes on")


def _check_same(here: Fingerprint, there: Fingerprint) -> None:
    if here is not there and here != there:
        raise TableMismatch(f"this state is of another table: {here.difference(there)}")


def misfit(table: Table, state: State) -> str:
    """Return what of a state whose table is not known cannot be at a table; empty if all fits."""
    try:
        return next((what for what, fits in _StateCheck(table).all(state) if not fits), "")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return "a part of it is missing or is no such value"


class _StateCheck:
    """Checks each part of a state: how many there are of what, and that indexes are in range."""

    def __init__(self, table: Table) -> None:
        self._table, self._catalog = table, table.ruleset.catalog
        self._hexes = table.board.grid.filled

    def all(self, state: State) -> Iterator[tuple[str, bool]]:
        """Yield what is checked, and whether it fits."""
        table, catalog = self._table, self._catalog
        seats = len(state.seats)
        yield f"it has {seats} players, this table has {table.players}", seats == table.players
        yield "its pieces", self._are_masks(state.neutral) and self._is_mask(state.occupied)
        for seat in state.seats:
            yield from self._seat(seat)
        yield "its places with tiles", self._is_stock(state.stock)
        yield "its piles of cards", len(state.piles) == len(ZONES)
        yield "its piles of cards", all(map(self._is_pile, state.piles))
        deck = len(catalog.deck)
        yield "its cards", self._are_below(deck, (*state.shown, *state.aside))
        yield "its cards", self._are_below(deck, (state.revealed,), NONE)
        yield "the terrain chosen in it", self._are_below(len(catalog.hexes), (state.choice,), NONE)
        scoring = 1 << len(catalog.cards)
        yield "its scoring cards", self._are_below(scoring, (state.beside, state.retired))
        yield "its memories", self._are_memories(state.memory)
        yield "its turn", self._are_below(table.players, (state.active,))
        yield "its turn", state.stage[0] in STAGES and self._are_below(WORD, state.stage[1:])
        numbers = state.firings, state.cut, state.further, state.ending
        yield "its counts", self._are_below(WORD, numbers)
        yield "the actions used in it", {*state.used} <= {*table.plan.offers}
        yield "its running blocks", all(map(self._is_frame, state.stack))

    def _seat(self, seat: Seat) -> Iterator[tuple[str, bool]]:
        pieces, all_pieces, supply, hand, tiles, memory, gold = seat
        yield "its pieces", type(seat) is Seat and self._is_mask(all_pieces)
        yield "its pieces", self._are_masks(pieces)
        yield "its supplies", len(supply) == len(pieces) and self._are_below(WORD, supply, -WORD)
        yield "its hands", self._are_below(len(self._catalog.deck), hand)
        yield "its tiles", all(map(self._is_tile, tiles))
        yield "its memories", self._are_memories(memory)
        yield "its gold", self._are_below(WORD, (gold,), -WORD)

    def _are_below(self, end: int, numbers: Collection[int], least: int = 0) -> bool:
        return all(isinstance(n, int) and least <= n < end for n in numbers)

    def _is_mask(self, mask: Mask) -> bool:
        return isinstance(mask, int) and mask >= 0 and not mask & ~self._hexes

    def _are_masks(self, masks: Collection[Mask]) -> bool:
        return len(masks) == len(self._catalog.pieces) and all(map(self._is_mask, masks))

    def _are_memories(self, values: Collection[int]) -> bool:
        memories = self._table.ruleset.memories
        return len(values) == len(memories) and all(map(self._is_memory, values))

    def _is_memory(self, value: int) -> bool:
        return self._is_mask(value) or self._are_below(WORD, (value,), -WORD)

    def _is_stock(self, stock: Collection[tuple[int, ...]]) -> bool:
        board = self._table.board
        kinds = [{board.tiles[hex]} for hex in board.places]
        return len(stock) == len(kinds) and all(
            {*tiles} <= kind for tiles, kind in zip(stock, kinds, strict=True)
        )

    def _is_pile(self, pile: Collection[int]) -> bool:
        return len(pile) == len(self._catalog.deck) and self._are_below(WORD, pile)

    def _is_tile(self, tile: Tile) -> bool:
        kind, origin, status = tile
        beyond = self._table.board.grid.full.bit_length()
        is_known = self._are_below(len(self._catalog.tiles), (kind,)) and status in STATUSES
        return is_known and self._are_below(beyond + 1, (origin,), NONE)

    def _is_hex(self, hex: int) -> bool:
        return 0 <= hex < self._hexes.bit_length() and bool(self._hexes >> hex & 1)

    def _length(self, block: str) -> int:
        """Return how many steps a block has; the question whether to react is one."""
        is_question = block in self._table.plan.questions
        return 1 if is_question else len(self._table.ruleset.blocks[block].steps)

    def _is_frame(self, frame: Frame) -> bool:
        return (
            type(frame) is Frame
            and self._are_below(self._length(frame.block) + 1, (frame.pc,))
            and self._are_below(self._table.players, (frame.me,))
            and self._are_below(WORD, (frame.repetitions,))
            and all(map(self._is_hex, frame.chosen))
            and (frame.loop is None or type(frame.loop) in LOOP_NAMES)
            and all(isinstance(name, str) for name in frame.env)
        )
