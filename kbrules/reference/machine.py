"""The machine: it runs rules until somebody must decide, and goes on from what was decided.

A running rule is a frame on the stack of the state, so a half-finished action can be
saved, copied and taken back like any other position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from kbrules.game.events import Used
from kbrules.game.events_of_cards import Chose
from kbrules.game.moves import CHANCE, Group, Move, MoveSet
from kbrules.game.shown import card_showing, terrain_played
from kbrules.game.state import NONE, Frame, frame_of
from kbrules.game.table import Table
from kbrules.game.view import REPEATED, View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Block
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import Ruleset
from kbrules.plan.limits import MAX_FIRINGS
from kbrules.plan.linking import Linking
from kbrules.plan.plan import Plan, Watches
from kbrules.reference.choices import Choices
from kbrules.reference.linking import LinkedBlocks
from kbrules.reference.offers import Offers
from kbrules.reference.phases import PhaseSequence
from kbrules.reference.statements import EitherStatement, ForStatement, RepeatStatement
from kbrules.reference.steps import ChoiceStep, ReuseStep
from kbrules.reference.triggers import TriggerDispatcher

NO_MOVES = MoveSet(CHANCE, ())
MAX_MACHINES = 64


class Machine:
    """Runs the rules of one table."""

    def __init__(self, plan: Plan, choices: Choices, phases: PhaseSequence) -> None:
        self.plan = plan
        self.standings = plan.whenever_rules
        self.standings_of_draws = plan.whenever_rules_of_draws
        self.choices = choices
        self.phases = phases
        self.blocks = LinkedBlocks(plan, choices)
        self.triggers = TriggerDispatcher(plan, self.blocks, self)
        self.trigger_events: Collection[type] = self.triggers.trigger_events
        self.dispatch: Callable[[Table], None] = self.triggers.dispatch
        self.offers = Offers(plan, choices, self.blocks, self)

    # running

    def run(self, table: Table, base_depth: int = -1) -> MoveSet | None:
        """Run until a decision is due and answer its moves.

        Answer None as soon as the stack is no deeper than `base_depth`, if that is given.
        A game that is over answers no moves.
        """
        draft, code = table.draft, self.blocks
        while True:
            stack = draft.stack
            if base_depth >= 0 and len(stack) <= base_depth:
                return None
            if not stack:
                if draft.stage[0] == "over":
                    return NO_MOVES
                self.phases.next(table)
                if table.pending:
                    self.dispatch(table)
                continue
            frame = stack[-1]
            block, pc, _, _, _, _, _ = frame  # reading fields by name is slow in such numbers
            try:
                statement = code[block][pc]
            except IndexError:
                self._end(table, frame)
                continue
            moves = statement.run(self, table, frame)
            if moves is not None:
                return moves

    def view(self, table: Table, me: int, env: Any) -> View:
        """The table as a player sees it."""
        return View(table.board, table.draft, me, self.plan, env)

    def interrupt(self, table: Table, view: View, standings: Watches) -> bool:
        """Let the first `whenever` rule that holds act; whether one did."""
        draft = table.draft
        if draft.firings >= MAX_FIRINGS:
            return False
        if view.me != draft.active:
            view = view.of(draft.active)
        for standing, owner, condition in standings:
            if condition.value(view) and self.plan.applies_to(owner, draft, view.me):
                draft.firings += 1
                self.push(table, Frame(standing.body.path, 0, draft.active, {}))
                return True
        return False

    def stop_move(self, frame: Frame, rule: str) -> tuple[Group, ...]:
        """The move that ends an `up to` loop, where the player may stop."""
        loop = frame.loop
        if not loop or loop[0] != "up to" or frame.pc or frame.done or frame.chosen:
            return ()
        return (Group("stop", rule),) if loop[2] or loop[3] else ()

    def offered(self, table: Table, frame: Frame, view: View) -> tuple[Group, ...]:
        """All that a player may begin now."""
        return self.offers.offered(table, frame, view)

    def reusable(self, table: Table, frame: Frame, rule: str, places: Mask) -> tuple[Group, ...]:
        """All that tiles from some places let a player begin once more."""
        return self.offers.reusable(table, frame, rule, places)

    def alternatives(
        self, table: Table, frame: Frame, bodies: Iterable[Block], rule: str
    ) -> tuple[Group, ...]:
        """The moves that begin one of several blocks."""
        return self.offers.alternatives(table, frame, bodies, rule)

    def is_action(self, path: str) -> bool:
        """Whether a block is an action as a whole."""
        return path in self.plan.offers

    # frames

    def push(self, table: Table, frame: Frame) -> None:
        """Begin a block."""
        table.draft.stack += (frame,)

    def advance(self, table: Table) -> None:
        """Go on to the next step of the running block; a block that is done is left."""
        stack = table.draft.stack
        block, pc, me, env, loop, _, _ = stack[-1]
        if not loop and pc + 1 >= len(self.blocks[block]):
            table.draft.stack = stack[:-1]
        else:
            table.draft.stack = (*stack[:-1], frame_of((block, pc + 1, me, env, loop, 0, ())))

    def skip(self, table: Table, frame: Frame) -> None:
        """Go on past a step that cannot be done; `up to` ends if it would begin a round."""
        _, pc, _, _, loop, done, chosen = frame
        if loop and loop[0] == "up to" and not (pc or done or chosen):
            table.draft.stack = table.draft.stack[:-1]
        else:
            self.advance(table)

    def _replace(self, table: Table, frame: Frame) -> None:
        table.draft.stack = (*table.draft.stack[:-1], frame)

    def _end(self, table: Table, frame: Frame) -> None:
        """The end of a block: once more, or back to the one below."""
        block, _, me, env, loop, _, _ = frame
        if loop and loop[0] == "each":
            self.bind_next(table, frame, self._loop_of(frame).guard)
        elif loop and loop[1] > 1:
            rounds = ("repeat", loop[1] - 1)
            if loop[0] == "up to":
                rounds = ("up to", loop[1] - 1, loop[2] + 1, loop[3])  # type: ignore[assignment]
            self._replace(table, Frame(block, 0, me, env, rounds))
        else:
            table.draft.stack = table.draft.stack[:-1]

    def _loop_of(self, frame: Frame) -> ForStatement:
        parent = self.blocks[frame.block.rpartition(".")[0]]
        return next(
            statement
            for statement in parent
            if isinstance(statement, ForStatement) and statement.core.body.path == frame.block
        )

    def bind_next(self, table: Table, frame: Frame, guard: Node | None) -> None:
        """Bind the next item of a `for` whose guard holds, or leave the loop."""
        _, variable, items = frame.loop
        for index, item in enumerate(items):
            env = {**frame.env, variable: item}
            view = self.view(table, frame.me, env)
            if guard is None or guard.value(view):
                left = ("each", variable, items[index + 1 :])
                self._replace(table, Frame(frame.block, 0, frame.me, env, left))
                return
        table.draft.stack = table.draft.stack[:-1]

    # resuming

    def resume(self, table: Table, move: Move, group: Group) -> None:
        """Carry out what was decided, up to where the next `run` begins."""
        frame = table.draft.stack[-1]
        verb, _, hexes, path = group
        if path:
            self._begin(table, frame, path)
            if hexes:
                self._choose_first(table, move)
            else:
                self._begin_branch(table, move)
        elif verb == "end":
            self.advance(table)
        elif verb == "stop":
            table.draft.stack = table.draft.stack[:-1]
        elif verb == "choose":
            self._choose_terrain(table, frame.me, table.board.catalog.hex_index(group.rule))
        else:
            self._choose_hex(table, frame, move)

    def _begin(self, table: Table, frame: Frame, path: str) -> None:
        """Begin an action, a reaction or an alternative."""
        block, pc, me, env, _, _, _ = frame
        offer = self.plan.offers.get(path)
        if offer is not None and len(table.draft.shown) > 1 and path in self.plan.needing:
            self._choose_terrain(table, me, terrain_played(table.draft, table.board))
        if path in self.plan.reactions:
            self._react(table, frame, path)
        elif offer is None:
            self.advance(table)
        elif isinstance(self.blocks[block][pc], ReuseStep):
            env = {**env, REPEATED: True}
            self.advance(table)
        else:
            table.emit(Used(me, path, offer.owner.tile))
        table.draft.stack += (frame_of((path, 0, me, env, (), 0, ())),)

    def _react(self, table: Table, frame: Frame, path: str) -> None:
        """A reaction that is begun uses its tile; whether there is another is asked later."""
        self._replace(table, frame._replace(done=1))
        owner = self.plan.reactions[path]
        if owner.tile >= 0:
            table.emit(Used(frame.me, path, owner.tile))

    def _begin_branch(self, table: Table, move: Move) -> None:
        """Go into the branch that the same move begins, if the block begins with branches."""
        frame = table.draft.stack[-1]
        statement = self.blocks[frame.block][frame.pc]
        if isinstance(statement, EitherStatement):
            for group in self.alternatives(table, frame, statement.core.bodies, statement.rule):
                if (group.verb, group.rule, group.hexes) == (move.verb, move.rule, 0):
                    self.resume(table, move, group)
                    return

    def _choose_terrain(self, table: Table, me: int, terrain: int) -> None:
        """Settle which of the cards face up is used, if there is one that can be."""
        if terrain != NONE:
            card = card_showing(table.draft, table.board, terrain)
            table.emit(Chose(me, card, terrain))

    def _choose_first(self, table: Table, move: Move) -> None:
        """Go down to the step that offers the hex, and choose.

        That is the step a block begins with if it asks at all, or the first that asks: there may
        be steps before it that have nothing to offer.
        """
        frame = table.draft.stack[-1]
        statement = self.blocks[frame.block][frame.pc]
        if isinstance(statement, ChoiceStep) and self._asks(table, frame, statement):
            self._choose_hex(table, frame, move)
        elif isinstance(statement, RepeatStatement):
            statement.run(self, table, frame)
            self._choose_first(table, move)
        else:
            moves = self.run(table)
            group = None if moves is None else moves.group_of(move)
            assert group is not None, "what was offered can be begun"
            self.resume(table, move, group)

    def _asks(self, table: Table, frame: Frame, statement: ChoiceStep) -> bool:
        """Whether a step is to be done at least once."""
        if statement.linked.times >= 0:
            return statement.linked.times > 0
        return statement.linked.count(self.view(table, frame.me, frame.env)) > 0

    def _choose_hex(self, table: Table, frame: Frame, move: Move) -> None:
        block, pc, me, env, loop, done, chosen = frame
        statement: Any = self.blocks[block][pc]
        linked = statement.linked
        stack = table.draft.stack
        if len(chosen) + 1 < len(linked.sets):
            chosen = (*chosen, move.hex)
            table.draft.stack = (*stack[:-1], frame_of((block, pc, me, env, loop, done, chosen)))
            return
        values = linked.constants
        if values is None or linked.norms.waives:
            view = self.view(table, me, env)
            values = linked.values(view)
            table.strayed = self.choices.needs_waiver(linked, view, chosen, move.hex)
        table.draft.stack = (*stack[:-1], frame_of((block, pc, me, env, loop, done + 1, ())))
        what = (*chosen, move.hex) if linked.sets else move.hex
        linked.word.code(table, me, what, *values)
        if table.pending:
            self.dispatch(table)


def machine_of(
    ruleset: Ruleset,
    players: int,
    cards: tuple[int, ...],
    options: Mapping[str, bool | int],
    linking: Linking,
) -> Machine:
    """The machine for these players, cards and options, kept with the rule set.

    Most cards only pay at the end; games that differ in such cards alone share a machine.
    """
    acting = tuple(sorted(set(cards) & ruleset.acting_cards))
    key = (players, acting, tuple(sorted(options.items())), linking)
    kept: dict[Any, Machine] = ruleset.kept.setdefault(Machine, {})
    if key not in kept:
        if len(kept) >= MAX_MACHINES:
            kept.clear()
        plan = Plan(ruleset, acting, options, linking)
        kept[key] = Machine(plan, Choices(plan), PhaseSequence(plan, players))
    return kept[key]
