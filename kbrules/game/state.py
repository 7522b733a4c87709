"""The state of a game: what happened, never rules. Small, immutable, hashable, printable."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from kbrules.hex.sets import Mask
from kbrules.hooks import svg_of

# A `State` is never changed. The engine works on a `Draft`, which is a copy with the same
# slots that may be written to until it is `sealed`; nobody else sees a draft.

STATUSES = FRESH, READY, USED = "fresh", "ready", "used"
STAGES = ("setup", "turn", "turn over", "finish", "over")
ZONES = ("deck", "discards", "removed")
SHOWN = "shown"
"""What lies face up, where a pile of cards may be named as well."""
LIMITS = ("firings", "rounds", "nesting", "turns", "redraw", "further")
"""What cuts off what rules would do, in the order of the bits of `State.cut`."""
THIS_TURN = 8
"""So many bits lie between the limits met in the game and those met in this turn."""


class Tile(NamedTuple):
    """A tile in a player's hands: its kind, the hex it came from, and whether it may be used."""

    kind: int
    origin: int
    status: str


class Seat(NamedTuple):
    """One player's part: masks and supply per piece, hand, tiles, memory and gold."""

    pieces: tuple[Mask, ...]
    all: Mask
    supply: tuple[int, ...]
    hand: tuple[int, ...]
    tiles: tuple[Tile, ...]
    memory: tuple[int, ...]
    gold: int


class RepeatLoop(NamedTuple):
    """`repeat`: how many rounds are left, the one that runs among them."""

    left: int

    def next_round(self) -> RepeatLoop:
        """The loop when its next round begins."""
        return RepeatLoop(self.left - 1)


class UpToLoop(NamedTuple):
    """`up to`: rounds left and done; whether it may stop before the first."""

    left: int
    done: int
    may_stop: bool

    def next_round(self) -> UpToLoop:
        """The loop when its next round begins."""
        return UpToLoop(self.left - 1, self.done + 1, self.may_stop)


class EachLoop(NamedTuple):
    """`for`: the name it binds, and the items left."""

    variable: str
    left: tuple[Any, ...]


Loop = RepeatLoop | UpToLoop | EachLoop
LOOP_NAMES: Mapping[type, str] = {RepeatLoop: "repeat", UpToLoop: "up to", EachLoop: "each"}


class Frame(NamedTuple):
    """A running block: where it is, whose it is, what it has bound, what was chosen so far.

    loop: what repeats the block, if anything does. repetitions: of the step at `pc` so far.
    chosen: the hexes already chosen for that step.
    """

    block: str
    pc: int
    me: int
    env: Mapping[str, Any]
    loop: Loop | None = None
    repetitions: int = 0
    chosen: tuple[int, ...] = ()


# Seats, frames and tiles are made at every move; this is twice as fast as calling the class.
seat_of: Callable[[tuple[Any, ...]], Seat] = partial(tuple.__new__, Seat)
frame_of: Callable[[tuple[Any, ...]], Frame] = partial(tuple.__new__, Frame)
tile_of: Callable[[tuple[Any, ...]], Tile] = partial(tuple.__new__, Tile)


class StateCache(NamedTuple):
    """What an engine caches beside a state: it is never part of it, compared or saved.

    game: whose moves these are, or the fingerprint of its table. moves: its legal moves. read: a
    field of the state by name, if its fields are decoded on demand. numbers: the state as a kernel
    has it.
    """

    game: Any
    moves: Any = None
    read: Callable[[str], Any] | None = None
    numbers: Any = None


class State:
    """A position of the game, with the frames of what is half done.

    seats: one `Seat` per player. neutral: masks per piece of nobody. occupied: all pieces.
    stock: for each place of the board (in `Board.places` order) the tile kinds left there.
    piles: for each of `ZONES` the number of cards of each kind. shown: cards played this turn.
    choice: the terrain chosen of those they show, or `NONE`. aside: cards shown but not chosen.
    revealed: the card revealed last in this turn, or `NONE`.
    stage: ("setup", i), ("turn", n), ("turn over", n), ("finish", i) or ("over", 0).
    used: actions used this turn. cut: which of `LIMITS` were met, one bit each: in the whole game,
    and from bit `THIS_TURN` on in this turn. further: twice the number of further turns that the
    player has taken in a row, and 1 if another one follows this; in the finish the same of
    how often that is done. beside, retired: the scoring cards beside the table, which may come into
    play, and those that left it, one bit for each card.
    """

    __slots__ = (
        "active", "aside", "beside", "cache", "choice", "cut", "ending", "firings", "further",
        "memory", "neutral", "occupied", "piles", "retired", "revealed", "seats", "shown", "stack",
        "stage", "stock", "used",
    )  # fmt: skip

    seats: tuple[Seat, ...]
    neutral: tuple[Mask, ...]
    occupied: Mask
    stock: tuple[tuple[int, ...], ...]
    piles: tuple[tuple[int, ...], ...]
    shown: tuple[int, ...]
    aside: tuple[int, ...]
    choice: int
    revealed: int
    memory: tuple[int, ...]
    active: int
    stage: tuple[str, int]
    ending: bool
    used: tuple[str, ...]
    stack: tuple[Frame, ...]
    firings: int
    cut: int
    further: int
    beside: Mask
    retired: Mask
    cache: StateCache | None

    def __init__(self) -> None:
        raise TypeError("a game makes states: `game.start()` returns the first")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a state is never changed; apply a move to get another")

    def __repr__(self) -> str:
        """Where the game is, who is active and which state it is; all of it would be pages."""
        stage, number = self.stage
        return f"<State {stage} {number}, player {self.active}, {self.hash()[:8]}>"

    def _repr_svg_(self) -> str | None:
        """The board with its pieces as a notebook shows it."""
        return svg_of(self)

    @property
    def unscored(self) -> Mask:
        """The cards that do not count now, one bit for each: those beside and those retired."""
        return self.beside | self.retired

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.stage[0] == "over"

    def to_json(self) -> dict[str, Any]:
        """The state as plain data, masks in hexadecimal; equal states give equal data."""
        return {
            **self.facts(),
            "active": self.active,
            "stage": list(self.stage),
            "firings": self.firings,
            **({"further": self.further} if self.further else {}),
            "stack": [_frame_json(frame) for frame in self.stack],
        }

    def facts(self) -> dict[str, Any]:
        """The part that events alone change: what lies on the table, not where the rules are."""
        return {
            "seats": [_seat_json(seat) for seat in self.seats],
            "neutral": [hex(mask) for mask in self.neutral],
            "stock": [list(tiles) for tiles in self.stock],
            "piles": [list(pile) for pile in self.piles],
            "shown": list(self.shown),
            "aside": list(self.aside),
            "choice": self.choice,
            "revealed": self.revealed,
            "memory": [hex(value) for value in self.memory],
            "ending": self.ending,
            "used": list(self.used),
            **({"cut": self.cut} if self.cut else {}),
            **({"beside": hex(self.beside)} if self.beside else {}),
            **({"retired": hex(self.retired)} if self.retired else {}),
        }

    def hash(self) -> str:
        """A 128-bit BLAKE2b digest of the state, in hexadecimal."""
        return _digest(self.to_json())

    def facts_hash(self) -> str:
        """The same of `facts` alone: folding events one by one leads to it without any rules."""
        return _digest(self.facts())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.to_json() == other.to_json()

    def __copy__(self) -> State:
        return self  # nobody can change it

    def __deepcopy__(self, _memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Any, ...]]:
        game = self.cache and self.cache.game
        table = None if game is None else game.fingerprint
        return _restored, (table, *(getattr(self, name) for name in STATE_FIELDS))

    def __hash__(self) -> int:
        return hash((self.seats, self.stage, self.active, self.used, self.shown))


class Draft(State):
    """A state in the making; only the engine holds one."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # type: ignore[assignment]

    def seal(self, cache: StateCache | None = None) -> State:
        """Turn this very object into a state that nobody can change."""
        self.cache = cache
        self.__class__ = State  # type: ignore[assignment]
        return self


class KernelState(State):
    """A state of a kernel: each field is decoded when it is first read, by `cache.read`.

    It is a class of its own, for a class that looks for what is missing is read more slowly.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Decode a field when it is first read."""
        if name not in STATE_FIELDS:
            raise AttributeError(name)
        value = self.cache.read(name)  # type: ignore[union-attr,misc]
        object.__setattr__(self, name, value)
        return value


def kernel_state(cache: StateCache) -> State:
    """A state whose fields are decoded when they are first read."""
    state = KernelState.__new__(KernelState)
    object.__setattr__(state, "cache", cache)
    return state


def draft_of(state: State) -> Draft:
    """A draft with the contents of a state; the state stays what it is."""
    draft = Draft.__new__(Draft)
    draft.seats = state.seats
    draft.neutral = state.neutral
    draft.occupied = state.occupied
    draft.stock = state.stock
    draft.piles = state.piles
    draft.shown = state.shown
    draft.aside = state.aside
    draft.choice = state.choice
    draft.revealed = state.revealed
    draft.memory = state.memory
    draft.active = state.active
    draft.stage = state.stage
    draft.ending = state.ending
    draft.used = state.used
    draft.stack = state.stack
    draft.firings = state.firings
    draft.cut = state.cut
    draft.further = state.further
    draft.beside = state.beside
    draft.retired = state.retired
    draft.cache = None
    return draft


STATE_FIELDS = tuple(name for name in State.__slots__ if name != "cache")


def draft_with(facts: Mapping[str, Any]) -> Draft:
    """Return a draft put together of all the facts of a state, by the names of its fields."""
    draft = Draft.__new__(Draft)
    for name in STATE_FIELDS:
        setattr(draft, name, facts[name])
    draft.cache = None
    return draft


def _restored(table: Any, *facts: Any) -> State:
    """Return a state from all that makes it up and the fingerprint of its table, if it is known.

    What a game remembers about it stays behind.
    """
    draft = draft_with(dict(zip(STATE_FIELDS, facts, strict=True)))
    return draft.seal(None if table is None else StateCache(table))


def _digest(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _seat_json(seat: Seat) -> dict[str, Any]:
    return {
        "pieces": [hex(mask) for mask in seat.pieces],
        "supply": list(seat.supply),
        "hand": list(seat.hand),
        "tiles": [list(tile) for tile in seat.tiles],
        "memory": [hex(value) for value in seat.memory],
        "gold": seat.gold,
    }


def _frame_json(frame: Frame) -> list[Any]:
    env = {name: _env_json(value) for name, value in sorted(frame.env.items())}
    loop = [] if frame.loop is None else [LOOP_NAMES[type(frame.loop)], *_env_json(frame.loop)]
    return [frame.block, frame.pc, frame.me, env, loop, frame.repetitions, list(frame.chosen)]


def _env_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_env_json(part) for part in value]
    return hex(value) if isinstance(value, int) and value > 1 << 40 else value


# Whose turn it is: turns go round the table, and the start player stays or passes on.

MAX_FURTHER = 20
"""So many further turns a player may take in a row."""


def player_of(turn: int, players: int, passes: bool) -> int:
    """The player of a turn, counted from 0 through all rounds.

    passes: whether each round begins with the player after the one who began the last.
    """
    first = turn // players if passes else 0
    return (turn + first) % players


def place_in_round(player: int, turn: int, players: int, passes: bool) -> int:
    """How many take their turn before a player in the round of a turn."""
    first = turn // players if passes else 0
    return (player - first) % players
