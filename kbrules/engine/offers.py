"""What a player may begin: actions of the table and of tiles, and the branches of `either`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from kbrules.engine.choices import Choices
from kbrules.engine.doings import Choosing, Deciding, Doings, Repeating
from kbrules.engine.program import Program
from kbrules.game.moves import Group, MoveSet
from kbrules.game.state import READY, Draft, Frame, draft_of
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.lang.core import Block
from kbrules.library.ruleset import Offer


class Runner(Protocol):
    """The machine, as far as a rehearsal needs it."""

    def run(self, table: Table, floor: int = -1) -> MoveSet | None:
        """Run until a decision is due."""

    def push(self, table: Table, frame: Frame) -> None:
        """Begin a block."""

    def view(self, table: Table, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it."""


class Offers:
    """Finds what can be begun, and its first choice, without changing anything."""

    def __init__(
        self, program: Program, choices: Choices, code: Mapping[str, Doings], runner: Runner
    ) -> None:
        self._program = program
        self._choices = choices
        self._code = code
        self._runner = runner

    def groups(self, table: Table, frame: Frame, view: View) -> tuple[Group, ...]:
        """All that a player may do now in their turn; `end` unless something is required.

        Empty when there is nothing to decide.
        """
        groups: list[Group] = []
        required = False
        for offer in self._open(table.draft, frame.me):
            found = self.begin(table, frame, view, offer)
            groups.extend(found)
            required = required or (offer.action.required and bool(found))
        if groups and not required:
            groups.append(Group("end", "turn"))
        return tuple(groups)

    def _open(self, draft: Draft, me: int) -> Iterator[Offer]:
        for offer in self._program.table_offers:
            if offer.path not in draft.used:
                yield offer
        kinds: list[int] = []
        for tile in draft.seats[me].tiles:
            if tile.status == READY and tile.kind not in kinds:
                kinds.append(tile.kind)
                yield from self._program.tile_offers.get(tile.kind, ())

    def begin(self, table: Table, frame: Frame, view: View, offer: Offer) -> list[Group]:
        """The moves that begin an action; none if it cannot be begun."""
        guard = offer.action.guard
        if guard is not None and not self._program.evaluate(guard, view):
            return []
        rule = offer.owner.rule.id
        return self._first(table, frame, view, offer.action.body, rule)

    def alternatives(
        self, table: Table, frame: Frame, bodies: Iterable[Block], rule: str
    ) -> tuple[Group, ...]:
        """The moves that begin one of several blocks."""
        view = self._runner.view(table, frame.me, frame.env)
        groups: list[Group] = []
        for body in bodies:
            groups.extend(self._first(table, frame, view, body, rule))
        return tuple(groups)

    def _first(self, table: Table, frame: Frame, view: View, body: Block, rule: str) -> list[Group]:
        step = self._first_choice(self._code[body.path], view)
        if step is None:
            return self._rehearse(table, frame, body, rule)
        hexes = self._choices.legal(step.asking, view, ())
        return [Group(step.asking.names[0], rule, hexes, body.path)] if hexes else []

    def _first_choice(self, doings: Doings, view: View) -> Choosing | None:
        """The step a block begins with, if it asks for a hex and nothing happens before."""
        doing = doings[0] if doings else None
        if isinstance(doing, Choosing):
            return doing if doing.asking.count(view) > 0 else None
        if isinstance(doing, Repeating) and doing.times.value(view) > 0:
            return self._first_choice(doing.body, view)
        if isinstance(doing, Deciding) and doing.condition.value(view):
            return self._first_choice(doing.body, view)
        return None

    def _rehearse(self, table: Table, frame: Frame, body: Block, rule: str) -> list[Group]:
        """Play a block on a copy until it asks for something or has done something."""
        trial = Table(table.board, draft_of(table.draft), table.memories, table.followed)
        floor = len(trial.draft.stack)
        self._runner.push(trial, Frame(body.path, 0, frame.me, frame.env))
        moves = self._runner.run(trial, floor)
        if trial.events or (moves is not None and moves.weights):
            return [Group("use", rule, 0, body.path)]
        if moves is None:
            return []
        return [group._replace(rule=rule, path=body.path) for group in moves.groups if group.hexes]
