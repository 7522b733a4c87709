"""A configuration at a table, what is made of it once, and which values belong to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from operator import index as as_index
from typing import Any, NamedTuple, Protocol, Self

from kbrules.diagnostics import CodedError, shortened
from kbrules.engine.scoring import Scoring, Sheet
from kbrules.game import state as game_state
from kbrules.game.board import NONE, Board, cards_beside
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveSet
from kbrules.game.view import View
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, bits, mask_of
from kbrules.library.boards.positions import OWNERS
from kbrules.library.reading import place_of
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, Plan, default_linker
from kbrules.reference.machine import machine_of
from kbrules.reference.statements import LegalHexes
from kbrules.text import Span

# Why a move is refused: the clause that decides, its place, and the nearest legal hexes.

NOT_A_MOVE = (
    "a move is wanted; a text becomes one by `read_move(text, game.board, game.legal_moves(state))`"
)
"""The message for a program that gives something else."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause that stands against a move: the rule it is in, what it says, and where."""

    rule: str
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not legal; `nearest` are the closest hexes that would be.

    There are no reasons against a legal move.
    """

    move: str
    reasons: tuple[Reason, ...]
    nearest: tuple[str, ...] = ()

    @property
    def nearest_text(self) -> str:
        """Return the nearest legal hexes in words; empty if there are none."""
        if not self.nearest:
            return ""
        which = "hex is" if len(self.nearest) == 1 else "hexes are"
        return f"the nearest legal {which} {', '.join(self.nearest)}"

    def __str__(self) -> str:
        if not self.reasons:
            return f"`{self.move}` is legal"
        lines = [f"`{self.move}` is not legal"]
        for reason in self.reasons:
            where = f" ({place_of(reason.span)})" if reason.span else ""
            lines.append(f"  {reason.rule}: {reason.text}{where}")
        if self.nearest:
            lines.append(f"  {self.nearest_text}")
        return "\n".join(lines)


class IllegalMove(Exception):
    """A move that the rules refuse; `refusal` says why. Code KB502."""

    code = "KB502"

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


def nearest(grid: Grid, legal: Mask, hex: int, count: int = 3) -> tuple[str, ...]:
    """Return the names of the legal hexes closest to a hex, board order breaking ties."""
    distances = [(grid.distance(hex, other), other) for other in bits(legal)]
    known = sorted((d, other) for d, other in distances if d is not None)
    return tuple(grid.name(other) for _, other in known[:count])


# Which table a value belongs to, and checks of values that come from outside.
#
# A `Fingerprint` says what makes a table. States and saves carry the one of their game: as long as
# it is the same object nothing is compared.

MAX_OPTION = 2**31 - 1
STAGES = ("setup", "turn", "turn over", "finish", "over")
STATUSES = (game_state.FRESH, game_state.READY, game_state.USED)
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
        """Return itself: so it can take the place of a game that is not in this process."""
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
    if not isinstance(state, game_state.State):
        raise TypeError(f"a state is wanted, as `game.start()` returns it, not {shortened(state)}")
    try:
        cache = state.cache
    except AttributeError:
        raise TableMismatch("this state is empty: no game made it") from None
    if cache is not None and cache.game is not None:
        here, there = table.fingerprint, cache.game.fingerprint
        if here is not there and here != there:
            raise TableMismatch(f"this state is of another table: {here.difference(there)}")
        return
    if problem := misfit(table, state):
        raise TableMismatch(f"this state does not fit this table: {problem}")
    if type(state) is not game_state.Draft:
        known = game_state.StateCache(None) if cache is None else cache
        object.__setattr__(state, "cache", known._replace(game=table.fingerprint))


def check_draft(table: Table, draft: game_state.Draft) -> None:
    """Raise TableMismatch for a draft that cannot be at a table."""
    if problem := misfit(table, draft):
        raise TableMismatch(f"this draft does not fit this table: {problem}")


def check_decision(state: game_state.State) -> None:
    """Raise TableMismatch for a state in which nothing is under way, though it is not over."""
    if not state.stack and not state.is_over:
        raise TableMismatch("nothing is to be decided here: `game.run_to_decision(draft)` goes on")


def misfit(table: Table, state: game_state.State) -> str:
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

    def all(self, state: game_state.State) -> Iterator[tuple[str, bool]]:
        """Yield what is checked, and whether it fits."""
        table, catalog = self._table, self._catalog
        seats = len(state.seats)
        yield f"it has {seats} players, this table has {table.players}", seats == table.players
        yield "its pieces", self._are_masks(state.neutral) and self._is_mask(state.occupied)
        for seat in state.seats:
            yield from self._seat(seat)
        yield "its places with tiles", self._is_stock(state.stock)
        yield "its piles of cards", len(state.piles) == len(game_state.ZONES)
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

    def _seat(self, seat: game_state.Seat) -> Iterator[tuple[str, bool]]:
        pieces, all_pieces, supply, hand, tiles, memory, gold = seat
        yield "its pieces", type(seat) is game_state.Seat and self._is_mask(all_pieces)
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

    def _is_tile(self, tile: game_state.Tile) -> bool:
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

    def _is_frame(self, frame: game_state.Frame) -> bool:
        return (
            type(frame) is game_state.Frame
            and self._are_below(self._length(frame.block) + 1, (frame.pc,))
            and self._are_below(self._table.players, (frame.me,))
            and self._are_below(WORD, (frame.repetitions,))
            and all(map(self._is_hex, frame.chosen))
            and (frame.loop is None or type(frame.loop) in game_state.LOOP_NAMES)
            and all(isinstance(name, str) for name in frame.env)
        )


# The interface of `Game` for the modules that `Game` imports, and what a move returns.


@dataclass(frozen=True, slots=True)
class Transition:
    """What a move led to: the next state, and the events in order."""

    state: game_state.State
    events: tuple[Event, ...]


class GameLike(Table, Protocol):
    """A table at which states go in and states come out; `Game` says what each part does."""

    cache: dict[Any, Any]
    choices: LegalHexes
    engine: str
    scoring: Scoring

    def empty(self) -> game_state.Draft:
        """Return a draft of the table before set-up."""
        ...

    def start(self) -> game_state.State:
        """Return the first state that needs a decision."""
        ...

    def opening(self) -> Transition:
        """Return the first state that needs a decision, and what happened until then."""
        ...

    def legal_moves(self, state: game_state.State) -> MoveSet:
        """Return the moves of the player who must decide; none when the game is over."""
        ...

    def apply(self, state: game_state.State, move: Move) -> game_state.State:
        """Return the state after a move; IllegalMove if the rules refuse it."""
        ...

    def play(
        self,
        state: game_state.State,
        move: Move,
        watch: Callable[[Event, game_state.State], Any] | None = None,
    ) -> Transition:
        """Return the state after a move and what happened."""
        ...

    def view(self, state: game_state.State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it."""
        ...

    def explain(self, state: game_state.State, move: Move) -> Refusal:
        """Return why a move is not legal now."""
        ...

    def score(self, state: game_state.State) -> Sheet:
        """Return the score sheet, as if the game ended in this state."""
        ...

    def totals(self, state: game_state.State) -> tuple[int, ...]:
        """Return the total gold of each player, as if the game ended in this state."""
        ...


# A configuration at a table: rules, board, players, cards, options, and what is made of them.

REFERENCE, PYTHON, NATIVE = "reference", "python", "native"
"""The engines: the reference walks the rules, the others run their kernel, `native` as machine
code, which needs the extra `fast`."""
ENGINES = (REFERENCE, PYTHON, NATIVE)


class Configuration:
    """Rules, board, players, cards and options of one table.

    players: how many. cards: names of the scoring cards in play. options: values that
    differ from their defaults; KeyError for a card or option that does not exist. engine: which
    one answers for states; ValueError if there is none of that name. linking: how the reference
    evaluates expressions, for tools that watch them. TypeError for a value of another type,
    TableMismatch for a board that was laid for other rules.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        board: Board,
        players: int,
        cards: tuple[str, ...] = (),
        options: Mapping[str, bool | int] | None = None,
        engine: str = REFERENCE,
        linking: LinkerFactory = default_linker,
    ) -> None:
        if not isinstance(engine, str) or engine not in ENGINES:
            raise ValueError(f"no engine is called {shortened(engine)}: {', '.join(ENGINES)}")
        _check_types(ruleset, board, cards)
        check_board(ruleset, board)
        self.ruleset = ruleset
        self.board = board
        self.players: int = check_players(players)
        self.cards = cards
        self.options: dict[str, bool | int] = check_options(ruleset, options or {})
        self.engine = engine
        self.card_indexes: tuple[int, ...] = tuple(_card_index(ruleset, card) for card in cards)
        self.cache: dict[Any, Any] = {}
        self._machine = machine_of(ruleset, players, self.card_indexes, self.options, linking)
        self.plan: Plan = self._machine.plan
        self.choices: LegalHexes = self._machine.choices
        self._plan_with_cards = self.plan.with_cards(self.card_indexes)
        self.scoring: Scoring = Scoring(self._plan_with_cards, board, self.card_indexes)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What makes this table, for telling its states and saves from those of another."""
        return fingerprint_of(self, cards_beside(self.ruleset.catalog, self.card_indexes))

    def __deepcopy__(self, _known: object) -> Self:
        """Itself: nothing of it changes, and copies of what plays on it share it."""
        return self

    def view(self, state: game_state.State, me: int, env: Mapping[str, Any]) -> View:
        """Return the table as a player sees it, for asking words outside of play."""
        return View(self.board, state, me, self._plan_with_cards, env)

    def empty(self) -> game_state.Draft:
        """A draft of the table before set-up: full supplies, full places, a full deck."""
        catalog = self.ruleset.catalog
        counts = tuple(card.count for card in catalog.deck)
        no_cards = (0,) * len(counts)
        draft = game_state.draft_of(_BLANK)
        draft.seats = (self._empty_seat(),) * self.players
        draft.neutral = (0,) * len(catalog.pieces)
        draft.stock = tuple(self._place_stock(hex) for hex in self.board.places)
        draft.piles = (counts, no_cards, no_cards)
        draft.memory = (0,) * len(self.ruleset.memories)
        draft.beside = mask_of(cards_beside(self.ruleset.catalog, self.card_indexes))
        return draft

    def _empty_seat(self) -> game_state.Seat:
        pieces = self.ruleset.catalog.pieces
        supply = tuple(0 if piece.neutral else piece.supply for piece in pieces)
        memory = (0,) * len(self.ruleset.memories)
        return game_state.Seat((0,) * len(pieces), 0, supply, (), (), memory, 0)

    def _place_stock(self, hex: int) -> tuple[int, ...]:
        kind = self.board.tiles[hex]
        return (kind,) * self.ruleset.catalog.tiles[kind].each


def check_game(game: object) -> None:
    """Raise TypeError for what is no game."""
    if not isinstance(game, Configuration):
        raise TypeError(f"a game is wanted, as `new_game` returns it, not {shortened(game)}")


def _check_types(ruleset: object, board: object, cards: object) -> None:
    """Raise TypeError for what is no rule set, no board or no sequence of cards."""
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"a rule set is wanted, as `load` returns it, not {shortened(ruleset)}")
    if not isinstance(board, Board):
        raise TypeError(f"a board is wanted, as `game.board` is one, not {shortened(board)}")
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise TypeError(f"cards are a tuple of names, not {shortened(cards)}")


def _card_index(ruleset: Ruleset, card: str) -> int:
    if card not in ruleset.catalog.cards:
        raise KeyError(card)
    return ruleset.catalog.cards.index(card)


def _blank() -> game_state.State:
    draft = game_state.Draft.__new__(game_state.Draft)
    for name, value in _EMPTY.items():
        setattr(draft, name, value)
    return draft.seal()


_EMPTY: Mapping[str, Any] = {
    "seats": (), "neutral": (), "occupied": 0, "stock": (), "piles": ((), (), ()), "shown": (),
    "aside": (), "choice": NONE, "revealed": NONE, "memory": (), "active": 0, "stage": ("setup", 0),
    "ending": False, "used": (), "stack": (), "firings": 0, "cut": 0, "further": 0, "beside": 0,
    "retired": 0, "cache": None,
}  # fmt: skip
_BLANK = _blank()
