"""Statements and triggers as the text of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kbrules.game.state import MAX_FURTHER, THIS_TURN
from kbrules.game.view import TRIGGERS
from kbrules.kernel.lowering import writing
from kbrules.kernel.lowering.blocks import (
    Blocks,
    EffectLowering,
    KernelStatement,
    LegalSetLowering,
    ReactionQuestion,
)
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.offers import OfferLowering
from kbrules.lang import typed as core
from kbrules.lang.typed import Each, Either, Expr, If, Repeat, Sort, Step
from kbrules.library.ruleset import OwnedRule
from kbrules.plan import plan
from kbrules.plan.steps import LinkedStep, is_instant
from kbrules.primitives.steps import deck

# The steps of blocks as functions of a kernel, one for each: what `reference.statements` does.


ITEMS = {
    "ITEMS": "store(M, {} + {}, {})", "LIST": "list_groups(M, {} + {}, {})",
    "NUMBERS": "list_numbers(M, {0} + LIST, {2})",
}  # fmt: skip
"""How items are stored that are no numbers."""


@dataclass(eq=False)
class StatementLowering:
    """Writes steps. kinds: what each of them waits for; lists: what the lists of loops hold."""

    expressions: ExpressionLowering
    blocks: Blocks
    legal_sets: LegalSetLowering
    effects: EffectLowering
    offers: OfferLowering
    triggers: TriggerLowering
    strings: writing.StringTable
    functions: list[writing.FunctionWriter] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    choice_steps: list[int] = field(default_factory=list)
    branching: list[int] = field(default_factory=list)
    looping: list[int] = field(default_factory=list)
    lists: str = ""

    def write(self) -> None:
        """All of them."""
        for number, block, pc, statement in self.blocks.steps:
            scope = self.blocks.scope(f"step_{number}", "M, f", block)
            fn = scope.fn
            self.kinds.append("OTHER")
            with fn.at_place(getattr(statement, "span", plan.NOWHERE)):
                self._write(number, block, pc, statement, scope)
            fn.line("return 0")
            self.functions.append(fn)

    def _write(
        self, number: int, block: int, pc: int, node: KernelStatement, scope: writing.KernelScope
    ) -> None:
        match node:
            case Step():
                self._step(number, block, node, scope)
            case If():
                self._if(node, scope)
            case Repeat():
                self.kinds[number] = "REPEATING"
                self._repeat(block, pc, node, scope)
            case Each():
                self._each(node, scope)
            case Either(bodies=bodies):
                self.kinds[number] = "BRANCHING"
                self.branching.append(number)
                rule = self.blocks.rule_of(block)
                self.offers.branches(number, block, bodies, rule)
                self._branch(number, rule, scope)
            case ReactionQuestion():
                self._reaction(number, block, node, scope)

    def _interrupted(self, scope: writing.KernelScope, draws: bool = False) -> None:
        with scope.fn.block(f"if {scope.call(self.triggers.interrupting[draws], 'M')}:"):
            scope.fn.line("return 0")

    @contextmanager
    def _decision(
        self,
        scope: writing.KernelScope,
        rule: int | None,
        who: str = "me",
        otherwise: str = "next_statement(M)",
    ) -> Iterator[str]:
        """Ask for a decision, for which the lines written meanwhile add groups of moves.

        Yields how many groups there were before. rule: by which the player may stop, if any.
        otherwise: what is done if no group is added.
        """
        fn = scope.fn
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        yield first
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line(otherwise)
            fn.line("return 0")
        if rule is not None:
            fn.line(f"stop(M, f, {rule})")
        fn.lines(("M[IS_DRAW] = 0", f"M[DECIDER] = {who}", "return 1"))

    def _rule(self, block: int) -> int:
        return self.strings.rule(self.blocks.rule_of(block))

    # steps

    def _step(self, number: int, block: int, step: Step, scope: writing.KernelScope) -> None:
        linked = self.blocks.linked(step)
        word = linked.word
        if word.is_offers:
            self._offer_step(scope)
        elif word.is_reuse:
            self.kinds[number] = "REUSING"
            self._reuse_step(block, linked, scope)
        elif word.asks:
            # What may be done no times at all is gone past before another step asks.
            if linked.times > 0:
                self.kinds[number] = "CHOOSING"
            self._choice_step(block, linked, scope)
            self._write_choice(number, block, linked)
        elif word.outcomes is not None:
            self._draw_step(linked, scope)
            self._write_choice(number, block, linked)
        else:
            values = self.effects.values(linked, scope)
            scope.fn.line("next_statement(M)")
            self.effects.carry_out(linked, values, self.blocks.rule_of(block), scope)
            self._run_triggers(scope)

    def _run_triggers(self, scope: writing.KernelScope) -> None:
        with scope.fn.block("if M[TRIGGER_EVENT_COUNT]:"):
            scope.fn.line("run_triggers(M)")

    def _choice_step(self, block: int, linked: LinkedStep, scope: writing.KernelScope) -> None:
        fn, rule = scope.fn, self._rule(block)
        count = self.expressions.text(linked.argument_exprs["count"], scope)
        with fn.block(f"if M[f + DONE] >= {count}:"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        who, may_stop = ("-1", None) if linked.at_random else ("me", rule)
        with self._decision(scope, may_stop, who, "skip(M, f)"):
            if linked.needs_terrain:
                with fn.block("if is_open(M):"):
                    self._which_terrain(linked, scope)
                with fn.block("else:"):
                    self._hexes(linked, rule, scope)
            else:
                self._hexes(linked, rule, scope)

    def _hexes(self, linked: LinkedStep, rule: int, scope: writing.KernelScope) -> None:
        """The group of hexes that may be chosen now."""
        for verb, hexes in self._legal(linked, scope):
            name = scope.fn.new_local(hexes)
            with scope.fn.block(f"if some({name}):"):
                number = self.strings.verb(verb)
                scope.fn.line(f"add_group(M, {number}, {rule}, 0, {name})")

    def _legal(self, linked: LinkedStep, scope: writing.KernelScope) -> Iterator[tuple[str, str]]:
        """The verb and the hexes that may be chosen now; what is written meanwhile is for those."""
        if len(linked.target_nodes) == 1:
            yield linked.move_verbs[0], self.legal_sets.first(linked, scope)
            return
        with scope.fn.block("if M[f + CHOSEN]:"):
            yield linked.move_verbs[1], self.legal_sets.second(linked, "M[f + FIRST]", scope)
        with scope.fn.block("else:"):
            yield linked.move_verbs[0], self.legal_sets.first(linked, scope)

    def _which_terrain(self, linked: LinkedStep, scope: writing.KernelScope) -> None:
        fn = scope.fn
        for terrain in self.offers.each_terrain(fn):
            found = fn.new_local("False")
            for _, hexes in self._legal(linked, scope):
                fn.line(f"{found} = some({hexes})")
            with fn.block(f"if {found}:"):
                fn.line(f"add_group(M, VERB_CHOOSE, TERRAIN_RULES + {terrain}, 0, nothing())")

    def _write_choice(self, number: int, block: int, linked: LinkedStep) -> None:
        """What is done once a step is decided."""
        scope = self.blocks.scope(f"carry_out_{number}", "M, f, hex", block)
        fn = scope.fn
        self.choice_steps.append(number)
        if len(linked.target_nodes) > 1:
            with fn.block("if M[f + CHOSEN] == 0:"):
                fn.line("M[f + CHOSEN] = 1")
                fn.line("M[f + FIRST] = hex")
                fn.line("return")
        fn.line("first = M[f + FIRST]")
        values = self.effects.values(linked, scope)
        if linked.target_nodes and linked.norms.waives and not linked.freely:
            self._set_strayed(linked, scope)
        else:
            fn.line("M[STRAYED] = 0")
        fn.line("M[f + DONE] += 1")
        fn.line("M[f + CHOSEN] = 0")
        self.effects.carry_out(linked, values, self.blocks.rule_of(block), scope)
        self._run_triggers(scope)
        self.functions.append(fn)

    def _set_strayed(self, linked: LinkedStep, scope: writing.KernelScope) -> None:
        """Whether the hex would not be legal but for the waiver of one rule."""
        fn = scope.fn
        by_rule: dict[str, list[str]] = {}
        for clause in linked.norms.waives:
            test = clause.test
            text = "True" if test is None else fn.new_local(self.expressions.text(test, scope))
            by_rule.setdefault(clause.owner.rule.id, []).append(text)
        tests = [f"int({' or '.join(texts)})" for texts in by_rule.values()]
        fn.line("M[STRAYED] = 0")
        with fn.block(f"if {' + '.join(tests)} == 1:"):
            strict = self.legal_sets.strict(linked, "first", scope)
            with fn.block(f"if not has({strict}, hex):"):
                fn.line("M[STRAYED] = 1")

    def _draw_step(self, linked: LinkedStep, scope: writing.KernelScope) -> None:
        if linked.word.outcomes is not deck:
            raise writing.NotLowered(f"the draw of the step `{linked.step.verb}`", linked.step.span)
        fn = scope.fn
        count = self.expressions.text(linked.argument_exprs["count"], scope)
        with fn.block(f"if M[f + DONE] < {count}:"):
            self._interrupted(scope, draws=True)
            with fn.block("if cards_in(M, 0) > 0:"):
                fn.line("M[IS_DRAW] = 1")
                fn.line("M[DECIDER] = -1")
                fn.line("return 1")
        fn.line("next_statement(M)")

    # offers

    def _offer_step(self, scope: writing.KernelScope) -> None:
        fn = scope.fn
        with self._decision(scope, None) as first:
            required = fn.new_local("False")
            with fn.block("if M[SAVED] < MAX_TRIALS:"):
                fn.line(f"{required} = {self.offers.offered(scope)}")
            with fn.block(f"if M[GROUP_COUNT] > {first} and not {required}:"):
                fn.line("add_group(M, VERB_END, RULE_TURN, 0, nothing())")

    def _reuse_step(self, block: int, linked: LinkedStep, scope: writing.KernelScope) -> None:
        fn = scope.fn
        with self._decision(scope, self._rule(block)):
            (name,) = linked.argument_names
            places = fn.new_local(self.expressions.text(linked.argument_exprs[name], scope))
            with fn.block(f"if not {scope.value(writing.REPEATED)}:"):
                fn.line(self.offers.reusable(places, self.blocks.rule_of(block), scope))

    def _branch(self, number: int, rule: str, scope: writing.KernelScope) -> None:
        with self._decision(scope, self.strings.rule(rule), otherwise="skip(M, f)"):
            scope.fn.line(f"branches_{number}(M, f)")

    def _reaction(
        self, number: int, block: int, node: ReactionQuestion, scope: writing.KernelScope
    ) -> None:
        fn = scope.fn
        owner = self.blocks.plan.reactions[node.body.path]
        self.offers.branches(number, block, (node.body,), owner.rule.id)
        may = f"has_unused(M, me, {owner.tile})" if owner.tile >= 0 else "M[f + DONE] == 0"
        test = self.expressions.test(self.blocks.plan.reaction_guards[node.body.path], scope)
        with fn.block(f"if not ({may} and {test}):"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        with self._decision(scope, None) as first:
            fn.line(f"branches_{number}(M, f)")
            with fn.block(f"if M[GROUP_COUNT] > {first}:"):
                rule = self.strings.rule(owner.rule.id)
                fn.line(f"add_group(M, VERB_STOP, {rule}, 0, nothing())")

    # blocks in blocks

    def _if(self, statement: If, scope: writing.KernelScope) -> None:
        fn = scope.fn
        test = fn.new_local(self.expressions.text(statement.condition, scope))
        fn.line("next_statement(M)")
        with fn.block(f"if {test}:"):
            fn.line(self.blocks.pushed(statement.body.path, scope))
        if statement.other is not None:
            with fn.block("else:"):
                fn.line(self.blocks.pushed(statement.other.path, scope))

    def _repeat(self, block: int, pc: int, statement: Repeat, scope: writing.KernelScope) -> None:
        fn = scope.fn
        times = writing.rounds(self.expressions.text(statement.times, scope), fn)
        must_begin = pc == 0 and self.blocks.paths[block] in self.blocks.plan.offers
        fn.line("next_statement(M)")
        with fn.block(f"if {times} > 0:"):
            frame = fn.new_local(self.blocks.pushed(statement.body.path, scope))
            fn.line(f"M[{frame} + LOOP] = {2 if statement.may_stop else 1}")
            fn.line(f"M[{frame} + LEFT] = {times}")
            fn.line(f"M[{frame} + ROUNDS] = 0")
            fn.line(f"M[{frame} + MAY_STOP] = {int(not must_begin)}")

    def _each(self, statement: Each, scope: writing.KernelScope) -> None:
        fn = scope.fn
        domain = self.blocks.plan.folded(statement.domain)
        items = self._items(domain, scope)
        number = self.blocks.numbers[statement.body.path]
        fn.line("next_statement(M)")
        frame = fn.new_local(self.blocks.pushed(statement.body.path, scope))
        fn.line(f"M[{frame} + LOOP] = 3")
        for place, text in items.items():
            fn.line(ITEMS.get(place, "M[{} + {}] = {}").format(frame, place, text))
        fn.line(f"next_item_{number}(M, {frame})")
        self.looping.append(number)
        self._next_item(number, statement, domain)

    def _items(self, domain: Expr, scope: writing.KernelScope) -> dict[str, str]:
        """What a frame stores of the items left."""
        fn = scope.fn
        match domain.sort:
            case Sort.HEXES:
                return {"ITEMS": fn.new_local(self.expressions.lower(domain, scope))}
            case Sort.GROUPS if getattr(domain, "fixed", False):
                groups = fn.new_local(self.expressions.lower(domain, scope))
                return {"LEFT": f"{groups}[0]", "ROUNDS": f"{groups}[1]"}
            case Sort.GROUPS:
                self.lists = "groups"
                groups = fn.new_local(self.expressions.lower(domain, scope))
                return {"LEFT": "0", "ROUNDS": f"{groups}[1]", "LIST": groups}
            case Sort.PLAYERS:
                first = fn.local(self.expressions.lower(domain, scope))
                return {"LEFT": first, "ROUNDS": f"M[PLAYERS] - {first}"}
            case _:
                self.lists = self.lists or "numbers"
                at = fn.new_local(self.expressions.lower(domain, scope))
                return {"LEFT": "0", "ROUNDS": f"M[{at}]", "NUMBERS": at}

    def _next_item(self, number: int, statement: Each, domain: Expr) -> None:
        """Bind the next item for which the guard holds, or leave the loop."""
        scope = self.blocks.scope(f"next_item_{number}", "M, f", number)
        fn = scope.fn
        is_set = domain.sort is Sort.HEXES
        more = "some(load(M, f + ITEMS))" if is_set else "M[f + ROUNDS] > 0"
        with fn.block(f"while {more}:"):
            item = self._item(domain, fn)
            inner = scope.bound(**{statement.variable: item})
            with fn.block(f"if {self.expressions.test(statement.guard, inner)}:"):
                self._bind(number, statement.variable, item, fn)
                for field in ("PC", "DONE", "CHOSEN"):
                    fn.line(f"M[f + {field}] = 0")
                fn.line("return")
        fn.line("pop(M)")
        self.functions.append(fn)

    def _item(self, domain: Expr, fn: writing.FunctionWriter) -> str:
        """Take the next item."""
        if domain.sort is Sort.HEXES:
            item = fn.new_local("foremost(load(M, f + ITEMS))")
            fn.line(f"store(M, f + ITEMS, load(M, f + ITEMS) & ~{item})")
            return item
        is_fixed = getattr(domain, "fixed", False)
        texts = {
            Sort.GROUPS: f"load(M, {'' if is_fixed else 'f + LIST + '}M[f + LEFT])",
            Sort.PLAYERS: "(me + M[f + LEFT]) % M[PLAYERS]",
        }
        item = fn.new_local(texts.get(domain.sort, "M[f + LIST + M[f + LEFT]]"))
        fn.line(f"M[f + LEFT] += {'W' if domain.sort is Sort.GROUPS else '1'}")
        fn.line("M[f + ROUNDS] -= 1")
        return item

    def _bind(self, block: int, variable: str, item: str, fn: writing.FunctionWriter) -> None:
        for name in self.blocks.names[block]:
            if name[0] == variable:
                fn.put(f"f + {self.blocks.frame_field(name)}", item, name[1] is Sort.HEXES)


# What follows events, what is done `whenever`, and the phases, as functions of a kernel.


BOUND = {
    "here": "here", "origin": "origin", "actor": "actor", "strayed": "(strayed != 0)",
    writing.BINDING[0]: "binding",
}  # fmt: skip
GIVEN = "here, origin, actor, strayed, binding"


@dataclass(eq=False)
class TriggerLowering:
    """Writes triggers, `whenever` rules and phases."""

    expressions: ExpressionLowering
    blocks: Blocks
    effects: EffectLowering
    functions: list[writing.FunctionWriter] = field(default_factory=list)
    interrupting: list[writing.FunctionWriter] = field(default_factory=list)
    _triggers: dict[int, str] = field(default_factory=dict)

    @property
    def _plan(self) -> plan.Plan:
        return self.blocks.plan

    @property
    def constants(self) -> dict[str, int]:
        """What the machine of a kernel must know of triggers and phases."""
        triggers = [trigger.name for trigger in TRIGGERS]
        names = ("before setup", "setup", "after setup", "finish")
        places = ("ONCE_PHASES", "SETUP_PHASES", "AFTER_PHASES", "FINISH_PHASES")
        return {
            **{f"ON_{name.upper()}": number for number, name in enumerate(triggers)},
            **{f"FOLLOWS_{name.upper()}": int(name in self._plan.triggers) for name in triggers},
            **{at: len(self._phases(name)) for at, name in zip(places, names, strict=True)},
            "MAX_TURNS": plan.MAX_TURNS,
            "MAX_FIRINGS": plan.MAX_FIRINGS,
            "MAX_TRIALS": plan.MAX_TRIALS,
            "MAX_FURTHER": MAX_FURTHER,
            "CUT_TURNS": writing.LIMIT_BITS["turns"],
            "CUT_FURTHER": writing.LIMIT_BITS["further"],
            "THIS_TURN": THIS_TURN,
            "START_PASSES": int(self._plan.start_passes),
        }

    def write(self) -> None:
        """All of them."""
        self._run_triggers()
        self._interrupted("interrupted", self._plan.whenever_rules, False)
        self._interrupted("interrupted_draw", self._plan.whenever_rules_of_draws, True)
        self._stage_begun()
        self._turn_begun()
        self._turn_forgotten()

    # triggers

    def _run_triggers(self) -> None:
        fn = writing.FunctionWriter("run_triggers", "M")
        fn.line("i = 0")
        fn.line("M[PENDING_COUNT] = 0")
        with fn.block("while i < M[TRIGGER_EVENT_COUNT]:"):
            fn.line("at = TRIGGER_EVENTS + i * TRIGGER_EVENT_SIZE")
            fn.line("i += 1")
            for name in (trigger.name for trigger in TRIGGERS):
                if name in self._plan.triggers:
                    with fn.block(f"if M[at] == ON_{name.upper()}:"):
                        fn.line(f"follow_{name}(M, at)")
                    self._follow(name)
        fn.line("M[TRIGGER_EVENT_COUNT] = 0")
        with fn.block("if M[PENDING_COUNT]:"):
            fn.line("begin_pending(M)")
        self.functions.append(fn)

    def _follow(self, name: str) -> None:
        """All that waits for a kind of event."""
        fn = writing.FunctionWriter(f"follow_{name}", "M, at")
        fn.line(f"binding = {writing.BINDINGS.index(writing.bound_by(name))}")
        fn.line("actor = M[at + 1]")
        fn.line("strayed = M[at + 2]")
        fn.line("here = load(M, at + 8)")
        fn.line("origin = load(M, at + 8 + W)")
        for trigger, owner in self._plan.triggers[name]:
            self._whose(trigger, owner, self._trigger(trigger, owner), fn)
        self.functions.append(fn)

    def _whose(
        self, trigger: core.Trigger, owner: OwnedRule, call: str, fn: writing.FunctionWriter
    ) -> None:
        """Let a trigger act for whom the event speaks of, or for the holders of a tile."""
        if trigger.who == "me":
            owns = self.expressions.owned(owner.tile, owner.card, "actor")
            with fn.when("actor >= 0", owns):
                fn.line(call.format("actor"))
            return
        number = fn.new_local("M[PLAYERS]")
        players, i, player = (fn.new_local("0") for _ in range(3))
        with fn.block(f"for {i} in range({number}):"):
            fn.line(f"{player} = (M[ACTIVE] + 1 + {i}) % {number}")
            owns = self.expressions.owned(owner.tile, owner.card, player)
            others = f"{player} != actor" if trigger.who == "others" else "True"
            with fn.when(owns, others):
                fn.line(f"{players} |= 1 << {i}")
        with fn.block(f"for {i} in range({number}):"), fn.block(f"if {players} >> {i} & 1:"):
            fn.line(f"{player} = (M[ACTIVE] + 1 + {i}) % {number}")
            fn.line(call.format(player))

    def _trigger(self, trigger: core.Trigger, owner: OwnedRule) -> str:
        """A call of the function of a trigger, with a gap for the player."""
        if id(trigger) not in self._triggers:
            name = self._triggers[id(trigger)] = f"trigger_{len(self._triggers)}"
            fn = writing.FunctionWriter(name, f"M, me, {GIVEN}")
            with fn.at_place(trigger.span):
                self._act(trigger, writing.KernelScope(fn, "me", dict(BOUND)), owner)
            self.functions.append(fn)
        return f"{self._triggers[id(trigger)]}(M, {{0}}, {GIVEN})"

    def _act(self, trigger: core.Trigger, scope: writing.KernelScope, owner: OwnedRule) -> None:
        fn = scope.fn
        with fn.block(f"if {self.expressions.test(trigger.guard, scope)}:"):
            if not trigger.offered and is_instant(trigger.body):
                self._carry_out_all(trigger.body, owner.rule.id, scope)
                return
            path = trigger.body.path
            path = plan.reaction_question(path) if trigger.offered else path
            with fn.block(f"if M[DEPTH] < {plan.MAX_NESTING}:"):
                fn.line(self.blocks.pushed(path, scope))
                fn.line("push_pending(M)")
            with fn.block("else:"):
                fn.line(f"cut_off(M, {writing.LIMIT_BITS['nesting']})")

    def _carry_out_all(self, block: core.Block, rule: str, scope: writing.KernelScope) -> None:
        """Do steps one after another, each on the table as the one before left it."""
        for statement in block.steps:
            self._carry_out(statement, rule, scope)

    def _carry_out(self, statement: core.Statement, rule: str, scope: writing.KernelScope) -> None:
        fn = scope.fn
        match statement:
            case core.Step():
                linked = self.blocks.linked(statement)
                self.effects.carry_out(linked, self.effects.values(linked, scope), rule, scope)
            case core.If(condition=condition, body=body, other=other):
                test = fn.new_local(self.expressions.text(condition, scope))
                with fn.block(f"if {test}:"):
                    self._carry_out_all(body, rule, scope)
                if other is not None:
                    with fn.block(f"if not {test}:"):
                        self._carry_out_all(other, rule, scope)
            case core.Repeat(times=times, body=body):
                number = writing.rounds(self.expressions.text(times, scope), fn)
                with fn.block(f"for {fn.new_local('0')} in range({number}):"):
                    self._carry_out_all(body, rule, scope)
            case core.Each(variable=variable, domain=domain, guard=guard, body=body):
                for inner in self.expressions.each(variable, domain, guard, scope):
                    self._carry_out_all(body, rule, inner)

    # what is done whenever something holds

    def _interrupted(
        self, name: str, whenevers: plan.LinkedWheneverRules, is_drawing: bool
    ) -> None:
        fn = writing.FunctionWriter(name, "M")
        scope = writing.KernelScope(fn, "me", asks=True)
        with fn.block("if M[FIRINGS] > MAX_FIRINGS:"):
            fn.line("return False")
        fn.line("me = M[ACTIVE]")
        for whenever, owner, _ in whenevers:
            expr = self._plan.folded(whenever.condition, drawing=is_drawing)
            owns = self.expressions.owned(owner.tile, owner.card, "me")
            with (
                fn.block(f"if {self.expressions.lower(expr, scope)}:"),
                fn.block(f"if {owns}:"),
            ):
                limit = self._limit_met(whenever, scope)
                with fn.block(f"if {limit} != 0:"):
                    fn.line(f"cut_off(M, {limit})")
                with fn.block("else:"):
                    fn.line("M[FIRINGS] += 1")
                    fn.line(self.blocks.pushed(whenever.body.path, writing.KernelScope(fn, "me")))
                    fn.line("return True")
        fn.line("return False")
        self.functions.append(fn)
        self.interrupting.append(fn)

    def _limit_met(self, whenever: core.Whenever, scope: writing.KernelScope) -> str:
        """The limit that keeps a `whenever` rule from acting now; 0 if none does."""
        fn = scope.fn
        limit = fn.new_local("0")
        with fn.block("if M[FIRINGS] == MAX_FIRINGS:"):
            fn.line(f"{limit} = {writing.LIMIT_BITS['firings']}")
        verb = self._plan.redraws.get(whenever.body.path)
        if verb is not None:
            with fn.block("else:"):
                dead = self.expressions.all_cards_dead(verb, scope)
                with fn.block(f"if {dead}:"):
                    fn.line(f"{limit} = {writing.LIMIT_BITS['redraw']}")
        return limit

    # phases

    def _phases(self, name: str) -> list[tuple[core.Phase, OwnedRule]]:
        pairs = self._plan.ruleset.phases(name)
        return [(phase, owner) for phase, owner in pairs if self._plan.may_apply(owner)]

    def _stage_begun(self) -> None:
        """Begin a phase of set-up or finish for a player, if its card is in play.

        The player is active also if the card lies beside the table, but not if it lies elsewhere.
        """
        fn = writing.FunctionWriter("stage_begun", "M, phase, me")
        names = ("before setup", "setup", "after setup", "finish")
        pairs = [pair for name in names for pair in self._phases(name)]
        for number, (phase, owner) in enumerate(pairs):
            is_here = f"M[IN_PLAY + {owner.card}] != 0" if owner.card >= 0 else "True"
            with fn.when(f"phase == {number}", is_here):
                fn.line("M[ACTIVE] = me")
                self._begin_phase(phase, owner, fn)
        self.functions.append(fn)

    def _begin_phase(self, phase: core.Phase, owner: OwnedRule, fn: writing.FunctionWriter) -> None:
        scope = writing.KernelScope(fn, "me")
        with (
            fn.block(f"if {self.expressions.owned(-1, owner.card, 'me')}:"),
            fn.block(f"if {self.expressions.test(phase.guard, scope)}:"),
        ):
            fn.line(self.blocks.pushed(phase.body.path, scope))

    def _turn_begun(self) -> None:
        """Begin the phases of a turn, the first of them on top."""
        fn = writing.FunctionWriter("turn_begun", "M, me")
        for phase, owner in reversed(self._phases("turn")):
            self._begin_phase(phase, owner, fn)
        self.functions.append(fn)

    def _turn_forgotten(self) -> None:
        """Forget what lasts for a turn, and at the first turn of a round what lasts for one."""
        fn = writing.FunctionWriter("turn_forgotten", "M, begins_round")
        scopes = [scope for scope, _ in self._plan.ruleset.memories.values()]
        with fn.block("for player in range(M[PLAYERS]):"):
            self._forgotten("turn", fn)
            if "round" in scopes:
                with fn.block("if begins_round:"):
                    self._forgotten("round", fn)
        self.functions.append(fn)

    def _forgotten(self, scope: str, fn: writing.FunctionWriter) -> None:
        for name, (its_scope, _) in self._plan.ruleset.memories.items():
            if its_scope == scope:
                at = self.expressions.place_of(name, "player")
                is_set = self.expressions.is_set(name)
                fn.put(at, "nothing()" if is_set else "0", is_set)
