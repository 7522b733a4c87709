"""From the rules of a table to the text of a kernel."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FunctionType, ModuleType

from kbrules.kernel.layout import PLACES, WAYS_ROOM, MemoryLayout
from kbrules.kernel.lowering.blocks import Blocks, EffectLowering, LegalSetLowering
from kbrules.kernel.lowering.expressions import ExpressionLowering, depends_on_grid_only
from kbrules.kernel.lowering.offers import OfferLowering, ScoringLowering
from kbrules.kernel.lowering.statements import StatementLowering, TriggerLowering
from kbrules.kernel.lowering.writing import (
    REPEATED,
    FunctionWriter,
    KernelScope,
    StringTable,
    dispatcher,
)
from kbrules.kernel.runtime import cards, decisions, geometry, machine, paths, pieces, rows
from kbrules.kernel.runtime.names import MAX_COUNTS
from kbrules.lang.evaluation import Node
from kbrules.lang.typed import Expr, Sort
from kbrules.plan.plan import Plan

SHARED = geometry, pieces, cards, machine, decisions, rows


def shared_text(module: ModuleType) -> str:
    """Return the text of a module of the runtime from its first function on."""
    own = (each for each in vars(module).values() if isinstance(each, FunctionType))
    first = min(f.__code__.co_firstlineno for f in own if f.__module__ == module.__name__)
    return "".join(inspect.getsource(module).splitlines(keepends=True)[first - 1 :])


class KernelText:
    """The text of the kernel of a plan, and what one must know to fill its memory and read it.

    NotLowered if there can be none. places: how many with tiles a board may have. functions: those
    that were written for these rules, the rest being what all kernels share. paying_rules: the ids
    of the rules that pay; gaining_rules: of those that give gold in play. set_slots: the memories
    that are sets. kinds: what each step waits for.
    """

    def __init__(
        self, plan: Plan, width: int, hexes: int, stride: int, places: int = PLACES
    ) -> None:
        self.plan, self.strings = plan, StringTable()
        self.expressions = ExpressionLowering(plan)
        self.blocks = Blocks(self.expressions)
        legal_sets = LegalSetLowering(self.expressions, self.blocks)
        effects = EffectLowering(self.expressions)
        self._offers = OfferLowering(
            self.expressions, self.blocks, legal_sets, effects, self.strings
        )
        self._triggers = TriggerLowering(self.expressions, self.blocks, effects)
        self._statements = StatementLowering(
            self.expressions, self.blocks, legal_sets, effects, self._offers, self._triggers,
            self.strings,
        )  # fmt: skip
        self._scoring = ScoringLowering(self.expressions)
        max_players, catalog = plan.ruleset.parts.players[1], plan.ruleset.catalog
        self.layout = MemoryLayout(width, hexes, stride, places, max_players, catalog)
        self.kinds, self.gaining_rules = self._statements.kinds, effects.gaining_rules
        self.paying_rules = [owner.rule.id for owner in self._scoring.paying_rules]
        memories = plan.ruleset.memories.items()
        self.set_slots = {slot for name, (_, slot) in memories if self.expressions.is_set(name)}
        self.write()

    def write(self) -> None:
        """Write all of it."""
        for part in (self._triggers, self._statements, self._offers, self._scoring):
            part.write()
        self.functions = (*self._functions(), self._hoisted_values())
        asks_for_ways = any("longest_way(" in fn.text for fn in self.functions)
        self._lay_out(WAYS_ROOM if asks_for_ways else 0)
        head = "\n".join(self.layout.lines())
        shared = map(shared_text, (*SHARED, paths) if asks_for_ways else SHARED)
        self.text = "\n\n".join([head, *shared, *(fn.text for fn in self.functions)])

    @property
    def grid_values(self) -> dict[str, tuple[Sort, Node]]:
        """What the shape of a table decides, by the name of its place."""
        linked = self.plan.ruleset.evaluate.linked
        hoisted = self.expressions.hoisted.values()
        return {name: (c.sort, linked(c)) for name, c in hoisted if depends_on_grid_only(c)}

    def _functions(self) -> Iterable[FunctionWriter]:
        yield from self.blocks.pushers()
        for part in (
            self.expressions, self._offers, self._statements, self._triggers, self._scoring,
        ):  # fmt: skip
            yield from part.functions
        yield self._begin()
        steps, written = [number for number, *_ in self.blocks.steps], self._statements
        for parameters, numbers, name, call, last in (
            ("M, step, f", steps, "do_step", "step_{0}(M, f)", "0"),
            ("M, step, f, hex", written.choice_steps, "carry_out", "carry_out_{0}(M, f, hex)", ""),
            ("M, step, f", written.branching, "alternatives", "branches_{0}(M, f)", ""),
            ("M, block, f", written.looping, "next_item", "next_item_{0}(M, f)", ""),
        ):
            yield dispatcher(name, parameters, parameters.split(", ")[1], numbers, call, last)

    def _begin(self) -> FunctionWriter:
        """Begin an action, a reaction or an alternative."""
        fn = FunctionWriter("begin", "M, path, f")
        fn.line("me = M[f + ME]")
        fn.line("is_reuse = M[KIND_OF + M[FIRST_STEP + M[f + BLOCK]] + M[f + PC]] == REUSING")
        for number, path in enumerate(self.blocks.paths):
            if path in self.plan.offers or path in self._offers.branch_paths:
                with fn.block(f"if path == {number}:"):
                    if path in self.plan.offers:
                        self._begin_offer(path, fn)
                    else:
                        self._begin_branch(number, path, fn)
                    fn.line("return")
        return fn

    def _begin_branch(self, number: int, path: str, fn: FunctionWriter) -> None:
        """Begin an alternative or a reaction with what is bound in the frame that offers it."""
        owner = self.plan.reactions.get(path)
        fn.line("next_statement(M)" if owner is None else "M[f + DONE] = 1")
        if owner is not None and owner.tile >= 0:
            fn.line(f"use_tile(M, me, {owner.tile})")
        fn.line(self.blocks.pushed(path, KernelScope(fn, "me", self.blocks.bound(number))))

    def _begin_offer(self, path: str, fn: FunctionWriter) -> None:
        offer = self.plan.offers[path]
        if path in self.plan.offers_needing_card:
            with fn.block("if M[SHOWN] > 1:"):
                fn.line("terrain = terrain_played(M)")
                with fn.block("if terrain != -1:"):
                    fn.line("choose_terrain(M, terrain)")
        fn.line(f"repeated = is_reuse or {self.blocks.read(REPEATED)}")
        with fn.block("if is_reuse:"):
            fn.line("next_statement(M)")
        with fn.block("else:"):
            tile = offer.owner.tile
            bit = list(self.plan.offers).index(path)
            fn.line(f"use_tile(M, me, {tile})" if tile >= 0 else f"use_action(M, {bit})")
        fn.line(self.blocks.pushed(path, KernelScope(fn, "me", {REPEATED[0]: "repeated"})))

    def _hoisted_values(self) -> FunctionWriter:
        """Work out what a board decides; groups stay where they were listed."""
        fn = FunctionWriter("compute_board_values", "M")
        scope = KernelScope(fn, "0", is_laid=False)
        for name, expr in [*self.expressions.hoisted.values()]:
            if not depends_on_grid_only(expr):
                top = fn.new_local("M[SCRATCH]")
                with fn.at_place(expr.span):
                    self._hoist(name, expr, scope)
                if expr.sort is not Sort.GROUPS:
                    fn.line(f"M[SCRATCH] = {top}")
        return fn

    def _hoist(self, name: str, expr: Expr, scope: KernelScope) -> None:
        text, fn = self.expressions.lower(expr, scope), scope.fn
        if expr.sort in (Sort.GROUPS, Sort.RANGE):
            pair = fn.local(text)
            fn.line(f"M[{name}] = {pair}[0]")
            fn.line(f"M[{name} + 1] = {pair}[1]")
        else:
            text = f"int({text})" if expr.sort is Sort.TRUTH else text
            fn.put(name, text, expr.sort is Sort.HEXES)

    # the memory

    def _sizes(self) -> dict[str, int]:
        """How many numbers each hoisted value of a board takes."""
        width = self.layout.width
        rooms = {Sort.HEXES: width, Sort.GROUPS: 2, Sort.RANGE: 2}
        return {name: rooms.get(call.sort, 1) for name, call in self.expressions.hoisted.values()}

    def _slots(self) -> dict[str, int]:
        """The sizes of what frames bind, and of the list of items that some of them keep."""
        width, found = self.layout.width, self.blocks.frame_fields(self.layout.width)
        items = {"": 0, "numbers": MAX_COUNTS["LIST"], "groups": MAX_COUNTS["LIST"] * width}
        room = items[self._statements.lists]
        return found | {"LIST": room} if room else found

    def _lay_out(self, scratch: int) -> None:
        layout, width = self.layout, self.layout.width
        layout.update(self.strings.constants)
        layout.update(self._triggers.constants)
        layout.allocate_all(**self._sizes())
        steps = sum(len(statements) for statements in self.blocks.statements)
        sizes = dict.fromkeys(("BEGUN", "FIRST_STEP", "LENGTHS"), max(len(self.blocks.paths), 2))
        layout.allocate_all(**sizes, KIND_OF=max(steps, 2))
        memories = {}
        for name, (scope, slot) in self.plan.ruleset.memories.items():
            size = width if self.expressions.is_set(name) else 1
            memories[f"MEMORY_{slot}"] = (scope, size)
        actions = len(self.plan.table_offers)
        moves_cards = self.plan.ruleset.moves_cards
        gains = len(self.gaining_rules)
        layout.allocate_state(memories, gains, self._slots(), actions, moves_cards)
        layout.allocate_workspace(scratch)
