"""The machine: it runs rules until somebody must decide, and goes on from what was decided.

A running rule is a frame on the stack of the state, so a half-finished action can be
saved, copied and taken back like any other position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbrules.engine.choices import Choices
from kbrules.engine.offers import Offers
from kbrules.engine.program import Program
from kbrules.engine.stages import Stages
from kbrules.engine.telling import Telling
from kbrules.game.events import Used
from kbrules.game.moves import CHANCE, Group, Move, MoveSet
from kbrules.game.state import Frame
from kbrules.game.table import Table
from kbrules.lang.core import Block, Doing, Each, Either, If, Repeat, Step

NOTHING = MoveSet(CHANCE, ())
MAX_FIRINGS = 200
"""How often `whenever` rules may act in one turn; then they rest."""


class Machine:
    """Runs the rules of one table."""

    def __init__(self, program: Program, choices: Choices, stages: Stages) -> None:
        self._program = program
        self._choices = choices
        self._stages = stages
        self._evaluate = program.evaluate
        self._blocks: Mapping[str, Block] = program.ruleset.blocks
        self._telling = Telling(program, choices)
        self._offers = Offers(program, choices, self)

    # running

    def run(self, table: Table, floor: int = -1) -> MoveSet | None:
        """Run until a decision is due and answer its moves.

        With a `floor`, answer None as soon as the stack is no deeper than that.
        A game that is over answers no moves.
        """
        draft = table.draft
        while True:
            if len(draft.stack) <= floor:
                return None
            if draft.stage[0] == "over":
                return NOTHING
            if not draft.stack:
                self._stages.next(table)
                self._telling.tell(table)
                continue
            frame = draft.stack[-1]
            steps = self._blocks[frame.block].steps
            if frame.pc >= len(steps):
                self._end(table, frame)
                continue
            moves = self._do(table, frame, steps[frame.pc])
            if moves is not None:
                return moves

    def _do(self, table: Table, frame: Frame, doing: Doing) -> MoveSet | None:
        if isinstance(doing, Step):
            return self._step(table, frame, doing)
        if isinstance(doing, If):
            return self._if(table, frame, doing)
        if isinstance(doing, Repeat):
            return self._repeat(table, frame, doing)
        if isinstance(doing, Each):
            return self._each(table, frame, doing)
        return self._either(table, frame, doing)

    def _step(self, table: Table, frame: Frame, step: Step) -> MoveSet | None:
        word = self._choices.word(step)
        if word.is_offers:
            return self._actions(table, frame)
        if word.asks:
            return self._choice(table, frame, step)
        if word.outcomes is not None:
            return self._chance(table, frame, step)
        view = self._view(table, frame)
        self._advance(table)
        word.code(table, frame.me, *self._choices.values(step, view))
        self._telling.tell(table)
        return None

    def _view(self, table: Table, frame: Frame) -> Any:
        return self._choices.view(table.draft, frame.me, frame.env)

    def _choice(self, table: Table, frame: Frame, step: Step) -> MoveSet | None:
        if self._interrupted(table, False):
            return None
        view = self._view(table, frame)
        group = None
        if frame.done < self._count(step, view):
            group = self._choices.group(step, view, frame.chosen, self._rule_of(frame))
        if group is None:
            self._advance(table)
            return None
        groups = (group, *self._stop(frame))
        return MoveSet(frame.me, groups)

    def _count(self, step: Step, view: Any) -> int:
        count: int = self._evaluate(step.arguments[0], view)  # type: ignore[arg-type]
        return count

    def _chance(self, table: Table, frame: Frame, step: Step) -> MoveSet | None:
        if frame.done < self._count(step, self._view(table, frame)):
            if self._interrupted(table, True):
                return None
            word = self._choices.word(step)
            assert word.outcomes is not None
            weights = word.outcomes(self._view(table, frame))
            if any(weights):
                return MoveSet(CHANCE, (Group("draw", ""),), weights)
        self._advance(table)
        return None

    def _stop(self, frame: Frame) -> tuple[Group, ...]:
        """The move that ends an `up to` loop, where the player may stop."""
        if frame.pc or frame.done or frame.chosen or not frame.loop or frame.loop[0] != "up to":
            return ()
        _, _, rounds, from_the_start = frame.loop
        if rounds or from_the_start:
            return (Group("stop", self._rule_of(frame)),)
        return ()

    def _interrupted(self, table: Table, drawing: bool) -> bool:
        """Let the first `whenever` rule that holds act; whether one did."""
        draft = table.draft
        if draft.firings >= MAX_FIRINGS:
            return False
        env = {"drawing": True} if drawing else {}
        view = self._choices.view(draft, draft.active, env)
        for standing, owner in self._program.standings:
            if self._program.applies_to(owner, draft, draft.active) and self._evaluate(
                standing.condition, view
            ):
                draft.firings += 1
                draft.stack = (*draft.stack, Frame(standing.body.path, 0, draft.active, env))
                return True
        return False

    def _actions(self, table: Table, frame: Frame) -> MoveSet | None:
        if self._interrupted(table, False):
            return None
        groups = self._offers.groups(table, frame)
        if not groups:
            self._advance(table)
            return None
        return MoveSet(frame.me, groups)

    def _if(self, table: Table, frame: Frame, doing: If) -> None:
        holds = self._evaluate(doing.condition, self._view(table, frame))
        self._advance(table)
        body = doing.body if holds else doing.other
        if body is not None:
            self.push(table, Frame(body.path, 0, frame.me, frame.env))

    def _repeat(self, table: Table, frame: Frame, doing: Repeat) -> None:
        times = self._evaluate(doing.times, self._view(table, frame))
        first_of_action = frame.pc == 0 and frame.block in self._program.offers
        self._advance(table)
        if times <= 0:
            return
        loop = ("up to", times, 0, not first_of_action) if doing.may_stop else ("repeat", times)
        self.push(table, Frame(doing.body.path, 0, frame.me, frame.env, loop))

    def _each(self, table: Table, frame: Frame, doing: Each) -> None:
        items = self._evaluate(doing.domain, self._view(table, frame))
        if isinstance(items, int):
            items = tuple(1 << hex for hex in range(items.bit_length()) if items >> hex & 1)
        self._advance(table)
        body = Frame(doing.body.path, 0, frame.me, frame.env, ("each", doing.variable, items))
        table.draft.stack = (*table.draft.stack, body)
        self._next_item(table, body, doing)

    def _either(self, table: Table, frame: Frame, doing: Either) -> MoveSet | None:
        if self._interrupted(table, False):
            return None
        groups = self._offers.alternatives(table, frame, doing.bodies, self._rule_of(frame))
        if not groups:
            self._advance(table)
            return None
        return MoveSet(frame.me, (*groups, *self._stop(frame)))

    # frames

    def push(self, table: Table, frame: Frame) -> None:
        """Begin a block."""
        table.draft.stack = (*table.draft.stack, frame)

    def _advance(self, table: Table) -> None:
        stack = table.draft.stack
        block, pc, me, env, loop, _, _ = stack[-1]
        table.draft.stack = (*stack[:-1], Frame(block, pc + 1, me, env, loop))

    def _replace(self, table: Table, frame: Frame) -> None:
        table.draft.stack = (*table.draft.stack[:-1], frame)

    def _end(self, table: Table, frame: Frame) -> None:
        """The end of a block: once more, or back to the one below."""
        loop = frame.loop
        if loop and loop[0] == "each":
            self._next_item(table, frame, self._each_of(frame))
        elif loop and loop[1] > 1:
            rounds = (loop[0], loop[1] - 1, *(((loop[2] + 1), loop[3]) if len(loop) > 2 else ()))
            self._replace(table, Frame(frame.block, 0, frame.me, frame.env, rounds))
        else:
            table.draft.stack = table.draft.stack[:-1]

    def _each_of(self, frame: Frame) -> Each:
        parent = self._blocks[frame.block.rpartition(".")[0]]
        return next(
            doing
            for doing in parent.steps
            if isinstance(doing, Each) and doing.body.path == frame.block
        )

    def _next_item(self, table: Table, frame: Frame, doing: Each) -> None:
        """Bind the next item of a `for` whose guard holds, or leave the loop."""
        _, variable, items = frame.loop
        for index, item in enumerate(items):
            env = {**frame.env, variable: item}
            view = self._choices.view(table.draft, frame.me, env)
            if doing.guard is None or self._evaluate(doing.guard, view):
                left = ("each", variable, items[index + 1 :])
                self._replace(table, Frame(frame.block, 0, frame.me, env, left))
                return
        table.draft.stack = table.draft.stack[:-1]

    def _rule_of(self, frame: Frame) -> str:
        return frame.block.split("/", 2)[1]

    # resuming

    def resume(self, table: Table, move: Move, group: Group) -> None:
        """Carry out what was decided, up to where the next `run` begins."""
        frame = table.draft.stack[-1]
        self._react(table, frame, move)
        if group.path:
            self._begin(table, frame, move, group)
        elif move.verb == "end":
            self._advance(table)
        elif move.verb == "stop":
            table.draft.stack = table.draft.stack[:-1]
        else:
            self._chosen(table, frame, move)

    def _react(self, table: Table, frame: Frame, move: Move) -> None:
        """A reaction that is not declined uses its tile."""
        owner = self._program.reactions.get(frame.block)
        begun = frame.pc or frame.done or frame.chosen
        if owner is not None and owner.tile >= 0 and not begun and move.verb != "stop":
            table.emit(Used(frame.me, frame.block, owner.tile))

    def _begin(self, table: Table, frame: Frame, move: Move, group: Group) -> None:
        """Begin an action or alternative, and choose its first hex if the move names one."""
        offer = self._program.offers.get(group.path)
        if offer is not None:
            table.emit(Used(frame.me, offer.path, offer.owner.tile))
        else:
            self._advance(table)
        self.push(table, Frame(group.path, 0, frame.me, frame.env))
        if group.hexes:
            moves = self.run(table)
            first = moves.group_of(move) if moves is not None else None
            assert first is not None, "what was offered can be begun"
            self.resume(table, move, first)

    def _chosen(self, table: Table, frame: Frame, move: Move) -> None:
        step = self._blocks[frame.block].steps[frame.pc]
        assert isinstance(step, Step)
        word = self._choices.word(step)
        values = self._choices.values(step, self._view(table, frame))
        if not word.asks:
            self._replace(table, frame._replace(done=frame.done + 1))
            word.code(table, frame.me, move.hex, *values)
        elif len(frame.chosen) + 1 < len(word.asks):
            self._replace(table, frame._replace(chosen=(*frame.chosen, move.hex)))
            return
        else:
            self._replace(table, frame._replace(done=frame.done + 1, chosen=()))
            view = self._view(table, frame)
            table.strayed = self._choices.strays(step, view, frame.chosen, move.hex)
            word.code(table, frame.me, (*frame.chosen, move.hex), *values)
        self._telling.tell(table)
