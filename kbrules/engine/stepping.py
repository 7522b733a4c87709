"""Generated steps at a table: what the compiler is told of a configuration, and what it runs on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from kbrules.compile.late import Late
from kbrules.compile.steps.parts import Late as PerPath
from kbrules.compile.steps.parts import Part, Steps
from kbrules.compile.steps.plan import Asked, Offered, Sourcing, Watched
from kbrules.engine.choices import Choices
from kbrules.engine.machine import Machine
from kbrules.game.board import Board
from kbrules.game.moves import Group, Move
from kbrules.game.state import Draft, Frame, State
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.hex.floods import Floods
from kbrules.lang.core import Block, Each, Expr, If, Lit, Repeat, Step
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort
from kbrules.library.ruleset import Offer, Owned
from kbrules.plan import joining
from kbrules.plan.asking import Asking
from kbrules.plan.limits import MOST_NESTED, MOST_TURNS
from kbrules.plan.program import REQUIRED, Program, Watches
from kbrules.plan.sources import is_origin, taken_apart


class Configuration:
    """Rules, cards that act, options and a number of players, as the compiler asks for them."""

    def __init__(self, program: Program, choices: Choices, machine: Machine) -> None:
        self.ruleset = program.ruleset
        self.players = machine.stages.players
        self.program = program
        self.machine = machine
        self.cards = program.cards
        self.triggers = program.triggers
        self.standings = _watched(program.standings)
        self.standings_of_draws = _watched(program.standings_of_draws)
        self.turn = machine.stages.turn
        self.forgotten = machine.stages.forgotten
        self.minds_stack = any(self.ruleset.mentions(rule, REQUIRED) for rule in self.ruleset.rules)
        self.most_turns = MOST_TURNS
        self._choices = choices
        self._asked: dict[int, Asked] = {}
        self._decided: dict[int, tuple[Expr, Expr]] = {}
        self.most_nested = MOST_NESTED
        self._loops = {
            step.body.path: step
            for block in self.ruleset.blocks.values()
            for step in block.steps
            if isinstance(step, Repeat | Each)
        }

    @cached_property
    def offers(self) -> tuple[Offered, ...]:
        """All actions, those of the table and those of tiles."""
        return tuple(map(self._offered, self.program.offers.values()))

    def _offered(self, offer: Offer) -> Offered:
        first, tests = self._first(offer.action.body)
        is_direct = bool(offer.action.body.steps) and isinstance(offer.action.body.steps[0], Step)
        asked = first if is_direct else None
        needs, minds = offer.path in self.program.needing, offer.path in self.program.minding
        return Offered(
            offer.path, offer.action, offer.owner, asked, first, tests, needs, minds, offer
        )

    def _first(self, block: Block) -> tuple[Asked | None, tuple[Expr, ...]]:
        """What a block asks first, if that is a hex, and what must hold for it to be asked."""
        doing = block.steps[0] if block.steps else None
        if isinstance(doing, Step):
            asked = self.asked(doing)
            asks = bool(asked.word.asks) and not asked.at_random and asked.count is not None
            return (asked, (asked.count,)) if asks and asked.count is not None else (None, ())
        if isinstance(doing, Repeat | If):
            test = doing.times if isinstance(doing, Repeat) else doing.condition
            found, tests = self._first(doing.body)
            return found, (self.decided(test), *tests)
        return None, ()

    def block(self, path: str) -> Block | None:
        """The steps at an address; None if it is the question whether to react."""
        return self.ruleset.blocks.get(path)

    def required(self, path: str) -> bool | None:
        """Whether a block is part of an action that is required; None if it is of no action."""
        return self.program.under_way.get(path)

    def is_loop(self, path: str) -> bool:
        """Whether a block is done over and over."""
        return path in self._loops

    def loop_around(self, path: str) -> Repeat | Each | None:
        """What does a block over and over."""
        return self._loops.get(path)

    def is_action(self, path: str) -> bool:
        """Whether a block is an action as a whole."""
        return path in self.program.offers

    def decided(self, expr: Expr) -> Expr:
        """An expression with everything worked out that options decide."""
        found = self._decided.get(id(expr))
        if found is None:
            found = self._decided[id(expr)] = (expr, self.program.folded(expr))
        return found[1]

    def _maybe(self, expr: Expr | None) -> Expr | None:
        return None if expr is None else self.decided(expr)

    def asked(self, step: Step) -> Asked:
        """A step as it is asked for here."""
        found = self._asked.get(id(step))
        if found is None:
            found = self._asked[id(step)] = self._made(self._choices.asking(step))
        return found

    def _made(self, asking: Asking) -> Asked:
        phrases, norms = asking.phrases, asking.norms
        return Asked(
            step=asking.step,
            word=asking.word,
            names=asking.names,
            sets=tuple(self._maybe(phrases.get(ask.phrase)) for ask in asking.word.asks),
            piece=self._maybe(phrases.get("piece")),
            stays=asking.stays,
            legal=self.decided(asking.legal_expr),
            waived=self.decided(norms.waived) if norms.waives else None,
            forbidden=self.decided(norms.forbids_all),
            prefers=tuple(self.decided(c.hexes(joining.BOARD)) for c in norms.prefers),
            count=self._maybe(phrases.get("count")),
            values=tuple(self._maybe(phrases.get(name)) for name in asking.taken),
            constants=asking.constants,
            needs_terrain=asking.needs_terrain,
            at_random=asking.at_random,
            is_simple=asking.is_simple,
            is_free=asking.freely is not None,
            sourcing=self._sourcing(asking),
            handle=asking,
        )

    def _sourcing(self, asking: Asking) -> Sourcing | None:
        denies = asking.norms.denies
        if len(asking.sets) < 2 or len(denies) != 1 or denies[0].test is not None:
            return None
        apart = taken_apart(asking) if is_origin(denies[0].norm.on) else None
        if apart is None:
            return None
        return Sourcing(tuple(map(self.decided, apart[0])), self._maybe(apart[1]))

    def open(self, verb: str) -> Expr:
        """Where the table lets a verb be done."""
        return self.decided(self.program.opened(verb))

    def forbidden(self, verb: str) -> Expr:
        """Where the table forbids it."""
        return self.decided(self.program.norms(verb).forbids_all)

    def changes(self, quantity: str) -> Sequence[tuple[Expr, Expr | None, Owned]]:
        """What is added to a quantity, and under what condition."""
        found = self.program.changes(quantity)
        return [(self.decided(c.amount), self._maybe(c.guard), owner) for c, owner in found]


def _watched(watches: Watches) -> tuple[Watched, ...]:
    return tuple(Watched(owner.tile, _expression(node)) for _, owner, node in watches)


def _expression(node: Node) -> Expr:
    if isinstance(node, Late):
        return node.expr
    return Lit(Sort.TRUTH, joining.NOWHERE, node.value(None))


class Constants:
    """What generated steps take of one table, `K`: its board, its masks, and the machine.

    The masks that the board decides are worked out when play first comes where they are asked.
    """

    def __init__(
        self, game: Any, board: Board, steps: Steps, rules: Program, machine: Machine
    ) -> None:
        self.game = game
        self.board = board
        self.rules = rules
        self.full = board.grid.full
        self.stride = board.grid.stride
        self.less = board.grid.stride - 1
        self.kinds = (*board.kinds, 0)  # the last is that of no terrain
        self.sole = board.sole
        self.floods = Floods()
        self.run = machine.run
        self.tell = machine.tell
        self.follow = machine.telling.follow
        self.legal = machine.choices.legal
        self.one_by_one = machine.choices.sources.one_by_one
        self.runs = PerPath(lambda path: self._with_masks(steps.part(path)).runs)
        self.resumes = PerPath(lambda path: self._with_masks(steps.part(path)).resumes)
        self.begins = PerPath(lambda path: self._with_masks(steps.beginning(path)).resumes)
        self.offerings = steps.offerings
        self._machine = machine
        self._nodes = steps.names.nodes
        for card in steps.plan.cards:
            setattr(self, f"c{card}", card in rules.cards)
        self.fix(steps.turns.masks)
        steps.tables.add(self)

    def _with_masks(self, part: Part) -> Part:
        self.fix(part.masks)
        return part

    def fix(self, masks: Iterable[str]) -> None:
        """Work out what the board alone decides; attributes that are there are read fastest."""
        view = View(self.board, None, 0, self.rules, {})  # type: ignore[arg-type]
        for name in masks:
            if name not in self.__dict__:
                setattr(self, name, self._nodes[name].value(view))

    def table(self, draft: Draft) -> Table:
        """A table to work on for what is not written out."""
        machine = self._machine
        return Table(self.board, draft, self.rules.ruleset.memories, machine.followed)

    def begun(self, draft: Draft, frame: Frame, offer: Offer) -> tuple[list[Group], bool]:
        """The moves that begin an action, found by the machine, and whether it is required."""
        view = View(self.board, draft, frame.me, self.rules, frame.env)
        return self._machine.offers.begun(self.table(draft), frame, view, [offer])


def step(K: Constants, t: Table | None, state: State, move: Move) -> State | None:
    """The state after a legal move, if that is written out; else None, and nothing was done.

    `t` is the table that is told what happens, where somebody wants to know.
    """
    cache = state.cache
    if cache is None or cache[0] is not K.game or type(move) is not Move:
        return None
    stack = state.stack
    if not stack:
        return None
    frame = stack[-1]
    verb, rule, hex = move
    for group in cache[1].groups:
        its_verb, its_rule, hexes, _ = group
        fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
        if fits and its_rule == rule and its_verb == verb:
            break
    else:
        group = cache[1].group_of(move)
        if group is None:
            return None
    after: State | None = K.resumes[frame[0]][frame[1]](K, t, state, stack, frame, group, hex)
    return after
