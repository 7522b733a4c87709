"""Offers and awards as the text of a kernel: what a player may begin, and what is paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from kbrules.kernel.lowering.blocks import Blocks, EffectLowering, LegalSetLowering
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.writing import (
    REPEATED,
    FunctionWriter,
    KernelScope,
    StringTable,
    dispatcher,
)
from kbrules.lang.typed import Award, Block, Either, If, Repeat, Sort, Statement, Step
from kbrules.library.ruleset import Offer, OwnedRule
from kbrules.plan.plan import PLAYED, Plan
from kbrules.plan.steps import LinkedStep

# The gold of every rule, and who wins, as functions of a kernel: what `engine.scoring` counts.


class ScoringLowering:
    """Writes awards. `paying_rules` are those that pay, whether their cards are in play or not."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self._plan = expressions.plan
        owners = self._plan.ruleset.owners.values()
        self.paying_rules: list[OwnedRule] = [owner for owner in owners if owner.rule.awards]
        self._winning = [owner for owner in owners if owner.rule.wins]
        self.functions: list[FunctionWriter] = []

    def write(self) -> None:
        """All of them."""
        for number, owner in enumerate(self.paying_rules):
            self._rule(number, owner)
        self._worth()
        self._result()

    def _rule(self, number: int, owner: OwnedRule) -> None:
        fn = FunctionWriter(f"gold_{number}", "M, me")
        scope = KernelScope(fn, "me")
        gold = fn.new_local("0")
        for award in owner.rule.awards:
            with fn.at_place(award.span):
                self._looped(award, 0, gold, scope)
        fn.line(f"return {gold}")
        self.functions.append(fn)

    def _looped(self, award: Award, depth: int, gold: str, scope: KernelScope) -> None:
        """What an award pays in each round of its loops."""
        if depth == len(award.loops):
            self._pay(award, gold, scope)
            return
        for inner in self._expressions.each(*award.loops[depth], scope):
            self._looped(award, depth + 1, gold, inner)

    def _pay(self, award: Award, gold: str, scope: KernelScope) -> None:
        fn = scope.fn
        top = fn.new_local("M[SCRATCH]")
        if award.domain is None:
            self._once(award, gold, scope)
        else:
            number = fn.new_local("0")
            if award.domain.sort is Sort.HEXES:
                with fn.block(f"if {self._expressions.test(award.guard, scope)}:"):
                    fn.line(f"{number} = count({self._expressions.text(award.domain, scope)})")
            else:
                for _ in self._expressions.each(award.variable, award.domain, award.guard, scope):
                    fn.line(f"{number} += 1")
            with fn.when(number, self._has_rank(award, scope)):
                amount = self._expressions.text(award.amount, scope)
                fn.line(f"{gold} += bounded({amount}) * ({number} // {award.every})")
        fn.line(f"M[SCRATCH] = {top}")

    def _once(self, award: Award, gold: str, scope: KernelScope) -> None:
        fn = scope.fn
        with (
            fn.block(f"if {self._expressions.test(award.guard, scope)}:"),
            fn.when(self._has_rank(award, scope)),
        ):
            fn.line(f"{gold} += bounded({self._expressions.text(award.amount, scope)})")

    def _has_rank(self, award: Award, scope: KernelScope) -> str:
        """Whether the player has the rank among all that an award may ask for."""
        if award.by is None:
            return "True"
        fn = scope.fn
        at, player = fn.new_local("allocate_scratch(M, M[PLAYERS])"), fn.new_local("0")
        with fn.block(f"for {player} in range(M[PLAYERS]):"):
            value = self._expressions.text(award.by, scope.of(player))
            fn.line(f"M[{at} + {player}] = {value}")
        rank = fn.new_local(f"place_among(M, {at}, M[PLAYERS], M[{at} + {scope.me}])")
        return f"{rank} == {award.rank}"

    # who wins

    def _worth(self) -> None:
        """What decides who wins, as a player has it; the gold if nothing does."""
        fn = FunctionWriter("worth", "M, me, total")
        for owner in self._winning:
            with fn.block(f"if {self._expressions.owned(-1, owner.card, 'me')}:"):
                scope = KernelScope(fn, "me", {"total": "total"})
                fn.line(f"return {self._expressions.text(owner.rule.wins[0].by, scope)}")
        fn.line("return total")
        self.functions.append(fn)

    def _is_won(self) -> str:
        """Whether some rule says what decides who wins."""
        tests = (self._expressions.owned(-1, owner.card, "me") for owner in self._winning)
        return " or ".join(tests) or "False"

    # what came of a game

    def _result(self) -> None:
        """The outcome in numbers: faults, turns, winners; then of each player in turn."""
        fn = FunctionWriter("write_result", "M, out, at")
        fn.line("out[at + 1] = M[TURNS]")
        fn.line("out[at + 2] = 0")
        fn.line("winners_at = at + 2")
        fn.line("at += 3")
        with fn.block("for me in range(M[PLAYERS]):"):
            fn.line("seat = seat_of(me)")
            fn.line("total = M[seat + GOLD]")
            fn.line("out[at] = total")
            fn.line("out[at + 1] = M[DECISIONS + me]")
            fn.line("at += 2")
            for number, owner in enumerate(self.paying_rules):
                gold = fn.new_local("0")
                with fn.block(f"if {self._expressions.owned(-1, owner.card, 'me')}:"):
                    fn.line(f"{gold} = gold_{number}(M, me)")
                fn.line(f"out[at + {number}] = {gold}")
                fn.line(f"total += {gold}")
            fn.line(f"at += {len(self.paying_rules)}")
            fn.line("M[WIN_VALUES + me] = worth(M, me, total)")
            fn.line("at = write_facts(M, out, at, me)")
        self._winners(fn)
        fn.line("out[winners_at - 2] = M[FAULT]")
        fn.line("return at")
        self.functions.append(fn)

    def _winners(self, fn: FunctionWriter) -> None:
        with fn.block(f"if {self._is_won()}:"):
            fn.line("most = M[WIN_VALUES]")
            with fn.block("for me in range(M[PLAYERS]):"):
                fn.line("most = max(most, M[WIN_VALUES + me])")
            with (
                fn.block("for me in range(M[PLAYERS]):"),
                fn.block("if M[WIN_VALUES + me] == most:"),
            ):
                fn.line("out[winners_at] |= 1 << me")


# What a player may begin, as functions of a kernel: what `reference.machine` finds.


@dataclass(eq=False)
class OfferLowering:
    """Writes what can be begun."""

    expressions: ExpressionLowering
    blocks: Blocks
    legal_sets: LegalSetLowering
    effects: EffectLowering
    strings: StringTable
    functions: list[FunctionWriter] = field(default_factory=list)
    branch_paths: set[str] = field(default_factory=set)
    _firsts: dict[int, FunctionWriter] = field(default_factory=dict)
    _reused: set[str] = field(default_factory=set)

    @property
    def _plan(self) -> Plan:
        return self.blocks.plan

    # terrains to choose from

    def each_terrain(self, fn: FunctionWriter) -> Iterator[str]:
        """Name a terrain; the lines written meanwhile are done with each one chosen."""
        choice, among, i = fn.new_local("M[CHOICE]"), fn.new_local("terrains(M)"), fn.new_local("0")
        with fn.block(f"for {i} in range({among}[1]):"):
            terrain = fn.new_local(f"M[{among}[0] + {i}]")
            fn.line(f"M[CHOICE] = {terrain}")
            yield terrain
        fn.line(f"M[CHOICE] = {choice}")

    # the first move of a block

    def first(self, block: Block, rule: str, scope: KernelScope) -> str:
        """A call that adds the moves which begin a block."""
        number = self.blocks.numbers[block.path]
        if number not in self._firsts:
            self._firsts[number] = self._first(number, block, rule)
        return scope.call(self._firsts[number], "M", scope.me)

    def _first(self, number: int, block: Block, rule: str) -> FunctionWriter:
        fn = FunctionWriter(f"first_{number}", "M, me")
        scope = KernelScope(fn, "me", asks=True)
        before = [*takewhile(self._prepares, block.steps)]
        undo = [line for step in before for line in self._prepared(step, scope)]
        first = (number, rule, scope, undo)
        if not self._first_choice(block.steps[len(before) :], *first):
            fn.lines(undo)
            self._try_block(number, block, rule, scope)
        self.functions.append(fn)
        return fn

    def _prepares(self, statement: Statement) -> bool:
        return isinstance(statement, Step) and self.blocks.linked(statement).word.prepares

    def _prepared(self, step: Statement, scope: KernelScope) -> list[str]:
        """Do a step that only prepares the next one; the lines that take it back."""
        assert isinstance(step, Step)
        linked = self.blocks.linked(step)
        values = self.effects.values(linked, scope)
        self.effects.carry_out(linked, values, "", scope)
        return [f"undo_{step.name}({', '.join(['M', scope.me, *values])})"]

    def _first_choice(
        self, steps: Sequence[Statement], path: int, rule: str, scope: KernelScope, undo: list[str]
    ) -> bool:
        """The step a block begins with, if it asks for a hex; whether that is always so."""
        first = (path, rule, scope, undo)
        match steps[0] if steps else None:
            case Step() as step if self.blocks.linked(step).word.asks:
                return self._choosing(self.blocks.linked(step), *first)
            case Repeat(times=times, body=body):
                return self._under(f"{self.expressions.text(times, scope)} > 0", body, *first)
            case If(condition=condition, body=body):
                return self._under(self.expressions.text(condition, scope), body, *first)
        return False

    def _under(
        self, test: str, body: Block, path: int, rule: str, scope: KernelScope, undo: list[str]
    ) -> bool:
        with scope.fn.block(f"if {test}:"):
            self._first_choice(body.steps, path, rule, scope, undo)
        return False

    def _choosing(
        self, linked: LinkedStep, path: int, rule: str, scope: KernelScope, undo: list[str]
    ) -> bool:
        if linked.at_random:
            return False
        fn = scope.fn
        is_sure = linked.times > 0
        count = self.expressions.text(linked.argument_exprs["count"], scope)
        with fn.block("if True:" if is_sure else f"if {count} > 0:"):
            hexes = fn.new_local(self.legal_sets.first(linked, scope))
            fn.lines(undo)
            verb, owner = self.strings.verb(linked.move_verbs[0]), self.strings.rule(rule)
            with fn.block(f"if some({hexes}):"):
                fn.line(f"add_group(M, {verb}, {owner}, {path + 1}, {hexes})")
            fn.line("return")
        return is_sure

    def _try_block(self, number: int, block: Block, rule: str, scope: KernelScope) -> None:
        """Play a block on a copy until it asks for something or has done something."""
        fn = scope.fn
        knows = block.path not in self._plan.offers_needing_card
        with fn.block("if M[SAVED] < MAX_SAVE:"):
            base_depth, saved_at = fn.new_local("M[DEPTH]"), fn.new_local("save(M)")
            fn.line(self.blocks.pushed(block.path, scope))
            owner = self.strings.rule(rule)
            values = f"{saved_at}, {base_depth}, {number + 1}, {owner}, {knows}"
            fn.line(f"try_begun_block(M, {values})")

    # branches and reactions

    def branches(self, step: int, block: int, bodies: Sequence[Block], rule: str) -> None:
        """The function that adds the moves which begin one of several blocks."""
        scope = self.blocks.scope(f"branches_{step}", "M, f", block)
        fn = scope.fn
        self.branch_paths |= {body.path for body in bodies}
        calls = [(self.first(body, rule, scope), self._depends(body)) for body in bodies]
        needing = [call for call, depends in calls if depends]
        is_open = fn.new_local("is_open(M)") if needing else "False"
        for call, depends in calls:
            with fn.block(f"if not {is_open}:" if depends else "if True:"):
                fn.line(call)
        if needing:
            with fn.block(f"if {is_open}:"):
                self._with_terrains(needing, scope)
        self.functions.append(fn)

    def _depends(self, body: Block) -> bool:
        return self._plan.depends(body, PLAYED)

    def _with_terrains(self, calls: list[str], scope: KernelScope) -> None:
        """The terrains with which one of the blocks can be begun."""
        fn = scope.fn
        for terrain in self.each_terrain(fn):
            first = fn.new_local("M[GROUP_COUNT]")
            for call in calls:
                fn.line(call)
            is_any = fn.new_local(f"M[GROUP_COUNT] > {first}")
            fn.line(f"M[GROUP_COUNT] = {first}")
            with fn.block(f"if {is_any}:"):
                fn.line(f"add_group(M, VERB_CHOOSE, TERRAIN_RULES + {terrain}, 0, nothing())")

    # actions

    def offered(self, scope: KernelScope) -> str:
        """A call that adds all that may be begun in a turn; whether something must be."""
        return f"offered(M, {scope.me}, {scope.value(REPEATED)})"

    def reusable(self, places: str, rule: str, scope: KernelScope) -> str:
        """A call that adds what tiles from some places let a player begin once more."""
        self._reused.add(rule)
        return f"reusable_{self.strings.rule(rule)}(M, {scope.me}, {places}, True)"

    def write(self) -> None:
        """The functions of actions."""
        for number, offer in enumerate(self._plan.offers.values()):
            self._offer(number, offer)
        self.functions.append(
            dispatcher(
                "one_offer",
                "M, me, number, repeated",
                "number",
                range(len(self._plan.offers)),
                "offer_{0}(M, me, repeated)",
                "False",
            )
        )
        self._offers_of_kind()
        self._open_offers()
        self._begun()
        for rule in sorted(self._reused):
            self._reusable(rule)

    def _offer(self, number: int, offer: Offer) -> None:
        """Adds the moves of one action; whether that is required and there are such."""
        fn = FunctionWriter(f"offer_{number}", "M, me, repeated")
        scope = KernelScope(fn, "me", {REPEATED[0]: "repeated"})
        if offer.action.guard is not None:
            with fn.block(f"if not {self.expressions.text(offer.action.guard, scope)}:"):
                fn.line("return False")
        # Within a required action that minds, it is as if it had begun.
        required = "True" if offer.path in self._plan.offers_asking_required else scope.required
        inside = KernelScope(fn, "me", scope.names, required)
        first = fn.new_local("M[GROUP_COUNT]")
        with fn.at_place(offer.action.span):
            fn.line(self.first(offer.action.body, offer.owner.rule.id, inside))
        is_required = f"M[GROUP_COUNT] > {first}" if offer.action.required else "False"
        fn.line(f"return {is_required}")
        self.functions.append(fn)

    def _offers_of_kind(self) -> None:
        fn = FunctionWriter("offers_of_kind", "M, kind, but")
        numbers = {offer.path: number for number, offer in enumerate(self._plan.offers.values())}
        for kind, offers in self._plan.tile_offers.items():
            with fn.block(f"if kind == {kind}:"):
                for offer in offers:
                    rule = self.strings.rule(offer.owner.rule.id)
                    with fn.block(f"if but != {rule}:"):
                        fn.line(f"offer(M, {numbers[offer.path]})")
        self.functions.append(fn)

    def _open_offers(self) -> None:
        """All actions that may be used now, of which the moves are then added."""
        fn = FunctionWriter("offered", "M, me, repeated")
        start = fn.new_local("M[OFFERED_TOP]")
        for number, offer in enumerate(self._plan.offers.values()):
            if offer.owner.tile < 0:
                owns = self.expressions.owned(-1, offer.owner.card, "me")
                with fn.when(f"not was_used(M, {number})", owns):
                    fn.line(f"offer(M, {number})")
        at, i = fn.new_local("seat_of(me) + TILES"), fn.new_local("0")
        with fn.block(f"for {i} in range(M[{at}]):"), fn.block(f"if is_first_ready(M, {at}, {i}):"):
            fn.line(f"offers_of_kind(M, M[{at} + 1 + 3 * {i}], -1)")
        self._finish(fn, start)

    def _reusable(self, rule: str) -> None:
        number = self.strings.rule(rule)
        fn = FunctionWriter(f"reusable_{number}", "M, me, places, repeated")
        start = fn.new_local("M[OFFERED_TOP]")
        at, i = fn.new_local("seat_of(me) + TILES"), fn.new_local("0")
        with (
            fn.block(f"for {i} in range(M[{at}]):"),
            fn.block(f"if is_first_serving(M, {at}, {i}, places):"),
        ):
            fn.line(f"offers_of_kind(M, M[{at} + 1 + 3 * {i}], {number})")
        self._finish(fn, start)

    def _finish(self, fn: FunctionWriter, start: str) -> None:
        found = fn.new_local(f"begun(M, me, {start}, repeated)")
        fn.line(f"M[OFFERED_TOP] = {start}")
        fn.line(f"return {found}")
        self.functions.append(fn)

    def _begun(self) -> None:
        """The moves of the actions listed from `start` on; whether one of them is required."""
        fn = FunctionWriter("begun", "M, me, start, repeated")
        found, end = fn.new_local("False"), fn.new_local("M[OFFERED_TOP]")
        first, is_open = fn.new_local("M[GROUP_COUNT]"), fn.new_local("is_open(M)")
        self._those(fn, found, end, f"not {is_open} or not needs_terrain({{0}}) & 1")
        with fn.block(f"if {is_open}:"):
            for terrain in self.each_terrain(fn):
                middle = fn.new_local("M[GROUP_COUNT]")
                self._those(fn, found, end, "needs_terrain({0}) & 2")
                is_new = fn.new_local(f"has_new_groups(M, {first}, {middle})")
                fn.line(f"M[GROUP_COUNT] = {middle}")
                with fn.block(f"if {is_new}:"):
                    fn.line(f"add_group(M, VERB_CHOOSE, TERRAIN_RULES + {terrain}, 0, nothing())")
        fn.line(f"return {found}")
        self._needs_terrain()
        self.functions.append(fn)

    def _those(self, fn: FunctionWriter, found: str, end: str, test: str) -> None:
        i = fn.new_local("0")
        with fn.block(f"for {i} in range(start, {end}):"):
            number = fn.new_local(f"M[OFFERED + {i}]")
            with fn.block(f"if {test.format(number)}:"):
                is_required = fn.new_local(f"one_offer(M, me, {number}, repeated)")
                fn.line(f"{found} = {found} or {is_required}")

    def _needs_terrain(self) -> None:
        """Bit 0: not to be begun before a terrain is chosen. Bit 1: may need one."""
        fn = FunctionWriter("needs_terrain", "number")
        for number, offer in enumerate(self._plan.offers.values()):
            if offer.path in self._plan.offers_needing_card:
                with fn.block(f"if number == {number}:"):
                    fn.line(f"return {2 if self._is_mixed(offer) else 3}")
        fn.line("return 0")
        self.functions.append(fn)

    def _is_mixed(self, offer: Offer) -> bool:
        """Whether it branches, and some branches but not all depend on the terrain played."""
        steps = offer.action.body.steps
        if not steps or not isinstance(steps[0], Either):
            return False
        return len({self._depends(body) for body in steps[0].bodies}) == 2
