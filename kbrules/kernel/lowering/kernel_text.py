"""From the rules of a table to the text of a kernel."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType

from kbrules.kernel.layout import PLACES, WAYS_ROOM, MemoryLayout
from kbrules.kernel.lowering.blocks import Blocks, EffectLowering, LegalSetLowering
from kbrules.kernel.lowering.expressions import ExpressionLowering, depends_on_grid_only
from kbrules.kernel.lowering.offers import OfferLowering, ScoringLowering
from kbrules.kernel.lowering.statements import StatementLowering, TriggerLowering
from kbrules.kernel.lowering.writing import REPEATED, FunctionWriter, KernelScope, StringTable
from kbrules.kernel.runtime import cards, decisions, geometry, machine, pieces, rows, ways
from kbrules.kernel.runtime.names import MAX_COUNTS
from kbrules.lang.evaluation import Node
from kbrules.lang.typed import Expr, Sort
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan

SHARED = geometry, pieces, cards, machine, decisions, rows


@dataclass(frozen=True, slots=True, eq=False)
class KernelText:
    """The text of a kernel and what one must know to fill its memory and read what comes out.

    functions: those that were written for these rules, the rest being what all kernels share.
    grid_values: what the shape of a table decides, by the name of its place. paying_rules: the ids
    of the rules that pay; gaining_rules: of those that give gold in play. set_slots: the memories
    that are sets.
    """

    text: str
    functions: tuple[FunctionWriter, ...]
    layout: MemoryLayout
    plan: Plan
    grid_values: Mapping[str, tuple[Sort, Node]]
    paying_rules: tuple[str, ...]
    gaining_rules: tuple[str, ...]
    strings: StringTable
    blocks: Blocks
    kinds: tuple[str, ...]
    set_slots: frozenset[int]


def shared_text(module: ModuleType) -> str:
    """Return the text of a module of the runtime from its first function on."""
    own = (each for each in vars(module).values() if isinstance(each, FunctionType))
    first = min(f.__code__.co_firstlineno for f in own if f.__module__ == module.__name__)
    return "".join(inspect.getsource(module).splitlines(keepends=True)[first - 1 :])


def lower(
    ruleset: Ruleset,
    cards: tuple[int, ...],
    options: Mapping[str, bool | int],
    width: int,
    hexes: int,
    stride: int,
    places: int,
) -> KernelText:
    """The kernel of a rule set for boards of a width; NotLowered if there can be none.

    cards: those that matter in play; whether they are on the table, the memory says. places: how
    many with tiles a board may have.
    """
    return Lowering(Plan(ruleset, cards, options), width, hexes, stride, places).kernel_text()


class Lowering:
    """Writes the kernel of one plan."""

    def __init__(
        self, plan: Plan, width: int, hexes: int, stride: int, places: int = PLACES
    ) -> None:
        self.plan = plan
        self.expressions = ExpressionLowering(plan)
        self.blocks = Blocks(self.expressions)
        self.strings = StringTable(len(plan.ruleset.catalog.hexes))
        self.legal_sets = LegalSetLowering(self.expressions, self.blocks)
        self.effects = EffectLowering(self.expressions)
        self.offers = OfferLowering(
            self.expressions, self.blocks, self.legal_sets, self.effects, self.strings
        )
        self.triggers = TriggerLowering(self.expressions, self.blocks, self.effects)
        self.statements = StatementLowering(
            self.expressions, self.blocks, self.legal_sets, self.effects, self.offers,
            self.triggers, self.strings,
        )  # fmt: skip
        self.scoring = ScoringLowering(self.expressions)
        max_players = plan.ruleset.parts.players[1]
        self.layout = MemoryLayout(width, hexes, stride, places, max_players, plan.ruleset.catalog)

    def kernel_text(self) -> KernelText:
        """All of it."""
        for part in (self.triggers, self.statements, self.offers, self.scoring):
            part.write()
        functions = (*self._functions(), self._hoisted_values())
        asks_for_ways = any("longest_way(" in fn.text for fn in functions)
        self._lay_out(WAYS_ROOM if asks_for_ways else 0)
        head = "\n".join(self.layout.lines())
        shared = map(shared_text, (*SHARED, ways) if asks_for_ways else SHARED)
        return KernelText(
            "\n\n".join([head, *shared, *(fn.text for fn in functions)]),
            functions,
            self.layout,
            self.plan,
            self._grid_values(),
            tuple(owner.rule.id for owner in self.scoring.paying_rules),
            tuple(self.effects.gaining_rules),
            self.strings,
            self.blocks,
            tuple(self.statements.kinds),
            frozenset(
                slot
                for name, (_, slot) in self.plan.ruleset.memories.items()
                if name in self.expressions.hexes_memories
            ),
        )

    def _grid_values(self) -> dict[str, tuple[Sort, Node]]:
        linked = self.plan.ruleset.evaluate.linked
        hoisted = self.expressions.hoisted.values()
        return {name: (c.sort, linked(c)) for name, c in hoisted if depends_on_grid_only(c)}

    def _functions(self) -> Iterable[FunctionWriter]:
        yield from self.blocks.pushers()
        for part in (self.expressions, self.offers, self.statements, self.triggers, self.scoring):
            yield from part.functions
        yield self._begin()
        steps = [number for number, *_ in self.blocks.steps]
        yield _dispatch("do_step", "M, step, f", "step", steps, "step_{0}(M, f)", "0")
        steps = self.statements.choice_steps
        yield _dispatch(
            "carry_out", "M, step, f, hex", "step", steps, "carry_out_{0}(M, f, hex)", ""
        )
        branching = self.statements.branching
        yield _dispatch("alternatives", "M, step, f", "step", branching, "branches_{0}(M, f)", "")
        looping = self.statements.looping
        yield _dispatch("next_item", "M, block, f", "block", looping, "next_item_{0}(M, f)", "")

    def _begin(self) -> FunctionWriter:
        """Begin an action, a reaction or an alternative."""
        fn = FunctionWriter("begin", "M, path, f")
        fn.line("me = M[f + ME]")
        fn.line("is_reuse = M[KIND_OF + M[FIRST_STEP + M[f + BLOCK]] + M[f + PC]] == REUSING")
        for number, path in enumerate(self.blocks.paths):
            begins = self._beginning(path)
            if begins is not None:
                with fn.block(f"if path == {number}:"):
                    begins(number, path, fn)
                    fn.line("return")
        return fn

    def _beginning(self, path: str) -> Callable[[int, str, FunctionWriter], None] | None:
        if path in self.plan.reactions:
            return self._begin_reaction
        if path in self.plan.offers:
            return self._begin_offer
        return self._begin_branch if self._is_branch(path) else None

    def _is_branch(self, path: str) -> bool:
        return path in self.offers.branch_paths

    def _begin_reaction(self, number: int, path: str, fn: FunctionWriter) -> None:
        owner = self.plan.reactions[path]
        fn.line("M[f + DONE] = 1")
        if owner.tile >= 0:
            fn.line(f"use_tile(M, me, {owner.tile})")
        self._push(number, fn)

    def _begin_branch(self, number: int, path: str, fn: FunctionWriter) -> None:
        fn.line("next_statement(M)")
        self._push(number, fn)

    def _begin_offer(self, number: int, path: str, fn: FunctionWriter) -> None:
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

    def _push(self, number: int, fn: FunctionWriter) -> None:
        """Begin a block with what is bound in the frame that it is begun from."""
        scope = KernelScope(fn, "me", self.blocks.bound(number))
        fn.line(self.blocks.pushed(self.blocks.paths[number], scope))

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
        match expr.sort:
            case Sort.HEXES:
                fn.line(f"store(M, {name}, {text})")
            case Sort.GROUPS | Sort.RANGE:
                pair = fn.local(text)
                fn.line(f"M[{name}] = {pair}[0]")
                fn.line(f"M[{name} + 1] = {pair}[1]")
            case Sort.TRUTH:
                fn.line(f"M[{name}] = int({text})")
            case _:
                fn.line(f"M[{name}] = {text}")

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
        room = items[self.statements.lists]
        return found | {"LIST": room} if room else found

    def _lay_out(self, scratch: int) -> None:
        layout, width = self.layout, self.layout.width
        layout.update(self.strings.constants)
        layout.update(self.triggers.constants)
        for name, size in self._sizes().items():
            layout.allocate(name, size)
        steps = sum(len(statements) for statements in self.blocks.statements)
        layout.allocate_rules(len(self.blocks.paths), steps)
        memories = {}
        for name, (scope, slot) in self.plan.ruleset.memories.items():
            size = width if name in self.expressions.hexes_memories else 1
            memories[f"MEMORY_{slot}"] = (scope, size)
        actions = len(self.plan.table_offers)
        moves_cards = self.plan.ruleset.moves_cards
        gains = len(self.effects.gaining_rules)
        layout.allocate_state(memories, gains, self._slots(), actions, moves_cards)
        layout.allocate_workspace(scratch)


def _dispatch(
    name: str, parameters: str, by: str, numbers: Iterable[int], call: str, last: str
) -> FunctionWriter:
    """A function that calls one of many by its number."""
    fn = FunctionWriter(name, parameters)
    for number in numbers:
        with fn.block(f"if {by} == {number}:"):
            fn.line(f"return {call.format(number)}" if last else call.format(number))
            if not last:
                fn.line("return")
    fn.line(f"return {last}".rstrip())
    return fn
