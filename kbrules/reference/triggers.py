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
from kbrules.reference.statements import Statement, Statements, execute
from kbrules.reference.steps import MachineInterface


@dataclass(frozen=True, slots=True)
class _LinkedTrigger:
    """A trigger linked for one plan; `body` is None if it asks a player.

    `single_statement` is all of the body if that is one thing; `acts_for_event_player`
    says that it acts for the player of the event.
    """

    trigger: Trigger
    owner: OwnedRule
    guard: Node | None
    body: Statements | None
    single_statement: Statement | None
    acts_for_event_player: bool


class TriggerDispatcher:
    """Hands each event to its triggers."""

    def __init__(
        self, plan: Plan, blocks: Mapping[str, Statements], machine: MachineInterface
    ) -> None:
        self._plan = plan
        self._machine = machine
        self._linked: dict[type, tuple[tuple[_LinkedTrigger, ...], bool]] = {
            event: self._link_all(triggers, blocks)
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

    def _link_all(
        self, triggers: Triggers, code: Mapping[str, Statements]
    ) -> tuple[tuple[_LinkedTrigger, ...], bool]:
        """The triggers of a kind of event; whether each acts for its player by one statement."""
        linked = tuple(self._link(trigger, owner, code) for trigger, owner in triggers)
        return linked, all(
            each.acts_for_event_player and each.single_statement is not None for each in linked
        )

    def _link(
        self, trigger: Trigger, owner: OwnedRule, code: Mapping[str, Statements]
    ) -> _LinkedTrigger:
        guard = None if trigger.guard is None else self._plan.link(trigger.guard)
        body = code[trigger.body.path]
        at_once = is_instant(trigger.body) and not trigger.offered
        is_always_there = owner.tile < 0 and (owner.card < 0 or not self._plan.ruleset.moves_cards)
        acts_for_event_player = trigger.who == "me" and is_always_there
        only = body[0] if at_once and len(body) == 1 else None
        return _LinkedTrigger(
            trigger, owner, guard, body if at_once else None, only, acts_for_event_player
        )

    def dispatch(self, context: MoveContext) -> None:
        """Run the triggers of all pending events, in the order of the events."""
        frames = context.new_frames
        while context.pending:
            event = context.pending.pop(0)
            linked, plain = self._linked[type(event)]
            if plain and event.player >= 0:
                self._run_immediately(context, event, linked)
            else:
                self._run_all(context, event, linked, frames)
        if frames:
            context.draft.stack = (*context.draft.stack, *reversed(frames))
            frames.clear()

    def _run_immediately(
        self, context: MoveContext, event: Event, linked: tuple[_LinkedTrigger, ...]
    ) -> None:
        """Run triggers of one statement each, for the player of the event."""
        view = View(context.board, context.draft, event.player, self._plan, binds(event))
        known = len(context.events)
        for each in linked:
            if known != len(context.events):
                view, known = view.of(event.player), len(context.events)
            if each.guard is None or each.guard.value(view):
                each.single_statement.execute(self._machine, context, view)  # type: ignore[union-attr]

    def _run_all(
        self,
        context: MoveContext,
        event: Event,
        linked: tuple[_LinkedTrigger, ...],
        frames: list[Frame],
    ) -> None:
        env = binds(event)
        view, known = None, 0
        for each in linked:
            simple = each.acts_for_event_player and event.player >= 0
            for me in (event.player,) if simple else self._players_for(each, context.draft, event):
                # The same view serves as long as nothing more has happened.
                if view is None or view.me != me or known != len(context.events):
                    view = View(context.board, context.draft, me, self._plan, env)
                    known = len(context.events)
                if each.guard is None or each.guard.value(view):
                    self._run(context, each, view, frames)

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

    def _run(
        self, context: MoveContext, linked: _LinkedTrigger, view: View, frames: list[Frame]
    ) -> None:
        if linked.single_statement is not None:
            linked.single_statement.execute(self._machine, context, view)  # type: ignore[union-attr]
            return
        if linked.body is not None:
            execute(linked.body, self._machine, context, view)
            return
        path = linked.trigger.body.path
        block = reaction_question(path) if linked.trigger.offered else path
        if len(context.draft.stack) >= MAX_NESTING:
            # Triggers nested so deep are taken for a chain without end.
            context.cut_off(view.me, "nesting", linked.owner.rule.id)
            return
        frames.append(Frame(block, 0, view.me, view.env))
