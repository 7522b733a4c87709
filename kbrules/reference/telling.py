"""Telling the rules what happened: triggers act at once, or begin a block if they must ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kbrules.game.events import Event
from kbrules.game.state import Draft, Frame
from kbrules.game.table import Table
from kbrules.game.triggers import TRIGGERS, binds, triggers_of
from kbrules.game.view import View
from kbrules.lang.core import Trigger
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import Owned
from kbrules.plan.instant import is_instant
from kbrules.plan.limits import MOST_NESTED
from kbrules.plan.program import Program, Triggers, question
from kbrules.reference.doings import Doing, Doings, Running, happen


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A trigger ready to act; `body` is None if it must ask somebody.

    `only` is all of the body if that is one thing; `is_plain` says that it acts for the very
    player the event speaks of.
    """

    trigger: Trigger
    owner: Owned
    guard: Node | None
    body: Doings | None
    only: Doing | None
    is_plain: bool


class Telling:
    """Hands each event to the rules that wait for it."""

    def __init__(self, program: Program, code: Mapping[str, Doings], machine: Running) -> None:
        self._program = program
        self._machine = machine
        self._waiting: dict[type, tuple[tuple[_Waiting, ...], bool]] = {
            event: self._all_ready(triggers, code)
            for event in dict.fromkeys(event for each in TRIGGERS for event in each.events)
            if (triggers := self._told_of(event))
        }

    @property
    def followed(self) -> Collection[type]:
        """The kinds of events that some rule waits for."""
        return self._waiting

    def _told_of(self, event: type) -> Triggers:
        """All that wait for a kind of event, trigger by trigger."""
        waiting = self._program.triggers
        return tuple(pair for name in triggers_of(event) for pair in waiting.get(name, ()))

    def _all_ready(
        self, triggers: Triggers, code: Mapping[str, Doings]
    ) -> tuple[tuple[_Waiting, ...], bool]:
        """All that wait for a kind of event, and whether each of them is as plain as can be."""
        ready = tuple(self._ready(trigger, owner, code) for trigger, owner in triggers)
        return ready, all(each.is_plain and each.only is not None for each in ready)

    def _ready(self, trigger: Trigger, owner: Owned, code: Mapping[str, Doings]) -> _Waiting:
        guard = None if trigger.guard is None else self._program.link(trigger.guard)
        body = code[trigger.body.path]
        at_once = is_instant(trigger.body) and not trigger.offered
        is_plain = trigger.who == "me" and owner.tile < 0
        only = body[0] if at_once and len(body) == 1 else None
        return _Waiting(trigger, owner, guard, body if at_once else None, only, is_plain)

    def tell(self, table: Table) -> None:
        """Let every rule that waits for what just happened act, in the order it happened."""
        frames = table.begun
        while table.news:
            event = table.news.pop(0)
            waiting, plain = self._waiting[type(event)]
            if plain and event.player >= 0:
                self._follow_plainly(table, event, waiting)
            else:
                self._follow(table, event, waiting, frames)
        if frames:
            table.draft.stack = (*table.draft.stack, *reversed(frames))
            frames.clear()

    def follow(self, table: Table, event: Event, trigger: Trigger) -> None:
        """Let one of the rules act that wait for an event; what it begins waits for `tell`."""
        waiting = (each for each in self._waiting[type(event)][0] if each.trigger is trigger)
        self._follow(table, event, tuple(waiting), table.begun)

    def _follow_plainly(self, table: Table, event: Event, waiting: tuple[_Waiting, ...]) -> None:
        """The same where all that wait act at once, for the very player the event speaks of."""
        view = View(table.board, table.draft, event.player, self._program, binds(event))
        known = len(table.events)
        for each in waiting:
            if known != len(table.events):
                view, known = view.of(event.player), len(table.events)
            if each.guard is None or each.guard.value(view):
                each.only.happen(self._machine, table, view)  # type: ignore[union-attr]

    def _follow(
        self, table: Table, event: Event, waiting: tuple[_Waiting, ...], frames: list[Frame]
    ) -> None:
        env = binds(event)
        view, known = None, 0
        for each in waiting:
            simple = each.is_plain and event.player >= 0
            for me in (event.player,) if simple else self._whose(each, table.draft, event):
                # The same view serves as long as nothing more has happened.
                if view is None or view.me != me or known != len(table.events):
                    view = View(table.board, table.draft, me, self._program, env)
                    known = len(table.events)
                if each.guard is None or each.guard.value(view):
                    self._act(table, each, view, frames)

    def _whose(self, waiting: _Waiting, draft: Draft, event: Event) -> list[int]:
        """The players for whom a trigger acts: whom the event speaks of, or holders of a tile.

        Several act in turn order, from the left of the player whose turn it is.
        """
        speaker, trigger, owner = event.player, waiting.trigger, waiting.owner
        if trigger.who == "me":
            players = [speaker] if speaker >= 0 else []
        else:
            count = len(draft.seats)
            players = [(draft.active + 1 + i) % count for i in range(count)]
            if trigger.who == "others":
                players = [player for player in players if player != speaker]
        if owner.tile < 0:
            return players
        return [p for p in players if self._program.applies_to(owner, draft, p)]

    def _act(self, table: Table, waiting: _Waiting, view: View, frames: list[Frame]) -> None:
        if waiting.only is not None:
            waiting.only.happen(self._machine, table, view)  # type: ignore[union-attr]
            return
        if waiting.body is not None:
            happen(waiting.body, self._machine, table, view)
            return
        path = waiting.trigger.body.path
        block = question(path) if waiting.trigger.offered else path
        if len(table.draft.stack) >= MOST_NESTED:
            return  # it would bring itself about for ever
        frames.append(Frame(block, 0, view.me, view.env))
