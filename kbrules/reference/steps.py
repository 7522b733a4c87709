"""Steps linked for one plan: one class per way in which a step is carried out.

`run` carries it out for a frame of the stack and returns a decision if one is due. A step that
asks nobody has `execute`, which does it at once, for triggers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from kbrules.game.move_context import MoveContext
from kbrules.game.moves import CHANCE, MoveGroup, MoveSet, new_group
from kbrules.game.state import EachLoop, Frame, draft_of
from kbrules.game.terrain_choice import is_open, terrains
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Block, Step
from kbrules.plan.linked_step import LinkedStep
from kbrules.plan.plan import LinkedWheneverRules, Plan
from kbrules.reference.legal_hexes import LegalHexes

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
