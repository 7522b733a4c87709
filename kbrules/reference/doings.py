"""Steps and blocks made ready to run: one class per kind of thing a rule can do.

`run` does it for a frame of the stack and answers a decision if one is due. What asks
nobody anything also has `happen`, which does it at once, for rules that follow an event.
"""

from __future__ import annotations

from typing import Any, Protocol

from kbrules.game.moves import CHANCE, Group, MoveSet, new_group
from kbrules.game.shown import is_open, terrains
from kbrules.game.state import USED, Frame, State
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.hex.masks import Mask, bits
from kbrules.lang.core import MOST_ROUNDS, Block, Each, Either, If, Repeat, Step
from kbrules.lang.nodes import Node
from kbrules.library.ruleset import Owned
from kbrules.plan.asking import Asking
from kbrules.plan.program import Program, Watches

DRAW = (Group("draw", ""),)


class Choices(Protocol):
    """What doings need of the rules about where a step may be done."""

    def legal(self, asking: Asking, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes that may be chosen next for a step."""


class Running(Protocol):
    """What doings need of the machine."""

    rules: Program
    standings: Watches
    standings_of_draws: Watches

    def view(self, table: Table, me: int, env: Any) -> View:
        """The table as a player sees it."""

    def go_on(self, table: Table) -> None:
        """Go on to the next step of the running block."""

    def pass_over(self, table: Table, frame: Frame) -> None:
        """Go on past a step that cannot be done; `up to` ends if it would begin a round."""

    def push(self, table: Table, frame: Frame) -> None:
        """Begin a block."""

    def tell(self, table: Table) -> None:
        """Let the rules follow what just happened."""

    def interrupted(self, table: Table, view: View, standings: Watches) -> bool:
        """Let a `whenever` rule act first; whether one did."""

    def stop(self, frame: Frame, rule: str) -> tuple[Group, ...]:
        """The move that ends an `up to` loop, where the player may stop."""

    def offered(self, table: Table, frame: Frame, view: View) -> tuple[Group, ...]:
        """All that a player may begin now."""

    def reusable(self, table: Table, frame: Frame, rule: str, places: Mask) -> tuple[Group, ...]:
        """All that tiles from some places let a player begin once more."""

    def alternatives(self, table: Table, frame: Frame, doing: Branching) -> tuple[Group, ...]:
        """The moves that begin a branch."""

    def reactions(self, table: Table, frame: Frame, doing: Reacting) -> tuple[Group, ...]:
        """The moves that begin a reaction."""

    def is_action(self, path: str) -> bool:
        """Whether a block is an action as a whole."""

    def next_item(self, table: Table, frame: Frame, doing: Looping) -> None:
        """Bind the next item of a `for`, or leave the loop."""


class Instant:
    """A step that happens at once."""

    __slots__ = ("_asking", "_code", "_only", "_rule", "_takes")

    def __init__(self, asking: Asking, rule: str) -> None:
        self._asking = asking
        self._rule = rule
        self._code = asking.word.code
        self._only = asking.only
        self._takes = asking.takes_values

    def run(self, machine: Running, table: Table, frame: Frame) -> None:
        _, _, me, env, _, _, _ = frame
        values = ()
        if self._takes:
            values = self._asking.values(machine.view(table, me, env))  # type: ignore[assignment]
        machine.go_on(table)
        table.rule = self._rule
        self._code(table, me, *values)
        if table.news:
            machine.tell(table)

    def happen(self, machine: Running, table: Table, view: View) -> None:
        table.rule = self._rule
        if self._only is not None:
            self._code(table, view.me, self._only.value(view))
        else:
            self._code(table, view.me, *self._asking.values(view))


class Choosing:
    """A step that asks the player, or chance, for hexes, one after another."""

    __slots__ = ("_choices", "asking", "rule")

    def __init__(self, asking: Asking, rule: str, choices: Choices) -> None:
        self.asking = asking
        self.rule = rule
        self._choices = choices

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        asking = self.asking
        _, _, me, env, loop, done, chosen = frame
        view = View(table.board, table.draft, me, machine.rules, env)
        times = asking.times
        if done >= (times if times >= 0 else asking.count(view)):
            machine.go_on(table)
            return None
        if machine.interrupted(table, view, machine.standings):
            return None
        if asking.needs_terrain and is_open(table.draft, table.board):
            groups = self._which_terrain(table, view, chosen)
        else:
            simple = asking.is_simple
            hexes = (
                asking.legal.value(view) if simple else self._choices.legal(asking, view, chosen)
            )
            name = asking.names[len(chosen)]
            groups = (new_group((name, self.rule, hexes, "")),) if hexes else ()
        if not groups:
            machine.pass_over(table, frame)
            return None
        if asking.at_random:
            return MoveSet(CHANCE, groups)
        return MoveSet(me, (*groups, *machine.stop(frame, self.rule)) if loop else groups)

    def _which_terrain(
        self, table: Table, view: View, chosen: tuple[int, ...]
    ) -> tuple[Group, ...]:
        """The terrains of the cards face up with which the step can be done."""
        catalog = table.board.catalog
        return tuple(
            Group("choose", catalog.hexes[terrain].id)
            for terrain in terrains(table.draft, table.board)
            if self._choices.legal(self.asking, view.choosing(terrain), chosen)
        )


class Drawing:
    """A step that lets chance draw a card."""

    __slots__ = ("asking",)

    def __init__(self, asking: Asking) -> None:
        self.asking = asking

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        view = View(table.board, table.draft, frame.me, machine.rules, frame.env)
        times = self.asking.times
        if frame.done < (times if times >= 0 else self.asking.count(view)):
            if machine.interrupted(table, view, machine.standings_of_draws):
                return None
            assert self.asking.word.outcomes is not None
            weights = self.asking.word.outcomes(view)
            if any(weights):
                return MoveSet(CHANCE, DRAW, weights)
        machine.go_on(table)
        return None


class Offering:
    """The step at which a player uses actions until the turn ends."""

    __slots__ = ("_step",)

    def __init__(self, step: Step) -> None:
        self._step = step

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        view = View(table.board, table.draft, frame.me, machine.rules, frame.env)
        if machine.interrupted(table, view, machine.standings):
            return None
        groups = machine.offered(table, frame, view)
        if machine.rules.watch is not None:
            machine.rules.watch.noted(self._step, bool(groups))
        if not groups:
            machine.go_on(table)
            return None
        return MoveSet(frame.me, groups)


class Reusing:
    """The step at which a player carries out an action of a tile once more."""

    __slots__ = ("_asking", "_rule")

    def __init__(self, asking: Asking, rule: str) -> None:
        self._asking = asking
        self._rule = rule

    def places(self, view: View) -> Mask:
        """Where a tile must come from to serve."""
        assert self._asking.only is not None
        found: Mask = self._asking.only.value(view)
        return found

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        view = machine.view(table, frame.me, frame.env)
        if machine.interrupted(table, view, machine.standings):
            return None
        groups = machine.reusable(table, frame, self._rule, self.places(view))
        if machine.rules.watch is not None:
            machine.rules.watch.noted(self._asking.step, bool(groups))
        if not groups:
            machine.go_on(table)
            return None
        return MoveSet(frame.me, (*groups, *machine.stop(frame, self._rule)))


class Deciding:
    """`if`: one body or the other."""

    __slots__ = ("body", "condition", "doing", "other")

    def __init__(self, doing: If, condition: Node, body: Doings, other: Doings) -> None:
        self.doing = doing
        self.condition = condition
        self.body = body
        self.other = other

    def run(self, machine: Running, table: Table, frame: Frame) -> None:
        holds = self.condition.value(machine.view(table, frame.me, frame.env))
        machine.go_on(table)
        body = self.doing.body if holds else self.doing.other
        if body is not None:
            machine.push(table, Frame(body.path, 0, frame.me, frame.env))

    def happen(self, machine: Running, table: Table, view: View) -> None:
        body = self.body if self.condition.value(view) else self.other
        happen(body, machine, table, view)


class Repeating:
    """`repeat n times` and `up to n times`."""

    __slots__ = ("body", "doing", "times")

    def __init__(self, doing: Repeat, times: Node, body: Doings) -> None:
        self.doing = doing
        self.times = times
        self.body = body

    def rounds(self, view: View) -> int:
        """How often the body is done, as things are."""
        times: int = self.times.value(view)
        return min(times, MOST_ROUNDS)

    def run(self, machine: Running, table: Table, frame: Frame) -> None:
        times = self.rounds(machine.view(table, frame.me, frame.env))
        must_begin = frame.pc == 0 and machine.is_action(frame.block)
        machine.go_on(table)
        if times <= 0:
            return
        loop = ("up to", times, 0, not must_begin) if self.doing.may_stop else ("repeat", times)
        machine.push(table, Frame(self.doing.body.path, 0, frame.me, frame.env, loop))

    def happen(self, machine: Running, table: Table, view: View) -> None:
        for _ in range(self.rounds(view)):
            happen(self.body, machine, table, machine.view(table, view.me, view.env))


class Looping:
    """`for x in ...`."""

    __slots__ = ("body", "doing", "domain", "guard")

    def __init__(self, doing: Each, domain: Node, guard: Node | None, body: Doings) -> None:
        self.doing = doing
        self.domain = domain
        self.guard = guard
        self.body = body

    def items(self, view: View) -> tuple[Any, ...]:
        """What the loop runs over; a set of hexes is taken apart in board order."""
        found = self.domain.value(view)
        return tuple(1 << hex for hex in bits(found)) if isinstance(found, int) else tuple(found)

    def run(self, machine: Running, table: Table, frame: Frame) -> None:
        items = self.items(machine.view(table, frame.me, frame.env))
        machine.go_on(table)
        loop = ("each", self.doing.variable, items)
        body = Frame(self.doing.body.path, 0, frame.me, frame.env, loop)
        machine.push(table, body)
        machine.next_item(table, body, self)

    def happen(self, machine: Running, table: Table, view: View) -> None:
        for item in self.items(view):
            inner = machine.view(table, view.me, {**view.env, self.doing.variable: item})
            if self.guard is None or self.guard.value(inner):
                happen(self.body, machine, table, inner)


class Branching:
    """`either` ... `or`: the player begins one of several bodies."""

    __slots__ = ("doing", "rule")

    def __init__(self, doing: Either, rule: str) -> None:
        self.doing = doing
        self.rule = rule

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        view = machine.view(table, frame.me, frame.env)
        if machine.interrupted(table, view, machine.standings):
            return None
        groups = machine.alternatives(table, frame, self)
        if not groups:
            machine.pass_over(table, frame)
            return None
        return MoveSet(frame.me, (*groups, *machine.stop(frame, self.rule)))


class Reacting:
    """Whether to begin a reaction: asked once, of a tile's holder once for each unused tile.

    Its guard is judged each time: another reaction may have changed what it speaks of.
    """

    __slots__ = ("body", "guard", "owner")

    def __init__(self, body: Block, owner: Owned, guard: Node | None) -> None:
        self.body = body
        self.owner = owner
        self.guard = guard

    def run(self, machine: Running, table: Table, frame: Frame) -> MoveSet | None:
        view = machine.view(table, frame.me, frame.env)
        if not self._may(table.draft, frame) or (self.guard and not self.guard.value(view)):
            machine.go_on(table)
            return None
        if machine.interrupted(table, view, machine.standings):
            return None
        groups = machine.reactions(table, frame, self)
        if not groups:
            machine.go_on(table)
            return None
        return MoveSet(frame.me, (*groups, Group("stop", self.owner.rule.id)))

    def _may(self, state: State, frame: Frame) -> bool:
        """Whether the player has a tile that was not used; without tiles, whether not yet done."""
        kind = self.owner.tile
        if kind < 0:
            return not frame.done
        tiles = state.seats[frame.me].tiles
        return any(tile.kind == kind and tile.status != USED for tile in tiles)


Doing = (
    Instant
    | Choosing
    | Drawing
    | Offering
    | Reusing
    | Deciding
    | Repeating
    | Looping
    | Branching
    | Reacting
)
Doings = tuple[Doing, ...]


def happen(doings: Doings, machine: Running, table: Table, view: View) -> None:
    """Do instant doings one after another, each on the table as the one before left it."""
    for index, doing in enumerate(doings):
        seen = view if not index else machine.view(table, view.me, view.env)
        doing.happen(machine, table, seen)  # type: ignore[union-attr]
