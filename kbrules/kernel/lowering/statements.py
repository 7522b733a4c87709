"""The steps of blocks as functions of a kernel, one for each: what `reference.statements` does."""

from __future__ import annotations

from kbrules.kernel.lowering.blocks import (
    Blocks,
    EffectLowering,
    KernelStatement,
    LegalSetLowering,
    ReactionQuestion,
)
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.offers import OfferLowering
from kbrules.kernel.lowering.writing import (
    REPEATED,
    FunctionWriter,
    NotLowered,
    Scope,
    StringTable,
    rounds,
)
from kbrules.lang.typed import Each, Either, Expr, If, Repeat, Sort, Step
from kbrules.plan.plan import NOWHERE
from kbrules.plan.steps import LinkedStep
from kbrules.primitives.steps import deck

ITEMS = {
    "ITEMS": "store(M, {} + {}, {})", "LIST": "list_groups(M, {} + {}, {})",
    "NUMBERS": "list_numbers(M, {0} + LIST, {2})",
}  # fmt: skip
"""How items are stored that are no numbers."""


class StatementLowering:
    """Writes steps."""

    def __init__(
        self,
        expressions: ExpressionLowering,
        blocks: Blocks,
        legal_sets: LegalSetLowering,
        effects: EffectLowering,
        offers: OfferLowering,
        strings: StringTable,
    ) -> None:
        self._expressions = expressions
        self._blocks = blocks
        self._legal_sets = legal_sets
        self._effects = effects
        self._offers = offers
        self._strings = strings
        self.functions: list[FunctionWriter] = []
        self.kinds: list[str] = []
        self.choice_steps: list[int] = []
        self.branching: list[int] = []
        self.looping: list[int] = []
        self.lists = ""

    def write(self) -> None:
        """All of them."""
        for number, block, pc, statement in self._blocks.steps:
            fn = FunctionWriter(f"step_{number}", "M, f")
            fn.line("me = M[f + ME]")
            scope = self._blocks.scope(fn, block)
            self.kinds.append("OTHER")
            with fn.at_place(getattr(statement, "span", NOWHERE)):
                self._write(number, block, pc, statement, scope)
            fn.line("return 0")
            self.functions.append(fn)

    def _write(self, number: int, block: int, pc: int, node: KernelStatement, scope: Scope) -> None:
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
                rule = self._blocks.rule_of(block)
                self._offers.branches(number, block, bodies, rule)
                self._branch(number, rule, scope)
            case ReactionQuestion():
                self._reaction(number, block, node, scope)

    def _text(self, expr: Expr, scope: Scope) -> str:
        return self._expressions.fold_and_lower(expr, scope)

    def _interrupted(self, scope: Scope, whenevers: str = "interrupted") -> None:
        names = map(scope.value, self._blocks.names_read_by_whenever)
        with scope.fn.block(f"if {whenevers}({', '.join(['M', *names])}):"):
            scope.fn.line("return 0")

    def _return_decision(self, scope: Scope, who: str = "me") -> None:
        scope.fn.line("M[IS_DRAW] = 0")
        scope.fn.line(f"M[DECIDER] = {who}")

    def _rule(self, block: int) -> int:
        return self._strings.rule(self._blocks.rule_of(block))

    # steps

    def _step(self, number: int, block: int, step: Step, scope: Scope) -> None:
        linked = self._blocks.linked(step)
        word = linked.word
        if word.is_offers:
            self._offer_step(scope)
        elif word.is_reuse:
            self.kinds[number] = "REUSING"
            self._reuse_step(number, block, linked, scope)
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
            values = self._effects.values(linked, scope)
            scope.fn.line("next_statement(M)")
            self._effects.carry_out(linked, values, self._blocks.rule_of(block), scope)
            self._run_triggers(scope)

    def _run_triggers(self, scope: Scope) -> None:
        with scope.fn.block("if M[TRIGGER_EVENT_COUNT]:"):
            scope.fn.line("run_triggers(M)")

    def count(self, linked: LinkedStep, scope: Scope) -> str:
        """How often a step is to be done."""
        assert linked.count_node is not None
        return self._expressions.lower(
            self._blocks.plan.folded(linked.argument_exprs["count"]), scope
        )

    def _choice_step(self, block: int, linked: LinkedStep, scope: Scope) -> None:
        fn, rule = scope.fn, self._rule(block)
        with fn.block(f"if M[f + DONE] >= {self.count(linked, scope)}:"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        if linked.needs_terrain:
            with fn.block("if is_open(M):"):
                self._which_terrain(linked, scope)
            with fn.block("else:"):
                self._hexes(linked, rule, scope)
        else:
            self._hexes(linked, rule, scope)
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line("skip(M, f)")
            fn.line("return 0")
        self._return_decision(scope, "-1" if linked.at_random else "me")
        if not linked.at_random:
            fn.line(f"stop(M, f, {rule})")
        fn.line("return 1")

    def _hexes(self, linked: LinkedStep, rule: int, scope: Scope) -> None:
        """The group of hexes that may be chosen now."""
        if len(linked.target_nodes) == 1:
            self._group(self._legal_sets.first(linked, scope), linked.move_verbs[0], rule, scope)
            return
        with scope.fn.block("if M[f + CHOSEN]:"):
            hexes = self._legal_sets.second(linked, "M[f + FIRST]", scope)
            self._group(hexes, linked.move_verbs[1], rule, scope)
        with scope.fn.block("else:"):
            self._group(self._legal_sets.first(linked, scope), linked.move_verbs[0], rule, scope)

    def _group(self, hexes: str, verb: str, rule: int, scope: Scope) -> None:
        name = scope.fn.new_local(hexes)
        with scope.fn.block(f"if some({name}):"):
            scope.fn.line(f"add_group(M, {self._strings.verb(verb)}, {rule}, 0, {name})")

    def _which_terrain(self, linked: LinkedStep, scope: Scope) -> None:
        fn = scope.fn
        for terrain in self._offers.each_terrain(scope):
            if len(linked.target_nodes) == 1:
                found = fn.new_local(f"some({self._legal_sets.first(linked, scope)})")
            else:
                found = fn.new_local("False")
                with fn.block("if M[f + CHOSEN]:"):
                    text = self._legal_sets.second(linked, "M[f + FIRST]", scope)
                    fn.line(f"{found} = some({text})")
                with fn.block("else:"):
                    fn.line(f"{found} = some({self._legal_sets.first(linked, scope)})")
            with fn.block(f"if {found}:"):
                fn.line(f"add_group(M, VERB_CHOOSE, TERRAIN_RULES + {terrain}, 0, nothing())")

    def _write_choice(self, number: int, block: int, linked: LinkedStep) -> None:
        """What is done once a step is decided."""
        fn = FunctionWriter(f"carry_out_{number}", "M, f, hex")
        fn.line("me = M[f + ME]")
        scope = self._blocks.scope(fn, block)
        self.choice_steps.append(number)
        if len(linked.target_nodes) > 1:
            with fn.block("if M[f + CHOSEN] == 0:"):
                fn.line("M[f + CHOSEN] = 1")
                fn.line("M[f + FIRST] = hex")
                fn.line("return")
        fn.line("first = M[f + FIRST]")
        values = self._effects.values(linked, scope)
        if linked.target_nodes and linked.norms.waives and not linked.freely:
            self._set_strayed(linked, scope)
        else:
            fn.line("M[STRAYED] = 0")
        fn.line("M[f + DONE] += 1")
        fn.line("M[f + CHOSEN] = 0")
        self._effects.carry_out(linked, values, self._blocks.rule_of(block), scope)
        self._run_triggers(scope)
        self.functions.append(fn)

    def _set_strayed(self, linked: LinkedStep, scope: Scope) -> None:
        """Whether the hex would not be legal but for the waiver of one rule."""
        fn = scope.fn
        by_rule: dict[str, list[str]] = {}
        for clause in linked.norms.waives:
            test = clause.test
            text = "True" if test is None else fn.new_local(self._text(test, scope))
            by_rule.setdefault(clause.owner.rule.id, []).append(text)
        tests = [f"int({' or '.join(texts)})" for texts in by_rule.values()]
        fn.line("M[STRAYED] = 0")
        with fn.block(f"if {' + '.join(tests)} == 1:"):
            strict = self._legal_sets.strict(linked, "first", scope)
            with fn.block(f"if not has({strict}, hex):"):
                fn.line("M[STRAYED] = 1")

    def _draw_step(self, linked: LinkedStep, scope: Scope) -> None:
        if linked.word.outcomes is not deck:
            raise NotLowered(f"the draw of the step `{linked.step.verb}`", linked.step.span)
        fn = scope.fn
        with fn.block(f"if M[f + DONE] < {self.count(linked, scope)}:"):
            self._interrupted(scope, "interrupted_draw")
            with fn.block("if cards_in(M, 0) > 0:"):
                fn.line("M[IS_DRAW] = 1")
                fn.line("M[DECIDER] = -1")
                fn.line("return 1")
        fn.line("next_statement(M)")

    # offers

    def _offer_step(self, scope: Scope) -> None:
        fn = scope.fn
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        required = fn.new_local("False")
        with fn.block("if M[SAVED] < MAX_TRIALS:"):
            fn.line(f"{required} = {self._offers.offered(scope)}")
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        with fn.block(f"if not {required}:"):
            fn.line("add_group(M, VERB_END, RULE_TURN, 0, nothing())")
        self._return_decision(scope)
        fn.line("return 1")

    def _reuse_step(self, number: int, block: int, linked: LinkedStep, scope: Scope) -> None:
        fn = scope.fn
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        (name,) = linked.argument_names
        places = fn.new_local(self._expressions.fold_and_lower(linked.argument_exprs[name], scope))
        with fn.block(f"if not {scope.value(REPEATED)}:"):
            fn.line(self._offers.reusable(places, self._blocks.rule_of(block), scope))
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        fn.line(f"stop(M, f, {self._rule(block)})")
        self._return_decision(scope)
        fn.line("return 1")

    def _branch(self, number: int, rule: str, scope: Scope) -> None:
        fn = scope.fn
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        fn.line(f"branches_{number}(M, f)")
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line("skip(M, f)")
            fn.line("return 0")
        fn.line(f"stop(M, f, {self._strings.rule(rule)})")
        self._return_decision(scope)
        fn.line("return 1")

    def _reaction(self, number: int, block: int, node: ReactionQuestion, scope: Scope) -> None:
        fn = scope.fn
        owner = self._blocks.plan.reactions[node.body.path]
        self._offers.branches(number, block, (node.body,), owner.rule.id)
        may = f"has_unused(M, me, {owner.tile})" if owner.tile >= 0 else "M[f + DONE] == 0"
        guard = self._blocks.plan.reaction_guards[node.body.path]
        test = self._text(guard, scope) if guard is not None else "True"
        with fn.block(f"if not ({may} and {test}):"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        self._interrupted(scope)
        first = fn.new_local("M[GROUP_COUNT]")
        fn.line(f"branches_{number}(M, f)")
        with fn.block(f"if M[GROUP_COUNT] == {first}:"):
            fn.line("next_statement(M)")
            fn.line("return 0")
        rule = self._strings.rule(owner.rule.id)
        fn.line(f"add_group(M, VERB_STOP, {rule}, 0, nothing())")
        self._return_decision(scope)
        fn.line("return 1")

    # blocks in blocks

    def _if(self, statement: If, scope: Scope) -> None:
        fn = scope.fn
        test = fn.new_local(self._text(statement.condition, scope))
        fn.line("next_statement(M)")
        with fn.block(f"if {test}:"):
            fn.line(self._blocks.pushed(statement.body.path, scope))
        if statement.other is not None:
            with fn.block("else:"):
                fn.line(self._blocks.pushed(statement.other.path, scope))

    def _repeat(self, block: int, pc: int, statement: Repeat, scope: Scope) -> None:
        fn = scope.fn
        times = rounds(self._text(statement.times, scope), fn)
        must_begin = pc == 0 and self._blocks.paths[block] in self._blocks.plan.offers
        fn.line("next_statement(M)")
        with fn.block(f"if {times} > 0:"):
            frame = fn.new_local(self._blocks.pushed(statement.body.path, scope))
            fn.line(f"M[{frame} + LOOP] = {2 if statement.may_stop else 1}")
            fn.line(f"M[{frame} + LEFT] = {times}")
            fn.line(f"M[{frame} + ROUNDS] = 0")
            fn.line(f"M[{frame} + MAY_STOP] = {int(not must_begin)}")

    def _each(self, statement: Each, scope: Scope) -> None:
        fn = scope.fn
        domain = self._blocks.plan.folded(statement.domain)
        items = self._items(domain, scope)
        number = self._blocks.numbers[statement.body.path]
        fn.line("next_statement(M)")
        frame = fn.new_local(self._blocks.pushed(statement.body.path, scope))
        fn.line(f"M[{frame} + LOOP] = 3")
        for place, text in items.items():
            fn.line(ITEMS.get(place, "M[{} + {}] = {}").format(frame, place, text))
        fn.line(f"next_item_{number}(M, {frame})")
        self.looping.append(number)
        self._next_item(number, statement, domain)

    def _items(self, domain: Expr, scope: Scope) -> dict[str, str]:
        """What a frame stores of the items left."""
        fn = scope.fn
        match domain.sort:
            case Sort.HEXES:
                return {"ITEMS": fn.new_local(self._expressions.lower(domain, scope))}
            case Sort.GROUPS if getattr(domain, "fixed", False):
                groups = fn.new_local(self._expressions.lower(domain, scope))
                return {"LEFT": f"{groups}[0]", "ROUNDS": f"{groups}[1]"}
            case Sort.GROUPS:
                self.lists = "groups"
                groups = fn.new_local(self._expressions.lower(domain, scope))
                return {"LEFT": "0", "ROUNDS": f"{groups}[1]", "LIST": groups}
            case Sort.PLAYERS:
                first = fn.local(self._expressions.lower(domain, scope))
                return {"LEFT": first, "ROUNDS": f"M[PLAYERS] - {first}"}
            case _:
                self.lists = self.lists or "numbers"
                at = fn.new_local(self._expressions.lower(domain, scope))
                return {"LEFT": "0", "ROUNDS": f"M[{at}]", "NUMBERS": at}

    def _next_item(self, number: int, statement: Each, domain: Expr) -> None:
        """Bind the next item for which the guard holds, or leave the loop."""
        fn = FunctionWriter(f"next_item_{number}", "M, f")
        fn.line("me = M[f + ME]")
        scope = self._blocks.scope(fn, number)
        is_set = domain.sort is Sort.HEXES
        more = "some(load(M, f + ITEMS))" if is_set else "M[f + ROUNDS] > 0"
        with fn.block(f"while {more}:"):
            item = self._item(domain, fn)
            inner = scope.bound(**{statement.variable: item})
            guard = "True" if statement.guard is None else self._text(statement.guard, inner)
            with fn.block(f"if {guard}:"):
                self._bind(number, statement.variable, item, fn)
                for field in ("PC", "DONE", "CHOSEN"):
                    fn.line(f"M[f + {field}] = 0")
                fn.line("return")
        fn.line("pop(M)")
        self.functions.append(fn)

    def _item(self, domain: Expr, fn: FunctionWriter) -> str:
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

    def _bind(self, block: int, variable: str, item: str, fn: FunctionWriter) -> None:
        for name in self._blocks.names[block]:
            if name[0] == variable:
                at = f"f + {self._blocks.frame_field(name)}"
                is_set = name[1] is Sort.HEXES
                fn.line(f"store(M, {at}, {item})" if is_set else f"M[{at}] = {item}")
