"""Statements, steps and triggers linked for one plan, and how each is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.game.events import Event
from kbrules.game.state import USED, Draft, Frame, draft_of
from kbrules.game.view import TRIGGERS, MoveContext, View, binds, triggers_of
from kbrules.hex.sets import Mask, bits
from kbrules.lang.evaluation import Node
from kbrules.lang.typed import (
    MAX_ROUNDS,
    Block,
    Each,
    Either,
    If,
    Repeat,
    Statement as CoreStatement,
    Step,
    Trigger,
)
from kbrules.library.ruleset import OwnedRule
from kbrules.plan.plan import MAX_NESTING, Plan, reaction_question
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


# Statements linked for one plan: one class per way in which the machine carries them out.
#
# Those that ask nobody have `execute`, which does them at once, for triggers.


@dataclass(frozen=True, slots=True, eq=False)
class InstantStep:
    """A step that happens at once."""

    linked: LinkedStep
    rule: str

    def execute(self, context: MoveContext, view: View) -> None:
        context.rule = self.rule
        self.linked.word.code(context, view.me, *self.linked.values(view))


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceStep:
    """A step that asks the player, or chance, for hexes, one after another."""

    linked: LinkedStep
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class DrawStep:
    """A step that lets chance draw a card."""

    linked: LinkedStep


@dataclass(frozen=True, slots=True, eq=False)
class OfferStep:
    """The step at which a player uses actions until the turn ends."""

    linked: LinkedStep


@dataclass(frozen=True, slots=True, eq=False)
class ReuseStep:
    """The step at which a player carries out an action of a tile once more."""

    linked: LinkedStep
    rule: str


def prepared(linked: LinkedStep, view: View) -> View:
    """Return the view of the table as an instant step would leave it; the table itself stays."""
    draft = draft_of(view.state)
    trial = MoveContext(view.board, draft, {}, (), ())
    linked.word.code(trial, view.me, *linked.values(view))
    return View(view.board, draft, view.me, view.rules, view.env)


@dataclass(frozen=True, slots=True, eq=False)
class IfStatement:
    """`if`: one body or the other."""

    core: If
    condition: Node
    body: Statements
    other: Statements

    def execute(self, context: MoveContext, view: View) -> None:
        execute(self.body if self.condition.value(view) else self.other, context, view)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatStatement:
    """`repeat n times` and `up to n times`."""

    core: Repeat
    times: Node
    body: Statements
    rule: str

    def rounds(self, context: MoveContext, view: View) -> int:
        """Return how often the body is done, as things are."""
        times: int = self.times.value(view)
        if times > MAX_ROUNDS:
            context.cut_off(view.me, "rounds", self.rule)
        return min(times, MAX_ROUNDS)

    def execute(self, context: MoveContext, view: View) -> None:
        for _ in range(self.rounds(context, view)):
            execute(self.body, context, view)


@dataclass(frozen=True, slots=True, eq=False)
class ForStatement:
    """`for x in ...`."""

    core: Each
    domain: Node
    guard: Node | None
    body: Statements

    def items(self, view: View) -> tuple[Any, ...]:
        """Return what the loop runs over; a set of hexes is taken apart in board order."""
        found = self.domain.value(view)
        return tuple(1 << hex for hex in bits(found)) if isinstance(found, int) else tuple(found)

    def execute(self, context: MoveContext, view: View) -> None:
        for item in self.items(view):
            inner = view.bound(self.core.variable, item)
            if self.guard is None or self.guard.value(inner):
                execute(self.body, context, inner)


@dataclass(frozen=True, slots=True, eq=False)
class EitherStatement:
    """`either` ... `or`: the player begins one of several bodies."""

    core: Either
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class ReactionStatement:
    """Whether to begin a reaction: a decision for the player, once for each unused tile.

    Its guard is judged each time: another reaction may have changed what it speaks of.
    """

    body: Block
    owner: OwnedRule
    guard: Node | None

    def is_available(self, view: View, frame: Frame) -> bool:
        """Return whether its guard is true, and the player has an unused tile.

        Without tiles, whether it was not done yet.
        """
        kind = self.owner.tile
        tiles = view.state.seats[view.me].tiles
        if kind < 0:
            is_open = not frame.repetitions
        else:
            is_open = any(tile.kind == kind and tile.status != USED for tile in tiles)
        return is_open and (self.guard is None or bool(self.guard.value(view)))


Statement = (
    InstantStep | ChoiceStep | DrawStep | OfferStep | ReuseStep | IfStatement | RepeatStatement |
    ForStatement | EitherStatement | ReactionStatement
)  # fmt: skip
Statements = tuple[Statement, ...]


def execute(statements: Statements, context: MoveContext, view: View) -> None:
    """Do instant statements one after another, each on the table as the one before left it."""
    for statement in statements:  # the view shows the table as it is, not as it was
        statement.execute(context, view)  # type: ignore[union-attr]


# The blocks of a rule set linked for one plan.


class LinkedBlocks(dict[str, Statements]):
    """The statements of each block by its path, linked when they are first needed."""

    def __init__(self, plan: Plan, choices: LegalHexes) -> None:
        super().__init__()
        self._plan = plan
        self._choices = choices

    def __missing__(self, path: str) -> Statements:
        self[path] = found = self._linked(path)
        return found

    def _linked(self, path: str) -> Statements:
        blocks, reaction = self._plan.ruleset.blocks, self._plan.questions.get(path)
        if reaction is None:
            return self.block(blocks[path])
        guard = self._plan.reaction_guards[reaction]
        test = self._plan.link(guard) if guard is not None else None
        return (ReactionStatement(blocks[reaction], self._plan.reactions[reaction], test),)

    def block(self, block: Block) -> Statements:
        """The statements of a block."""
        rule = block.path.split("/", 2)[1]
        return tuple(self._statement(statement, rule) for statement in block.steps)

    def _statement(self, statement: CoreStatement, rule: str) -> Statement:
        link = self._plan.link
        match statement:
            case Step():
                return self._step(statement, rule)
            case If(condition=condition, body=body, other=other):
                otherwise = self.block(other) if other is not None else ()
                return IfStatement(statement, link(condition), self.block(body), otherwise)
            case Repeat(times=times, body=body):
                return RepeatStatement(statement, link(times), self.block(body), rule)
            case Each(domain=domain, guard=guard, body=inside):
                test = link(guard) if guard is not None else None
                return ForStatement(statement, link(domain), test, self.block(inside))
            case Either():
                return EitherStatement(statement, rule)

    def _step(self, step: Step, rule: str) -> Statement:
        linked = self._choices.linked(step)
        if linked.word.is_offers:
            return OfferStep(linked)
        if linked.word.is_reuse:
            return ReuseStep(linked, rule)
        if linked.word.asks:
            return ChoiceStep(linked, rule)
        if linked.word.outcomes is not None:
            return DrawStep(linked)
        return InstantStep(linked, rule)


# Triggers of what happened: they act at once, or begin a block if they must ask.


@dataclass(frozen=True, slots=True)
class _LinkedTrigger:
    """A trigger linked for one plan; `body` is None if it asks a player."""

    trigger: Trigger
    owner: OwnedRule
    guard: Node | None
    body: Statements | None


class TriggerDispatcher:
    """Hands each event to its triggers; `linked` are these by the kind of event."""

    # In order: events as they happened, their triggers as they are declared, then players from the
    # left of the one in turn. Blocks that ask somebody go on the stack, the first of them on top,
    # and are asked before what was under way goes on. Kernels keep to this order, or games differ.

    def __init__(self, plan: Plan, blocks: Mapping[str, Statements]) -> None:
        self._plan = plan
        self.linked: dict[type, list[_LinkedTrigger]] = {
            event: [self._link(trigger, owner, blocks) for trigger, owner in declared]
            for event in dict.fromkeys(event for each in TRIGGERS for event in each.events)
            if (declared := [t for n in triggers_of(event) for t in plan.triggers.get(n, ())])
        }

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
        for linked in self.linked[type(event)]:
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
            execute(linked.body, context, view)
            return
        path = linked.trigger.body.path
        block = reaction_question(path) if linked.trigger.offered else path
        if len(context.draft.stack) >= MAX_NESTING:
            # Triggers nested so deep are taken for a chain without end.
            context.cut_off(view.me, "nesting", linked.owner.rule.id)
            return
        context.new_frames.append(Frame(block, 0, view.me, view.env))
