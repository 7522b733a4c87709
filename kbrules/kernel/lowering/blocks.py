"""The blocks that can run under a plan, where their steps can be done, and what these do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import signature

from kbrules.game.state import SHOWN, ZONES
from kbrules.kernel.lowering import writing
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.runtime import cards, machine, pieces
from kbrules.lang import typed as core
from kbrules.plan.plan import Plan, call_word
from kbrules.plan.steps import LinkedStep, is_origin, split_target

# The blocks that can run under a plan: numbered, with the names that their frames bind.


PHASES = ("before setup", "setup", "after setup", "finish", "turn")


@dataclass(frozen=True, slots=True)
class ReactionQuestion:
    """What asks whether a reaction is begun."""

    body: core.Block


KernelStatement = core.Statement | ReactionQuestion


class Blocks:
    """All blocks, by number and by path; the steps of all of them are numbered through.

    names: those that the frames of each block bind; loop_names: those of them that `for` binds.
    """

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self.plan: Plan = expressions.plan
        self.numbers: dict[str, int] = {}
        self.paths: list[str] = []
        self.statements: list[tuple[KernelStatement, ...]] = []
        self.first_step: list[int] = []
        self.names: list[list[writing.Name]] = []
        self.loop_names: list[tuple[writing.Name, ...]] = []
        self._linked_steps: dict[int, LinkedStep] = {}
        self._loops: dict[str, core.Each] = {}
        self._add_all()
        every_name = sorted({name for names in self.names for name in names})
        self._frame_fields = {name: number for number, name in enumerate(every_name)}

    def _add_all(self) -> None:
        rules = [owner.rule for owner in self.plan.owners]
        bound: dict[str, tuple[writing.Name, ...]] = {}
        for phase in (phase for rule in rules for phase in rule.phases if phase.name in PHASES):
            self._add_within(phase.body, ())
        for trigger in (trigger for rule in rules for trigger in rule.triggers):
            of_events = (name for event in trigger.events for name in writing.bound_by(event))
            bound[trigger.body.path] = (writing.BINDING, *of_events)
            self._add_within(trigger.body, bound[trigger.body.path])
        for whenever in (whenever for rule in rules for whenever in rule.whenevers):
            self._add_within(whenever.body, ())
        for offer in self.plan.offers.values():
            self._add_within(offer.action.body, (writing.REPEATED,))
        for question, path in self.plan.questions.items():
            statement = ReactionQuestion(self.plan.ruleset.blocks[path])
            self._add(question, (statement,), bound[path], ())

    def _add_within(
        self,
        block: core.Block,
        names: tuple[writing.Name, ...],
        loops: tuple[writing.Name, ...] = (),
    ) -> None:
        """Add a block and those in it. names: those bound where it begins, but for loops."""
        self._add(block.path, block.steps, names, loops)
        for statement in block.steps:
            inner = loops
            if isinstance(statement, core.Each):
                self._loops[statement.body.path] = statement
                inner = (*loops, (statement.variable, core.ELEMENT[statement.domain.sort]))
            for body in core.inner_blocks(statement):
                self._add_within(body, names, inner)

    def _add(
        self,
        path: str,
        statements: tuple[KernelStatement, ...],
        names: tuple[writing.Name, ...],
        loops: tuple[writing.Name, ...],
    ) -> None:
        earlier = self.first_step[-1] + len(self.statements[-1]) if self.paths else 0
        self.numbers[path] = len(self.paths)
        self.paths.append(path)
        self.statements.append(statements)
        self.first_step.append(earlier)
        self.names.append(sorted({*names, *loops}))
        self.loop_names.append(loops)

    def linked(self, step: core.Step) -> LinkedStep:
        """A step linked for the plan, once."""
        found = self._linked_steps.get(id(step))
        if found is None:
            found = self._linked_steps[id(step)] = LinkedStep(step, self.plan)
        return found

    @property
    def steps(self) -> Iterator[tuple[int, int, int, KernelStatement]]:
        """Each step: its number, its block, its place in it, and what it is."""
        for block, statements in enumerate(self.statements):
            for pc, statement in enumerate(statements):
                yield self.first_step[block] + pc, block, pc, statement

    def rule_of(self, block: int) -> str:
        """The id of the rule to which a block belongs."""
        return self.paths[block].split("/", 2)[1]

    def domain(self, body: str) -> core.Expr:
        """What a loop with this body runs over."""
        return self.plan.folded(self._loops[body].domain)

    def variable(self, body: str) -> str:
        """The name that a loop with this body binds."""
        return self._loops[body].variable

    def hoisted_name(self, expr: core.Expr) -> str:
        """The name of where something lies that a board fixes."""
        return self._expressions.hoisted[core.identity(expr)][0]

    # in the text

    def frame_field(self, name: writing.Name) -> str:
        """Where in a frame a name is stored; names of authors stay out of the text."""
        return f"NAME_{self._frame_fields[name]}"

    def frame_fields(self, width: int) -> dict[str, int]:
        """The sizes of all of them."""
        return {
            self.frame_field(n): width if n[1] is core.Sort.HEXES else 1 for n in self._frame_fields
        }

    def bound(self, block: int) -> dict[str, str]:
        """What the names of a block's frame are in the text, the frame being `f`."""
        return {name[0]: self.read(name) for name in self.names[block]}

    def read(self, name: writing.Name) -> str:
        """Return the text that reads a name of the frame `f`."""
        at = f"f + {self.frame_field(name)}"
        if name[1] is core.Sort.HEXES:
            return f"load(M, {at})"
        return f"(M[{at}] != 0)" if name[1] is core.Sort.TRUTH else f"M[{at}]"

    def scope(self, name: str, parameters: str, block: int) -> writing.KernelScope:
        """Begin a function that is given a frame `f` of a block: the scope in it."""
        fn = writing.FunctionWriter(name, parameters)
        fn.line("me = M[f + ME]")
        begun = self.plan.required_by_block.get(self.paths[block])
        required = "required(M)" if begun is None else str(bool(begun))
        return writing.KernelScope(fn, "me", self.bound(block), required)

    def pushed(self, path: str, scope: writing.KernelScope) -> str:
        """A call that begins a block with what is bound in a scope."""
        number = self.numbers[path]
        values = [scope.value(name) for name in self.names[number]]
        return f"push_{number}({', '.join(['M', scope.me, *values])})"

    def pushers(self) -> Iterator[writing.FunctionWriter]:
        """The functions that begin a block."""
        for number, names in enumerate(self.names):
            values = [f"n_{i}" for i in range(len(names))]
            fn = writing.FunctionWriter(f"push_{number}", ", ".join(["M", "me", *values]))
            fn.line(f"f = new_frame(M, {number}, me)")
            for name, value in zip(names, values, strict=True):
                fn.put(f"f + {self.frame_field(name)}", value, name[1] is core.Sort.HEXES)
            fn.line("return f")
            yield fn


# Where a step can be done, as the text of a kernel: its legal hexes, sources and targets.


class LegalSetLowering:
    """Writes the legal hexes of steps."""

    def __init__(self, expressions: ExpressionLowering, blocks: Blocks) -> None:
        self._expressions = expressions
        self._blocks = blocks
        self._plan = expressions.plan
        self._targets: dict[object, writing.FunctionWriter] = {}
        self._sources: dict[int, writing.FunctionWriter] = {}

    def first(self, linked: LinkedStep, scope: writing.KernelScope) -> str:
        """The hexes that may be chosen first for a step."""
        if len(linked.target_nodes) > 1:
            return self._if_it_can(linked, self._with_targets(linked, scope), scope)
        if not linked.verb:
            return self._if_it_can(linked, self.pieces(linked, scope), scope)
        return self._expressions.shared(self._plan.folded(linked.legal_expr), scope, "legal")

    def _if_it_can(self, linked: LinkedStep, hexes: str, scope: writing.KernelScope) -> str:
        """The hexes, or none if a step is not possible at all."""
        if linked.can is None:
            return hexes
        values = [linked.argument_exprs.get(name) for name in linked.argument_names]
        can = call_word(f"can {linked.step.name}", core.Sort.TRUTH, values)
        found = scope.fn.new_local("nothing()")
        with scope.fn.block(f"if {self._expressions.text(can, scope)}:"):
            scope.fn.line(f"{found} = {hexes}")
        return found

    def second(self, linked: LinkedStep, origin: str, scope: writing.KernelScope) -> str:
        """Those that may be chosen after a first one."""
        return self._chosen(linked, linked.legal_expr, origin, scope)

    def strict(self, linked: LinkedStep, origin: str, scope: writing.KernelScope) -> str:
        """Those that would be legal if nothing waived preferences."""
        if linked.is_pair:
            return self._chosen(linked, linked.expr_without_waivers, origin, scope)
        return self._expressions.shared(
            self._plan.folded(linked.expr_without_waivers), scope, "legal"
        )

    def pieces(self, linked: LinkedStep, scope: writing.KernelScope) -> str:
        """The hexes of its `from` phrase that hold a piece of the right kind."""
        fn = scope.fn
        text = self._expressions.text(linked.argument_exprs[linked.word.asks[0].phrase], scope)
        found = fn.new_local(f"{text} & load(M, OCCUPIED)")
        for kind in linked.immovable_kinds:
            fn.line(f"{found} = {found} & ~held_by_all(M, {kind})")
        if linked.piece is not None:
            kind_text = self._expressions.text(linked.argument_exprs["piece"], scope)
            fn.line(f"{found} = {found} & held_by_all(M, {kind_text})")
        return found

    def _chosen(
        self, linked: LinkedStep, legal: core.Expr, origin: str, scope: writing.KernelScope
    ) -> str:
        """A set as it is when a first hex was chosen, and its piece taken up if the step does."""
        expr = self._plan.folded(legal)
        key = (linked.word.lifts, core.identity(expr))
        if key not in self._targets:
            self._targets[key] = self._target_function(expr, linked.word.lifts)
        return scope.call(self._targets[key], "M", scope.me, origin)

    def _target_function(self, expr: core.Expr, lifts: bool) -> writing.FunctionWriter:
        fn = writing.FunctionWriter(f"targets_{len(self._targets)}", "M, me, hex", "Hexes")
        scope = writing.KernelScope(fn, "me", asks=True)
        owner, piece = fn.new_local(), fn.new_local()
        if lifts:
            fn.line(f"{owner}, {piece} = lift_piece(M, hex)")
        found = fn.new_local(self._expressions.lower(expr, scope.bound(origin="single(hex)")))
        if lifts:
            fn.line(f"put_back(M, {owner}, {piece}, hex)")
        fn.line(f"return {found}")
        self._expressions.functions.append(fn)
        return fn

    # sources

    def _with_targets(self, linked: LinkedStep, scope: writing.KernelScope) -> str:
        """The pieces of a step's `from` phrase that have somewhere to go."""
        if id(linked) not in self._sources:
            self._sources[id(linked)] = self._source_function(linked)
        return scope.call(self._sources[id(linked)], "M", scope.me)

    def _source_function(self, linked: LinkedStep) -> writing.FunctionWriter:
        fn = writing.FunctionWriter(f"sources_{len(self._sources)}", "M, me", "Hexes")
        scope = writing.KernelScope(fn, "me", asks=True)
        pieces = fn.new_local(self.pieces(linked, scope))
        found = fn.new_local("nothing()")
        doubtful = fn.new_local(self._sources_at_once(linked, pieces, found, scope) or pieces)
        hex = fn.new_local("0")
        with fn.block(f"while some({doubtful}):"):
            fn.line(f"{hex} = lowest({doubtful})")
            fn.line(f"{doubtful} = {doubtful} & ~single({hex})")
            with fn.block(f"if some({self.second(linked, hex, scope)}):"):
                fn.line(f"{found} = {found} | single({hex})")
        fn.line(f"return {found}")
        self._expressions.functions.append(fn)
        return fn

    def _sources_at_once(
        self, linked: LinkedStep, pieces: str, found: str, scope: writing.KernelScope
    ) -> str | None:
        """Find what can be found of all pieces at once; the pieces to be tested one by one."""
        denies = linked.norms.denies
        only = len(denies) == 1 and denies[0].test is None and is_origin(denies[0].norm.target)
        split = split_target(linked) if only else None
        if split is None:
            return None
        fn, (terms, relation) = scope.fn, split
        own = fn.new_local("load(M, FULL)")
        for term in terms:
            fn.line(f"{own} = {own} & {self._expressions.text(term, scope)}")
        barred = self._plan.folded(linked.norms.forbids_all)
        free = fn.new_local(f"{own} & ~{self._expressions.shared(barred, scope, 'forbidden')}")
        with fn.block(f"if not some({free}):"):
            fn.line(f"return {found}")
        if relation is not None:
            text = self._expressions.text(relation, scope.bound(origin=free))
            fn.line(f"{pieces} = {pieces} & {text}")
        if linked.freely:
            fn.line(f"{found} = {pieces}")
            return "nothing()"
        fn.line(f"{found} = {pieces} & ~{own}")
        return f"{pieces} & {own}"


# What steps do, as calls of the machine of a kernel.


EFFECTS = {
    name.removeprefix("do_"): [*signature(effect).parameters][1:]
    for module in (pieces, cards, machine)
    for name, effect in vars(module).items()
    if name.startswith("do_")
}
"""What the functions `do_STEP` of the runtime take after the memory, by the name of the step.

`me` is the player, `hex` or `card` what was decided, `origin` what was decided before it, `rule`
the number of the rule among those that give gold; others are the arguments of the step, in order.
"""
LEFT_OUT = {core.Sort.HEXES: "~nothing()", core.Sort.TRUTH: "False"}


class EffectLowering:
    """Writes what happens when a step is carried out."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self.gaining_rules: list[str] = []

    def values(self, linked: LinkedStep, scope: writing.KernelScope) -> list[str]:
        """Names for the values that a step takes, worked out now."""
        sorts = {parameter.name: parameter.sort for parameter in linked.word.signature.parameters}
        phrases = ((name, linked.argument_exprs.get(name)) for name in linked.argument_names)
        return [self._value(phrase, sorts[name], scope) for name, phrase in phrases]

    def _value(self, phrase: core.Expr | None, sort: core.Sort, scope: writing.KernelScope) -> str:
        if phrase is None:
            return scope.me if sort is core.Sort.PLAYER else LEFT_OUT.get(sort, "0")
        if isinstance(phrase, core.Lit) and sort is core.Sort.ZONE:
            return str((*ZONES, SHOWN).index(str(phrase.value)))
        if isinstance(phrase, core.Lit) and sort is core.Sort.MEMORY:
            return self._expressions.place_of(str(phrase.value), scope.me)
        text = self._expressions.text(phrase, scope)
        return text if text.isdigit() or text in ("True", "False") else scope.fn.new_local(text)

    def carry_out(
        self, linked: LinkedStep, values: list[str], rule: str, scope: writing.KernelScope
    ) -> None:
        """What a step does; `hex` is what was decided, if anything, `first` what was before."""
        name, line = linked.step.name, scope.fn.line
        if name == "clear" and self._holds_hexes(linked):
            line(f"remember_hexes(M, {values[0]}, nothing())")
        elif name == "remove_cards" and linked.argument_names[0] in linked.argument_exprs:
            line(f"do_strike(M, {scope.me}, {values[0]})")
        else:
            self._call(linked, values, rule, scope)

    def _call(
        self, linked: LinkedStep, values: list[str], rule: str, scope: writing.KernelScope
    ) -> None:
        """A call of what a step does."""
        name = linked.step.name.rstrip("_")
        if name not in EFFECTS:
            raise writing.NotLowered(f"the step `{linked.step.verb}`", linked.step.span)
        known = {"me": scope.me, "hex": "hex", "card": "hex", "origin": "first"}
        left = iter(values)
        arguments = [
            str(self._gaining(rule)) if taken == "rule" else known.get(taken) or next(left)
            for taken in EFFECTS[name]
        ]
        scope.fn.line(f"do_{name}({', '.join(['M', *arguments])})")

    def _gaining(self, rule: str) -> int:
        """The number of a rule among those that give gold in play."""
        if rule not in self.gaining_rules:
            self.gaining_rules.append(rule)
        return self.gaining_rules.index(rule)

    def _holds_hexes(self, linked: LinkedStep) -> bool:
        name = linked.argument_exprs[linked.argument_names[0]]
        return isinstance(name, core.Lit) and self._expressions.is_set(str(name.value))
