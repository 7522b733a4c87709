"""The table as rules see it, what a step changes, and what a rule may wait for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kbrules.game.board import NONE, Board
from kbrules.game.events import (
    Built,
    CutOff,
    Event,
    Lost,
    Moved,
    Placed,
    Removed,
    Stored,
    Swapped,
    Took,
    TurnEnded,
    TurnStarted,
)
from kbrules.game.state import LIMITS, THIS_TURN, Draft, Frame, State, draft_of
from kbrules.hex.sets import Mask

# What a rule may wait for: the one table of triggers, and what they speak of.
#
# The language reads their names, words and pages here, the kernel their numbers.

WHOSE = "It follows the player's own events; `by others` and `by anyone` say whose else."
"""What is true of every trigger, for its page."""


@dataclass(frozen=True, slots=True)
class TriggerKind:
    """A trigger: `when NAME`, the events that fire it, the words it binds, and its page."""

    name: str
    events: tuple[type, ...]
    words: tuple[str, ...]
    page: str


TRIGGERS = (
    TriggerKind(
        "build",
        (Built,),
        ("here", "actor", "strayed"),
        "A piece was built on `here` by `actor`; `strayed` if only the `waive` of one rule let it.",
    ),
    TriggerKind(
        "place",
        (Placed,),
        ("here", "actor", "strayed"),
        "A piece of `actor`, not one of nobody, was placed on `here`, all the hexes it covers; "
        "`strayed` if only the `waive` of one rule let it.",
    ),
    TriggerKind(
        "move",
        (Moved, Swapped),
        ("here", "actor", "origin"),
        "A piece of `actor` went from `origin` to `here`.",
    ),
    TriggerKind(
        "remove",
        (Removed, Stored),
        ("here", "actor"),
        "A piece of `actor` left the board from `here`.",
    ),
    TriggerKind(
        "take",
        (Took,),
        ("here", "actor"),
        "A tile was taken from the place `here` by `actor`.",
    ),
    TriggerKind(
        "lose",
        (Lost,),
        ("here", "actor"),
        "A tile that came from `here` was lost by `actor`.",
    ),
    TriggerKind("turn_start", (TurnStarted,), ("actor",), "A turn of `actor` began."),
    TriggerKind(
        "turn_end",
        (TurnEnded,),
        ("actor",),
        "A turn of `actor` ended: all steps of `turn:` are done. Cards that these lay aside are no "
        "longer face up, so that `terrain(played)` is empty; what they draw has been drawn.",
    ),
)


def triggers_of(event: type) -> tuple[str, ...]:
    """The names of the triggers that a kind of event fires, in their order."""
    return tuple(trigger.name for trigger in TRIGGERS if event in trigger.events)


def binds(event: Event) -> Mapping[str, Any]:
    """The words that a rule which follows an event may use."""
    match event:
        case Built():
            player, _, hex, strayed = event
            return {"here": 1 << hex, "actor": player, "strayed": strayed}
        case Moved(origin=origin, hex=hex) | Swapped(origin=origin, hex=hex):
            return {"here": 1 << hex, "actor": event.player, "origin": 1 << origin}
        case Placed(hexes=hexes, strayed=strayed):
            return {"here": hexes, "actor": event.player, "strayed": strayed}
        case Removed(hexes=hexes) | Stored(hexes=hexes):
            return {"here": hexes, "actor": event.player}
        case Took(hex=hex) | Lost(hex=hex):
            return {"here": 1 << hex if hex >= 0 else 0, "actor": event.player}
        case _:
            return {"actor": event.player}


# The table while a step is carried out: board, draft, and the list of what happened.


@dataclass(slots=True, eq=False)
class MoveContext:
    """What a step works on; every change goes through `emit`.

    `events` are the events of the whole move so far; `pending` are those whose triggers have not
    run yet, and `trigger_events` the kinds of events that have triggers; `new_frames` are blocks
    that triggers begin, the first on top; `strayed` says whether the hex just chosen needed a
    waived preference; `rule` is the rule whose step happens at once; `cards` are the scoring cards
    of the table. `trials` says how many trials of blocks, one within another, it belongs to.
    """

    board: Board
    draft: Draft
    memories: Mapping[str, tuple[str, int]]
    trigger_events: Collection[type]
    cards: Collection[int]
    trials: int = 0
    events: list[Event] = field(default_factory=list, init=False)
    pending: list[Event] = field(default_factory=list, init=False)
    new_frames: list[Frame] = field(default_factory=list, init=False)
    strayed: bool = field(default=False, init=False)
    rule: str = field(default="", init=False)
    on_event: Callable[[Event, State], Any] | None = field(default=None, init=False)

    def trial(self, draft: Draft) -> MoveContext:
        """Return a context like this one in which nothing has happened, for another draft."""
        known = self.memories, self.trigger_events, self.cards
        return MoveContext(self.board, draft, *known, self.trials)

    def emit(self, event: Event) -> None:
        """Let something happen."""
        event.fold(self.draft)
        self.events.append(event)
        if type(event) in self.trigger_events:
            self.pending.append(event)
        if self.on_event is not None:
            self.on_event(event, self.draft)

    def cut_off(self, player: int, limit: str, rule: str) -> None:
        """Report that a limit stopped a rule, unless the same one did so in this turn before."""
        if not self.draft.cut >> THIS_TURN + LIMITS.index(limit) & 1:
            self.emit(CutOff(player, limit, rule))

    def owner_of(self, hex: int) -> tuple[int, int] | None:
        """The (player, piece) on a hex, player -1 for nobody's piece; None if it is empty."""
        for player, seat in enumerate(self.draft.seats):
            if seat.all >> hex & 1:
                return player, _piece_at(seat.pieces, hex)
        if self.draft.occupied >> hex & 1:
            return -1, _piece_at(self.draft.neutral, hex)
        return None

    def memory_value(self, name: str, player: int) -> int:
        """The value of a memory, as that player has it."""
        scope, slot = self.memories[name]
        if scope == "table":
            return self.draft.memory[slot]
        return self.draft.seats[player].memory[slot]


def _piece_at(pieces: tuple[Mask, ...], hex: int) -> int:
    return next(index for index, mask in enumerate(pieces) if mask >> hex & 1)


# The terrain cards laid face up: what they leave to choose, and what was chosen.
#
# Of several terrains, on several cards or on one, a player uses one in a turn. The first
# action that needs a terrain fixes which; until then nothing is `played`. A terrain of a split
# card that is not on this board is no choice.


def terrains(state: State, board: Board) -> tuple[int, ...]:
    """The terrains there are to choose from: each once, in the order of the cards."""
    if state.choice != NONE:
        return (state.choice,)
    shown = state.shown
    if len(shown) == 1:
        return board.terrains_of_card[shown[0]]
    return tuple(dict.fromkeys(t for card in shown for t in board.terrains_of_card[card]))


def is_open(state: State, board: Board) -> bool:
    """Whether there is more than one terrain to choose from."""
    if state.choice != NONE or not state.shown:
        return False
    if len(state.shown) == 1:
        return board.only_terrain[state.shown[0]] == NONE
    return len(terrains(state, board)) > 1


def terrain_played(state: State, board: Board) -> int:
    """The terrain in use, `NONE` while there is none or more than one to choose from."""
    shown = state.shown
    if state.choice != NONE:
        return state.choice
    if len(shown) == 1:
        return board.only_terrain[shown[0]]
    found = terrains(state, board)
    return found[0] if len(found) == 1 else NONE


def card_showing(state: State, board: Board, terrain: int) -> int:
    """The first card laid face up that shows a terrain."""
    return next(card for card in state.shown if terrain in board.terrains_of_card[card])


def with_choice(state: State, terrain: int) -> Draft:
    """The same position with a terrain chosen, to see what that would allow."""
    draft = draft_of(state)
    draft.choice = terrain
    return draft


# The view on which expressions are evaluated: board, state, player and bound names.

REPEATED = "repeated"
"""Bound, in what is carried out because another tile lets it be reused."""


def names_in_action(env: Mapping[str, Any], is_reused: bool = False) -> Mapping[str, Any]:
    """Return what an action finds bound where it begins: only whether it is a reuse.

    It finds nothing that a loop or an event around the step that offers it has bound. What is
    offered within a reused action is a reuse as well.
    """
    return {REPEATED: True} if is_reused or REPEATED in env else {}


class RulesInForce(Protocol):
    """What a word may ask of the rules in force."""

    def open(self, view: View, verb: str) -> Mask:
        """Hexes the table's norms permit for a verb and none forbids."""

    def forbidden(self, view: View, verb: str) -> Mask:
        """Hexes some norm forbids for a verb."""

    def option(self, name: str) -> bool | int:
        """The value of an option at this table."""

    def quantity(self, view: View, name: str) -> int:
        """A set-up number with everything that increases or decreases it."""

    def memory_value(self, view: View, name: str) -> int:
        """The value of a memory, as `view.me` has it."""

    def in_required(self, view: View) -> bool:
        """Whether a required action is being carried out."""

    @property
    def start_passes(self) -> bool:
        """Whether each round begins with the next player."""

    def is_in_play(self, card: int, state: State) -> bool:
        """Whether a card lies on the table and counts."""

    def is_beside(self, card: int, state: State) -> bool:
        """Whether a card lies beside the table and may come into play."""


class View:
    """Board, state, the player that it is of (`me`) and the names bound so far (`env`).

    `cache` keeps what the table alone decides; `counted_sets`, if not None, collects the
    sets that are counted.
    """

    __slots__ = ("board", "cache", "counted_sets", "env", "me", "rules", "state")

    def __init__(
        self, board: Board, state: State, me: int, rules: RulesInForce, env: Mapping[str, Any]
    ) -> None:
        self.board = board
        self.state = state
        self.me = me
        self.rules = rules
        self.env = env
        self.cache: dict[Any, Any] = board.cache
        self.counted_sets: list[Mask] | None = None

    def bound(self, name: str, value: Any) -> View:
        """The same view with one more name bound."""
        view = View(self.board, self.state, self.me, self.rules, {**self.env, name: value})
        view.counted_sets = self.counted_sets
        return view

    def bind_each(self, name: str, items: Iterable[Any]) -> Iterator[View]:
        """The same view with one more name bound, to one item after another.

        It is one view of which the item changes: nobody may keep it.
        """
        env = {**self.env, name: None}
        view = View(self.board, self.state, self.me, self.rules, env)
        view.counted_sets = self.counted_sets
        for item in items:
            env[name] = item
            yield view

    def with_terrain(self, terrain: int) -> View:
        """The same view of a table on which that terrain was chosen."""
        return View(self.board, with_choice(self.state, terrain), self.me, self.rules, self.env)

    def of(self, player: int) -> View:
        """The same table seen by another player."""
        view = View(self.board, self.state, player, self.rules, self.env)
        view.counted_sets = self.counted_sets
        return view

    @property
    def mine(self) -> Mask:
        """All hexes with a piece of this player."""
        return self.state.seats[self.me].all
