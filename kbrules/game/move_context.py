"""The table while a step is carried out: board, draft, and the list of what happened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from kbrules.game.board import Board
from kbrules.game.events import CutOff, Event, is_reported
from kbrules.game.state import Draft, Frame, State
from kbrules.hex.masks import Mask


class MoveContext:
    """What a step works on; every change goes through `emit`.

    `events` are the events of the whole move so far; `pending` are those whose triggers have not
    run yet, and `trigger_events` the kinds of events that have triggers; `new_frames` are blocks
    that triggers begin, the first on top; `strayed` says whether the hex just chosen needed a
    waived preference; `rule` is the rule whose step happens at once; `cards` are the scoring cards
    of the table. `trials` says how many trials of blocks, one within another, it belongs to.
    """

    __slots__ = (
        "board",
        "cards",
        "draft",
        "events",
        "memories",
        "new_frames",
        "on_event",
        "pending",
        "rule",
        "strayed",
        "trials",
        "trigger_events",
    )

    def __init__(
        self,
        board: Board,
        draft: Draft,
        memories: Mapping[str, tuple[str, int]],
        trigger_events: Collection[type],
        cards: Collection[int],
        trials: int = 0,
    ) -> None:
        self.board = board
        self.draft = draft
        self.memories = memories
        self.trigger_events = trigger_events
        self.cards = cards
        self.trials = trials
        self.events: list[Event] = []
        self.pending: list[Event] = []
        self.new_frames: list[Frame] = []
        self.strayed = False
        self.rule = ""
        self.on_event: Callable[[Event, State], Any] | None = None

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
        if not is_reported(self.draft, limit):
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
