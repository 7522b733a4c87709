"""Statements linked for one plan, and the blocks that they make up."""

from __future__ import annotations

from typing import Any

from kbrules.game.move_context import MoveContext
from kbrules.game.moves import MoveGroup, MoveSet
from kbrules.game.state import USED, EachLoop, Frame, RepeatLoop, State, UpToLoop
from kbrules.game.view import View
from kbrules.hex.masks import bits
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import MAX_ROUNDS, Block, Each, Either, If, Repeat
from kbrules.library.ruleset import OwnedRule
from kbrules.reference.steps import (
    ChoiceStep,
    DrawStep,
    InstantStep,
    MachineInterface,
    OfferStep,
    ReuseStep,
)


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
    InstantStep
    | ChoiceStep
    | DrawStep
    | OfferStep
    | ReuseStep
    | IfStatement
    | RepeatStatement
    | ForStatement
    | EitherStatement
    | ReactionStatement
)
Statements = tuple[Statement, ...]


def execute(
    statements: Statements, machine: MachineInterface, context: MoveContext, view: View
) -> None:
    """Do instant statements one after another, each on the table as the one before left it."""
    for statement in statements:  # the view shows the table as it is, not as it was
        statement.execute(machine, context, view)  # type: ignore[union-attr]
