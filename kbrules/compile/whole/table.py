"""The table of a game that is played at a stretch: like a state, but changed in place.

Words that are asked of a state can be asked of it too: it has the same names. What is asked
all the time is kept beside them and brought up to date by whatever changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kbrules.compile.whole.places import Place
from kbrules.game.board import Board
from kbrules.game.events import Event
from kbrules.game.random import Random
from kbrules.game.shown import is_open, terrain_played
from kbrules.game.state import NONE, Draft, State, draft_of, seat_of
from kbrules.hex.floods import Floods
from kbrules.hex.masks import Mask

Told = Callable[["Play", int, int, int, bool], None]
"""What the rules do after an event: of the table, who it speaks of, here, origin, strayed."""


class Play:
    """A table with its counts of what happened.

    The names are those of `State` and, for the steps that work on it, of `Table`. played: the
    terrain in use; ground: its hexes; split: whether there is more than one to choose from;
    several: that, or whether several cards lie face up.
    laid: by kind of piece but the main one the hexes with one, whoever owns it.
    stocked: the places with a tile left. required: whether a required action is under way.
    news: what the rules are still to be told; later: what is to be done after that.
    turn: the number of the turn, -1 before the first. used_tiles, taken, gains: what `Outcome`
    counts, by player; `Place` has its decisions.
    """

    __slots__ = (
        "active",
        "aside",
        "below",
        "board",
        "chance",
        "choice",
        "ending",
        "firings",
        "gains",
        "ground",
        "laid",
        "later",
        "memories",
        "memory",
        "neutral",
        "news",
        "occupied",
        "over",
        "picks",
        "piles",
        "played",
        "required",
        "revealed",
        "rule",
        "seats",
        "several",
        "shown",
        "split",
        "stack",
        "stage",
        "stock",
        "stocked",
        "strayed",
        "taken",
        "told",
        "turn",
        "used",
        "used_tiles",
        "views",
    )

    seats: list[Place]
    neutral: list[Mask]
    occupied: Mask
    laid: list[Mask]
    stock: tuple[tuple[int, ...], ...]
    piles: list[list[int]]
    shown: tuple[int, ...]
    aside: tuple[int, ...]
    choice: int
    revealed: int
    memory: list[int]
    active: int
    stage: tuple[str, int]
    ending: bool
    used: tuple[str, ...]
    firings: int

    def __init__(
        self,
        start: State,
        board: Board,
        memories: Mapping[str, tuple[str, int]],
        told: Mapping[type, Told],
        chance: Random,
        randoms: Sequence[Random],
    ) -> None:
        self.board, self.memories, self.told = board, memories, told
        self.chance = chance
        self.below = [random.draw for random in randoms]
        self.picks = [random.pick for random in randoms]
        self.news: list[tuple[Told, tuple[int, int, int, bool]]] = []
        self.later: list[Callable[[], None]] = []
        self.stack: tuple[Any, ...] = ()
        self.rule, self.strayed, self.required, self.over = "", False, False, False
        self.views: list[Any] = []
        self._take(start)
        count, kinds = len(self.seats), len(board.catalog.tiles)
        self.turn = -1
        self.used_tiles = [[0] * kinds for _ in range(count)]
        self.taken = [[0] * kinds for _ in range(count)]
        self.gains: list[dict[str, int]] = [{} for _ in range(count)]

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return self.turn + 1

    @property
    def draft(self) -> Play:
        """Steps that are not written out work on this as on the draft of a table."""
        return self

    def _take(self, start: State) -> None:
        """Begin from a state."""
        self.seats = [self._place(seat) for seat in start.seats]
        self.neutral = list(start.neutral)
        self.occupied = start.occupied
        self.laid = [0, *(self._of_kind(kind) for kind in range(1, len(start.neutral)))]
        self.piles = [list(pile) for pile in start.piles]
        self.aside, self.choice, self.revealed = start.aside, start.choice, start.revealed
        self.memory = list(start.memory)
        self.active, self.stage, self.ending = start.active, start.stage, start.ending
        self.used, self.firings = start.used, start.firings
        self.restock(start.stock)
        self.show(start.shown)

    def _place(self, seat: Any) -> Place:
        place = Place()
        place.others, place.supplies = [0, *seat.pieces[1:]], [0, *seat.supply[1:]]
        place.left = seat.supply[0]
        place.all, place.near = seat.all, self.board.grid.neighbours(seat.all)
        place.hand, place.gold = seat.hand, seat.gold
        place.tiles = seat.tiles
        place.memory, place.decisions, place.floods = list(seat.memory), 0, Floods()
        return place

    def _of_kind(self, kind: int) -> Mask:
        found = self.neutral[kind]
        for seat in self.seats:
            found |= seat.pieces[kind]
        return found

    def show(self, shown: tuple[int, ...], choice: int = NONE) -> None:
        """Lay these cards face up, of which a terrain may have been chosen."""
        self.shown, self.choice = shown, choice
        if len(shown) < 2 and choice == NONE:
            played = self.board.sole[shown[0]] if shown else NONE
            if played >= 0 or not shown:
                self.played, self.split, self.several = played, False, False
                self.ground = self.board.kinds[played] if played >= 0 else 0
                return
        state: Any = self
        self.played = terrain_played(state, self.board)
        self.ground = self.board.kinds[self.played] if self.played >= 0 else 0
        self.split = is_open(state, self.board)
        self.several = self.split or len(shown) > 1

    def restock(self, stock: tuple[tuple[int, ...], ...]) -> None:
        """Let these tiles lie on the places."""
        self.stock = stock
        pairs = zip(self.board.places, stock, strict=True)
        self.stocked = sum(1 << hex for hex, tiles in pairs if tiles)

    def emit(self, event: Event) -> None:
        """Let something happen, whatever it is; for steps that are not written out."""
        from kbrules.compile.whole.facts import FACTS

        here, origin, strayed = FACTS[type(event)](self, event)
        told = self.told.get(type(event))
        if told is not None:
            self.news.append((told, (event.player, here, origin, strayed)))

    def owner_of(self, hex: int) -> tuple[int, int] | None:
        """The (player, piece) on a hex, player -1 for nobody's piece; None if it is empty."""
        for player, seat in enumerate(self.seats):
            if seat.all >> hex & 1:
                return player, seat.kind_at(1 << hex)
        if self.occupied >> hex & 1:
            return -1, _piece_at(self.neutral, hex)
        return None

    def remembered(self, name: str, player: int) -> int:
        """The value of a memory, as that player has it."""
        scope, slot = self.memories[name]
        return self.memory[slot] if scope == "table" else self.seats[player].memory[slot]

    def state(self, blank: State) -> State:
        """The same table as a state, with no rule under way."""
        draft: Draft = draft_of(blank)
        draft.piles = tuple(tuple(pile) for pile in self.piles)
        for name in ("occupied", "stock", "shown", "aside", "choice", "revealed"):
            setattr(draft, name, getattr(self, name))
        for name in ("active", "stage", "ending", "used", "firings"):
            setattr(draft, name, getattr(self, name))
        draft.neutral, draft.memory = tuple(self.neutral), tuple(self.memory)
        draft.seats = tuple(seat_of(_parts(place)) for place in self.seats)
        draft.stack = ()
        return draft.seal()


def _parts(place: Place) -> tuple[Any, ...]:
    pieces, supply, memory = tuple(place.pieces), tuple(place.supply), tuple(place.memory)
    return pieces, place.all, supply, place.hand, place.tiles, memory, place.gold


def _piece_at(pieces: list[Mask], hex: int) -> int:
    index = 0
    while not pieces[index] >> hex & 1:
        index += 1
    return index
