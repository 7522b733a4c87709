"""Triggers of what happened: they act at once, or begin a block if they must ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kbrules.game.events import Event
from kbrules.game.move_context import MoveContext
from kbrules.game.state import Draft, Frame
from kbrules.game.triggers import TRIGGERS, binds, triggers_of
from kbrules.game.view import View
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Trigger
from kbrules.library.ruleset import OwnedRule
from kbrules.plan.instant import is_instant
from kbrules.plan.limits import MAX_NESTING
from kbrules.plan.plan import Plan, Triggers, reaction_question
from kbrules.reference.statements import Statements, execute
from kbrules.reference.steps import MachineInterface


@dataclass(frozen=True, slots=True)
class _LinkedTrigger:
    """A trigger linked for one plan; `body` is None if it asks a player."""

    trigger: Trigger
    owner: OwnedRule
    guard: Node | None
    body: Statements | None


class TriggerDispatcher:
    """Hands each event to its triggers."""

    def __init__(
        self, plan: Plan, blocks: Mapping[str, Statements], machine: MachineInterface
    ) -> None:
        self._plan = plan
        self._machine = machine
        self._linked: dict[type, list[_LinkedTrigger]] = {
            event: [self._link(trigger, owner, blocks) for trigger, owner in triggers]
            for event in dict.fromkeys(event for each in TRIGGERS for event in each.events)
            if (triggers := self._triggers_for(event))
        }

    @property
    def trigger_events(self) -> Collection[type]:
        """The kinds of events that have triggers."""
        return self._linked

    def _triggers_for(self, event: type) -> Triggers:
        """The triggers of a kind of event."""
        declared = self._plan.triggers
        return tuple(pair for name in triggers_of(event) for pair in declared.get(name, ()))

    def _link(
        self, trigger: Trigger, owner: OwnedRule, code: Mapping[str, Statements]
    ) -> _LinkedTrigger:
        guard = None if trigger.guard is None else self._plan.link(trigger.guard)
        body = code[trigger.body.path]
        at_once = is_instant(trigger.body) and not trigger.offered
        return _LinkedTrigger(trigger, owner, guard, body if at_once else None)

    def dispatch(self, context: MoveContext) -> None:
        """Run the triggers of all pending events, in the order of the events."""
        while context.pending:
            self._run_all(context, context.pending.pop(0))
        if context.new_frames:
            context.draft.stack = (*context.draft.stack, *reversed(context.new_frames))
            context.new_frames.clear()

    def _run_all(self, context: MoveContext, event: Event) -> None:
        """Run the triggers of an event, each on the table as the one before left it."""
        env = binds(event)
        for linked in self._linked[type(event)]:
            for me in self._players_for(linked, context.draft, event):
                view = View(context.board, context.draft, me, self._plan, env)
                if linked.guard is None or linked.guard.value(view):
                    self._run(context, linked, view)

    def _players_for(self, linked: _LinkedTrigger, draft: Draft, event: Event) -> list[int]:
        """The players for whom a trigger acts: whom the event speaks of, or holders of a tile.

        Several act in turn order, from the left of the player whose turn it is.
        """
        event_player, trigger, owner = event.player, linked.trigger, linked.owner
        if trigger.who == "me":
            players = [event_player] if event_player >= 0 else []
        else:
            count = len(draft.seats)
            players = [(draft.active + 1 + i) % count for i in range(count)]
            if trigger.who == "others":
                players = [player for player in players if player != event_player]
        if owner.tile < 0 and owner.card < 0:
            return players
        return [p for p in players if self._plan.applies_to(owner, draft, p)]

    def _run(self, context: MoveContext, linked: _LinkedTrigger, view: View) -> None:
        if linked.body is not None:
            execute(linked.body, self._machine, context, view)
            return
        path = linked.trigger.body.path
        block = reaction_question(path) if linked.trigger.offered else path
        if len(context.draft.stack) >= MAX_NESTING:
            # Triggers nested so deep are taken for a chain without end.
            context.cut_off(view.me, "nesting", linked.owner.rule.id)
            return
        context.new_frames.append(Frame(block, 0, view.me, view.env))
