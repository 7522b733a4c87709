"""A configuration at a table, what is made of it once, and which values belong to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from operator import index as as_index
from typing import Any, NamedTuple, Self

from kbrules.diagnostics import CodedError, check_kind, shortened
from kbrules.engine.scoring import Scoring, Sheet
from kbrules.game.board import NONE, Board, cards_beside
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveGroup, MoveSet, Offered
from kbrules.game.state import (
    LOOP_NAMES,
    STAGES,
    STATUSES,
    ZONES,
    Draft,
    Frame,
    Seat,
    State,
    StateCache,
    Tile,
    draft_of,
    draft_with,
)
from kbrules.game.view import MoveContext, View
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
    found: list[int] = []
    for circle in grid.circles(hex):
        if near := circle & legal:
            found += bits(near)
            if len(found) >= count:
                break
    return tuple(map(grid.name, found[:count]))


# Which table a value belongs to, and checks of values that come from outside.
#
# A `Fingerprint` says what makes a table. States and saves carry the one of their game: as long as
# it is the same object nothing is compared.

MAX_OPTION = 2**31 - 1
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


def check_state(table: Table, state: Any) -> None:
    """Raise TableMismatch for a state of another table, TypeError for what is no state.

    A state of this table that came from elsewhere is known from then on.
    """
    check_kind(state, State, "a state is wanted, as `game.start()` returns it")
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
    if type(state) is not Draft:
        known = StateCache(None) if cache is None else cache
        object.__setattr__(state, "cache", known._replace(game=table.fingerprint))


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
        places = zip(state.stock, table.board.places, strict=True)
        kinds = table.board.tiles
        yield "its places with tiles", all({*left} <= {kinds[hex]} for left, hex in places)
        yield "its piles of cards", len(state.piles) == len(ZONES)
        deck = len(catalog.deck)
        for pile in state.piles:
            yield "its piles of cards", len(pile) == deck and self._are_below(WORD, pile)
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
        numbers = [value for value in values if not self._is_mask(value)]
        return len(values) == len(self._table.ruleset.memories) and self._are_below(
            WORD, numbers, -WORD
        )

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


@dataclass(frozen=True, slots=True)
class Transition:
    """What a move led to: the next state, and the events in order."""

    state: State
    events: tuple[Event, ...]


# A configuration at a table: rules, board, players, cards, options, and what is made of them.

REFERENCE, PYTHON, NATIVE = "reference", "python", "native"
"""The engines: the reference walks the rules, the others run their kernel, `native` as machine
code, which needs the extra `fast`."""
ENGINES = (REFERENCE, PYTHON, NATIVE)


class Table(ABC):
    """Rules, board, players, cards and options; states go in, states come out.

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
        check_kind(ruleset, Ruleset, "a rule set is wanted, as `load` returns it")
        check_kind(board, Board, "a board is wanted, as `game.board` is one")
        if isinstance(cards, str) or not isinstance(cards, Sequence):
            raise TypeError(f"cards are a tuple of names, not {shortened(cards)}")
        check_board(ruleset, board)
        self.ruleset = ruleset
        self.board = board
        self.players: int = check_players(players)
        self.cards = cards
        self.options: dict[str, bool | int] = check_options(ruleset, options or {})
        self.engine = engine
        indexes = {card: index for index, card in enumerate(ruleset.catalog.cards)}
        self.card_indexes: tuple[int, ...] = tuple(indexes[card] for card in cards)
        self.cache: dict[Any, Any] = {}
        self._machine = machine_of(ruleset, players, self.card_indexes, self.options, linking)
        self.plan: Plan = self._machine.plan
        self.choices: LegalHexes = self._machine.choices
        self._plan_with_cards = self.plan.with_cards(self.card_indexes)
        self.scoring: Scoring = Scoring(self._plan_with_cards, board, self.card_indexes)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What makes this table, for telling its states and saves from those of another."""
        ruleset, board, names = self.ruleset, self.board, self.ruleset.catalog.cards
        options = tuple(sorted({**ruleset.options, **self.options}.items()))
        beside = cards_beside(ruleset.catalog, self.card_indexes)
        in_play = sorted(names[card] for card in self.card_indexes if card not in beside)
        cards = (*in_play, *sorted(names[card] for card in beside))
        parts = board.grid.parts, board.kinds, board.sectors, sorted(board.tiles.items())
        return Fingerprint(ruleset.digest, options, self.players, cards, _digest(parts))

    def __deepcopy__(self, _known: object) -> Self:
        """Itself: nothing of it changes, and copies of what plays on it share it."""
        return self

    @cached_property
    def _stepper(self) -> Any:
        """What answers for states in the place of the reference; None where nothing does."""
        return None

    def empty(self) -> Draft:
        """Return a draft of the table before set-up: full supplies, full places, a full deck."""
        catalog, memory = self.ruleset.catalog, (0,) * len(self.ruleset.memories)
        counts = tuple(card.count for card in catalog.deck)
        no_cards, no_pieces = (0,) * len(counts), (0,) * len(catalog.pieces)
        supply = tuple(0 if piece.neutral else piece.supply for piece in catalog.pieces)
        kinds = [self.board.tiles[hex] for hex in self.board.places]
        facts = {
            "seats": (Seat(no_pieces, 0, supply, (), (), memory, 0),) * self.players,
            "neutral": no_pieces,
            "stock": tuple((kind,) * catalog.tiles[kind].each for kind in kinds),
            "piles": (counts, no_cards, no_cards),
            "memory": memory,
            "beside": mask_of(cards_beside(catalog, self.card_indexes)),
        }
        return draft_with({**_AT_FIRST, **facts})

    def start(self) -> State:
        """The first state that needs a decision (the first draw of a card, as a rule)."""
        return self.opening().state

    def opening(self) -> Transition:
        """The first state that needs a decision, and what happened until then."""
        table = self._context(self.empty())
        state = table.draft.seal(StateCache(self, self._machine.run(table)))
        return Transition(state, tuple(table.events))

    def run_to_decision(self, draft: Draft, begins_turn: bool = False) -> State:
        """Run a draft to its first decision and seal it; `begins_turn` first begins its turn."""
        check_kind(draft, Draft, "a draft is wanted, as `empty` returns it")
        if problem := misfit(self, draft):
            raise TableMismatch(f"this draft does not fit this table: {problem}")
        table = self._context(draft)
        if begins_turn:
            self._machine.begin_turn(table)
        return table.draft.seal(StateCache(self, self._machine.run(table)))

    def _context(self, draft: Draft) -> MoveContext:
        known = self.ruleset.memories, self._machine.trigger_events, self.card_indexes
        return MoveContext(self.board, draft, *known)

    def legal_moves(self, state: State) -> MoveSet:
        """The moves of whoever must decide; empty when the game is over."""
        cache = getattr(state, "cache", None)
        if type(cache) is not StateCache or cache.game is not self:
            check_state(self, state)
            if not state.stack and not state.is_over:
                hint = "`game.run_to_decision(draft)` goes on"
                raise TableMismatch(f"nothing is to be decided here: {hint}")
            cache = self._cached(state, self._moves(state))
        moves: MoveSet = cache.moves
        return moves

    def _cached(self, state: State, moves: MoveSet) -> StateCache:
        """Let a state know that this game answers for it; a draft may still change."""
        read = None if state.cache is None else state.cache.read
        cache = StateCache(self, moves, read)
        if type(state) is not Draft:
            object.__setattr__(state, "cache", cache)
        return cache

    def _check(self, state: State) -> None:
        """Raise TableMismatch for a state of another table, TypeError for what is none."""
        cache = getattr(state, "cache", None)
        if type(cache) is not StateCache or cache.game is not self:
            check_state(self, state)

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it; for tools that ask words outside of play."""
        self._check(state)
        return View(self.board, state, me, self._plan_with_cards, env)

    def _moves(self, state: State) -> MoveSet:
        if self._stepper is not None:
            moves: MoveSet | None = self._stepper.moves(state)
        else:
            moves = self._machine.run(self._context(draft_of(state)))
        assert moves is not None, "without a base depth it runs until a decision"
        return moves

    def offered(self, state: State) -> tuple[Offered, ...]:
        """The same by names; nothing when the game is over."""
        name = self.board.grid.name
        return tuple(
            Offered(group.rule, group.verb, tuple(name(hex) for hex in bits(group.hexes)))
            for group in self.legal_moves(state).groups
        )

    def apply(self, state: State, move: Move) -> State:
        """The state after a move; IllegalMove, with the reason, if the rules refuse it.

        OutOfRoom if the engine is a kernel that has no room for what comes.
        """
        move, group = self._legal(state, move)
        if self._stepper is None:
            return self._transition(self._context(draft_of(state)), move, group)
        after: State = self._stepper.apply(state, move, group)
        return after

    def _legal(self, state: State, move: Move) -> tuple[Move, MoveGroup]:
        """A legal move and its group."""
        move = move_of(move)
        group = self.legal_moves(state).group_of(move)
        if group is None:
            raise IllegalMove(self.explain(state, move))
        return move, group

    def _transition(self, table: MoveContext, move: Move, group: MoveGroup) -> State:
        self._machine.resume(table, move, group)
        return table.draft.seal(StateCache(self, self._machine.run(table)))

    def play(
        self, state: State, move: Move, watch: Callable[[Event, State], Any] | None = None
    ) -> Transition:
        """The state after a move and what happened; `watch` sees each event as it happens."""
        move, group = self._legal(state, move)
        table = self._context(draft_of(state))
        table.on_event = watch
        return Transition(self._transition(table, move, group), tuple(table.events))

    def after_events(self, state: State, events: Iterable[Event]) -> Draft:
        """The table after the rules followed these events, as if they had just happened.

        The events themselves are not carried out; for positions set up by hand.
        """
        self._check(state)
        table = self._context(draft_of(state))
        table.pending += [event for event in events if type(event) in table.trigger_events]
        if table.pending:
            self._machine.dispatch(table)
        return table.draft

    @abstractmethod
    def explain(self, state: State, move: Move) -> Refusal:
        """Return why a move is not legal now: the clauses that stand against it."""

    def score(self, state: State) -> Sheet:
        """The score sheet, as if the game ended in this state."""
        self._check(state)
        return self.scoring.sheet(state)

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in this state."""
        self._check(state)
        scoring = self.scoring if self._stepper is None else self._stepper
        totals: tuple[int, ...] = scoring.totals(state)
        return totals


def check_game(game: object) -> None:
    """Raise TypeError for what is no game."""
    check_kind(game, Table, "a game is wanted, as `new_game` returns it")


_AT_FIRST: Mapping[str, Any] = {
    "occupied": 0, "shown": (), "aside": (), "choice": NONE, "revealed": NONE, "active": 0,
    "stage": ("setup", 0), "ending": False, "used": (), "stack": (), "firings": 0, "cut": 0,
    "further": 0, "retired": 0,
}  # fmt: skip
"""What is the same at every table before set-up."""
