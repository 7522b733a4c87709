"""Statements, steps and triggers linked for one plan, and how each is carried out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, MoveGroup, MoveSet, new_group
from kbrules.game.state import USED, Draft, EachLoop, Frame, RepeatLoop, State, UpToLoop, draft_of
from kbrules.game.view import TRIGGERS, MoveContext, View, binds, is_open, terrains, triggers_of
from kbrules.hex.sets import Mask, bits
from kbrules.lang.evaluation import Node
from kbrules.lang.typed import MAX_ROUNDS, Block, Each, Either, If, Repeat, Step, Trigger
from kbrules.library.ruleset import OwnedRule
from kbrules.plan.plan import MAX_NESTING, LinkedWheneverRules, Plan, Triggers, reaction_question
from kbrules.plan.steps import ORIGIN, LinkedStep, MovablePieces, is_instant, lifted

# What a step asks for: the legal hexes of each of its phrases.


class LegalHexes:
    """The legal hexes of steps under one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._linked: dict[int, LinkedStep] = {}
        self.movable_pieces = MovablePieces(plan, self)

    def linked(self, step: Step) -> LinkedStep:
        """What a step asks, linked once per table."""
        found = self._linked.get(id(step))
        if found is None:
            found = self._linked[id(step)] = LinkedStep(step, self._plan)
        return found

    def legal_hexes(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes that may be chosen next for a step, after those already chosen."""
        if linked.is_simple:
            simple: Mask = linked.legal.value(view)
            return simple
        can = linked.can
        if can is not None and not can(view, *linked.values(view)):
            return 0
        if len(chosen) + 1 < len(linked.target_nodes):
            return self.movable_pieces.with_targets(linked, view)
        if not linked.verb:
            return linked.pieces(view)
        return self.targets(linked, view, chosen)

    def targets(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes where a step may put its piece."""
        return self.targets_in(linked, self.choice_view(linked, view, chosen))

    def targets_in(self, linked: LinkedStep, lifted_view: View) -> Mask:
        """The same when the piece, if one is to be lifted, was taken up already."""
        mask: Mask = linked.legal.value(lifted_view)
        return mask

    def needs_waiver(
        self, linked: LinkedStep, view: View, chosen: tuple[int, ...], hex: int
    ) -> bool:
        """Whether a legal hex would not be legal but for the waiver of one rule.

        Where several rules waive preferences at once no one of them is needed.
        """
        if (
            not linked.target_nodes
            or not linked.norms.waives
            or not linked.norms.has_one_waiver(view)
        ):
            return False
        if linked.freely:
            return False
        choice_view = self.choice_view(linked, view, chosen)
        return not linked.legal_without_waivers.value(choice_view) >> hex & 1

    def choice_view(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> View:
        """What the next choice of a step is judged by: `origin` is the hex chosen first."""
        if not chosen or not linked.is_pair:
            return view
        if linked.word.lifts:
            return self.lifted(view, chosen[0])
        return view.bound(ORIGIN, 1 << chosen[0])

    def lifted(self, view: View, hex: int) -> View:
        """The view after the piece on a hex was taken up, with `origin` bound to it."""
        return lifted(view, draft_of(view.state), hex)


# Steps linked for one plan: one class per way in which a step is carried out.
#
# `run` carries it out for a frame of the stack and returns a decision if one is due. A step that
# asks nobody has `execute`, which does it at once, for triggers.

DRAW = (MoveGroup("draw", ""),)


class OffersInterface(Protocol):
    """What a player may begin."""

    def offered(self, context: MoveContext, frame: Frame) -> tuple[MoveGroup, ...]:
        """All that a player may begin now."""

    def reusable(
        self, context: MoveContext, frame: Frame, rule: str, places: Mask
    ) -> tuple[MoveGroup, ...]:
        """All that tiles from some places let a player begin once more."""

    def alternatives(
        self, context: MoveContext, frame: Frame, bodies: Iterable[Block], rule: str
    ) -> tuple[MoveGroup, ...]:
        """The moves that begin one of several blocks."""


class MachineInterface(Protocol):
    """What steps and statements need of the machine."""

    plan: Plan

    @property
    def offers(self) -> OffersInterface:
        """What players may begin."""

    def run(self, context: MoveContext, base_depth: int = -1) -> MoveSet | None:
        """Run until a decision is due, or until the stack is no deeper than `base_depth`."""

    def view(self, context: MoveContext, me: int, env: Any) -> View:
        """The table as a player sees it."""

    def next_statement(self, context: MoveContext) -> None:
        """Go on to the next step of the running block."""

    def skip(self, context: MoveContext, frame: Frame) -> None:
        """Go on past a step that cannot be done; `up to` ends if it would begin a round."""

    def push(self, context: MoveContext, frame: Frame) -> None:
        """Begin a block."""

    def dispatch(self, context: MoveContext) -> None:
        """Run the triggers of what just happened."""

    def run_first_whenever(
        self, context: MoveContext, view: View, whenevers: LinkedWheneverRules
    ) -> bool:
        """Let a `whenever` rule act first; whether one did."""

    def stop_move(self, frame: Frame, rule: str) -> tuple[MoveGroup, ...]:
        """The move that ends an `up to` loop, where the player may stop."""

    def is_action(self, path: str) -> bool:
        """Whether a block is an action as a whole."""

    def bind_next(
        self, context: MoveContext, frame: Frame, loop: EachLoop, guard: Node | None
    ) -> None:
        """Bind the next item of a `for` whose guard holds, or leave the loop."""


class InstantStep:
    """A step that happens at once."""

    __slots__ = ("_linked", "_rule")

    def __init__(self, linked: LinkedStep, rule: str) -> None:
        self._linked = linked
        self._rule = rule

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> None:
        view = machine.view(context, frame.me, frame.env)
        machine.next_statement(context)
        self.execute(machine, context, view)
        if context.pending:
            machine.dispatch(context)

    @property
    def prepares(self) -> bool:
        """Whether it changes only what the next step asks."""
        return self._linked.word.prepares

    def prepared(self, view: View) -> View:
        """The view of the table as the step would leave it; the table itself stays."""
        return prepared(self._linked, view)

    def execute(self, machine: MachineInterface, context: MoveContext, view: View) -> None:
        context.rule = self._rule
        self._linked.word.code(context, view.me, *self._linked.values(view))


class ChoiceStep:
    """A step that asks the player, or chance, for hexes, one after another."""

    __slots__ = ("_choices", "linked", "rule")

    def __init__(self, linked: LinkedStep, rule: str, choices: LegalHexes) -> None:
        self.linked = linked
        self.rule = rule
        self._choices = choices

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        linked = self.linked
        _, _, me, env, loop, done, chosen = frame
        view = View(context.board, context.draft, me, machine.plan, env)
        times = linked.times
        if done >= (times if times >= 0 else linked.count(view)):
            machine.next_statement(context)
            return None
        if machine.run_first_whenever(context, view, machine.plan.whenever_rules):
            return None
        if linked.needs_terrain and is_open(context.draft, context.board):
            groups = self._which_terrain(context, view, chosen)
        else:
            if linked.is_simple:
                hexes = linked.legal.value(view)
            else:
                hexes = self._choices.legal_hexes(linked, view, chosen)
            name = linked.move_verbs[len(chosen)]
            groups = (new_group((name, self.rule, hexes, "")),) if hexes else ()
        if not groups:
            machine.skip(context, frame)
            return None
        if linked.at_random:
            return MoveSet(CHANCE, groups)
        return MoveSet(me, (*groups, *machine.stop_move(frame, self.rule)) if loop else groups)

    def _which_terrain(
        self, context: MoveContext, view: View, chosen: tuple[int, ...]
    ) -> tuple[MoveGroup, ...]:
        """The terrains of the cards face up with which the step can be done."""
        catalog = context.board.catalog
        return tuple(
            MoveGroup("choose", catalog.hexes[terrain].id)
            for terrain in terrains(context.draft, context.board)
            if self._choices.legal_hexes(self.linked, view.with_terrain(terrain), chosen)
        )


class DrawStep:
    """A step that lets chance draw a card."""

    __slots__ = ("linked",)

    def __init__(self, linked: LinkedStep) -> None:
        self.linked = linked

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        view = View(context.board, context.draft, frame.me, machine.plan, frame.env)
        times = self.linked.times
        if frame.repetitions < (times if times >= 0 else self.linked.count(view)):
            if machine.run_first_whenever(context, view, machine.plan.whenever_rules_of_draws):
                return None
            assert self.linked.word.outcomes is not None
            weights = self.linked.word.outcomes(view)
            if any(weights):
                return MoveSet(CHANCE, DRAW, weights)
        machine.next_statement(context)
        return None


class OfferStep:
    """The step at which a player uses actions until the turn ends."""

    __slots__ = ("_step",)

    def __init__(self, step: Step) -> None:
        self._step = step

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        view = View(context.board, context.draft, frame.me, machine.plan, frame.env)
        if machine.run_first_whenever(context, view, machine.plan.whenever_rules):
            return None
        groups = machine.offers.offered(context, frame)
        return _offer(machine, context, frame, self._step, groups)


class ReuseStep:
    """The step at which a player carries out an action of a tile once more."""

    __slots__ = ("_linked", "_rule")

    def __init__(self, linked: LinkedStep, rule: str) -> None:
        self._linked = linked
        self._rule = rule

    def places(self, view: View) -> Mask:
        """Where a tile must come from to serve."""
        [found] = self._linked.values(view)
        return int(found)

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        view = machine.view(context, frame.me, frame.env)
        if machine.run_first_whenever(context, view, machine.plan.whenever_rules):
            return None
        groups = machine.offers.reusable(context, frame, self._rule, self.places(view))
        if groups:
            groups += machine.stop_move(frame, self._rule)
        return _offer(machine, context, frame, self._linked.step, groups)


def prepared(linked: LinkedStep, view: View) -> View:
    """Return the view of the table as an instant step would leave it; the table itself stays."""
    draft = draft_of(view.state)
    trial = MoveContext(view.board, draft, {}, (), ())
    linked.word.code(trial, view.me, *linked.values(view))
    return View(view.board, draft, view.me, view.rules, view.env)


def _offer(
    machine: MachineInterface,
    context: MoveContext,
    frame: Frame,
    step: Step,
    groups: tuple[MoveGroup, ...],
) -> MoveSet | None:
    """The decision of a step that offers actions; None, and the step is over, without any."""
    if machine.plan.observer is not None:
        machine.plan.observer.record(step, bool(groups))
    if groups:
        return MoveSet(frame.me, groups)
    machine.next_statement(context)
    return None


# Statements linked for one plan, and the blocks that they make up.


class IfStatement:
    """`if`: one body or the other."""

    __slots__ = ("body", "condition", "core", "other")

    def __init__(self, core: If, condition: Node, body: Statements, other: Statements) -> None:
        self.core = core
        self.condition = condition
        self.body = body
        self.other = other

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> None:
        holds = self.condition.value(machine.view(context, frame.me, frame.env))
        machine.next_statement(context)
        body = self.core.body if holds else self.core.other
        if body is not None:
            machine.push(context, Frame(body.path, 0, frame.me, frame.env))

    def execute(self, machine: MachineInterface, context: MoveContext, view: View) -> None:
        body = self.body if self.condition.value(view) else self.other
        execute(body, machine, context, view)


class RepeatStatement:
    """`repeat n times` and `up to n times`."""

    __slots__ = ("body", "core", "rule", "times")

    def __init__(self, core: Repeat, times: Node, body: Statements, rule: str) -> None:
        self.core = core
        self.rule = rule
        self.times = times
        self.body = body

    def rounds(self, context: MoveContext, view: View) -> int:
        """How often the body is done, as things are."""
        times: int = self.times.value(view)
        if times > MAX_ROUNDS:
            context.cut_off(view.me, "rounds", self.rule)
        return min(times, MAX_ROUNDS)

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> None:
        times = self.rounds(context, machine.view(context, frame.me, frame.env))
        must_begin = frame.pc == 0 and machine.is_action(frame.block)
        machine.next_statement(context)
        if times <= 0:
            return
        loop = UpToLoop(times, 0, not must_begin) if self.core.may_stop else RepeatLoop(times)
        machine.push(context, Frame(self.core.body.path, 0, frame.me, frame.env, loop))

    def execute(self, machine: MachineInterface, context: MoveContext, view: View) -> None:
        for _ in range(self.rounds(context, view)):
            execute(self.body, machine, context, view)


class ForStatement:
    """`for x in ...`."""

    __slots__ = ("body", "core", "domain", "guard")

    def __init__(self, core: Each, domain: Node, guard: Node | None, body: Statements) -> None:
        self.core = core
        self.domain = domain
        self.guard = guard
        self.body = body

    def items(self, view: View) -> tuple[Any, ...]:
        """What the loop runs over; a set of hexes is taken apart in board order."""
        found = self.domain.value(view)
        return tuple(1 << hex for hex in bits(found)) if isinstance(found, int) else tuple(found)

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> None:
        items = self.items(machine.view(context, frame.me, frame.env))
        machine.next_statement(context)
        loop = EachLoop(self.core.variable, items)
        body = Frame(self.core.body.path, 0, frame.me, frame.env, loop)
        machine.push(context, body)
        machine.bind_next(context, body, loop, self.guard)

    def execute(self, machine: MachineInterface, context: MoveContext, view: View) -> None:
        for item in self.items(view):
            inner = machine.view(context, view.me, {**view.env, self.core.variable: item})
            if self.guard is None or self.guard.value(inner):
                execute(self.body, machine, context, inner)


class EitherStatement:
    """`either` ... `or`: the player begins one of several bodies."""

    __slots__ = ("core", "rule")

    def __init__(self, core: Either, rule: str) -> None:
        self.core = core
        self.rule = rule

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        view = machine.view(context, frame.me, frame.env)
        if machine.run_first_whenever(context, view, machine.plan.whenever_rules):
            return None
        groups = machine.offers.alternatives(context, frame, self.core.bodies, self.rule)
        if not groups:
            machine.skip(context, frame)
            return None
        return MoveSet(frame.me, (*groups, *machine.stop_move(frame, self.rule)))


class ReactionStatement:
    """Whether to begin a reaction: a decision for the player, once for each unused tile.

    Its guard is judged each time: another reaction may have changed what it speaks of.
    """

    __slots__ = ("body", "guard", "owner")

    def __init__(self, body: Block, owner: OwnedRule, guard: Node | None) -> None:
        self.body = body
        self.owner = owner
        self.guard = guard

    def run(self, machine: MachineInterface, context: MoveContext, frame: Frame) -> MoveSet | None:
        view = machine.view(context, frame.me, frame.env)
        if not self._is_available(context.draft, frame) or (
            self.guard and not self.guard.value(view)
        ):
            machine.next_statement(context)
            return None
        if machine.run_first_whenever(context, view, machine.plan.whenever_rules):
            return None
        groups = machine.offers.alternatives(context, frame, (self.body,), self.owner.rule.id)
        if not groups:
            machine.next_statement(context)
            return None
        return MoveSet(frame.me, (*groups, MoveGroup("stop", self.owner.rule.id)))

    def _is_available(self, state: State, frame: Frame) -> bool:
        """Whether the player has a tile that was not used; without tiles, whether not yet done."""
        kind = self.owner.tile
        if kind < 0:
            return not frame.repetitions
        tiles = state.seats[frame.me].tiles
        return any(tile.kind == kind and tile.status != USED for tile in tiles)


Statement = (
    InstantStep | ChoiceStep | DrawStep | OfferStep | ReuseStep | IfStatement | RepeatStatement |
    ForStatement | EitherStatement | ReactionStatement
)  # fmt: skip
Statements = tuple[Statement, ...]


def execute(
    statements: Statements, machine: MachineInterface, context: MoveContext, view: View
) -> None:
    """Do instant statements one after another, each on the table as the one before left it."""
    for statement in statements:  # the view shows the table as it is, not as it was
        statement.execute(machine, context, view)  # type: ignore[union-attr]


# Triggers of what happened: they act at once, or begin a block if they must ask.


@dataclass(frozen=True, slots=True)
class _LinkedTrigger:
    """A trigger linked for one plan; `body` is None if it asks a player."""

    trigger: Trigger
    owner: OwnedRule
    guard: Node | None
    body: Statements | None


class TriggerDispatcher:
    """Hands each event to its triggers."""

    # In order: events as they happened, their triggers as they are declared, then players from the
    # left of the one in turn. Blocks that ask somebody go on the stack, the first of them on top,
    # and are asked before what was under way goes on. Kernels keep to this order, or games differ.

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
