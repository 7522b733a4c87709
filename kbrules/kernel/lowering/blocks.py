"""The blocks that can run under a plan: numbered, with the names that their frames bind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.scope import Scope
from kbrules.kernel.lowering.writing import (
    REPEATED,
    REQUIRED,
    BoundNames,
    FunctionWriter,
    Name,
    Names,
    bound_in,
    inner,
)
from kbrules.lang.typed import (
    Block,
    Each,
    Either,
    Expr,
    If,
    Repeat,
    Sort,
    Statement,
    Step,
    identity,
    walk_blocks,
)
from kbrules.plan.plan import Plan
from kbrules.plan.steps import LinkedStep, needs_decision

PHASES = ("before setup", "setup", "after setup", "finish", "turn")


@dataclass(frozen=True, slots=True)
class ReactionQuestion:
    """What asks whether a reaction is begun."""

    body: Block


KernelStatement = Statement | ReactionQuestion


class Blocks:
    """All blocks, by number and by path; the steps of all of them are numbered through."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self.plan: Plan = expressions.plan
        self.paths: list[str] = []
        self.statements: list[tuple[KernelStatement, ...]] = []
        self.first_step: list[int] = []
        self._linked_steps: dict[int, LinkedStep] = {}
        for block in dict.fromkeys(self._all()):
            self._add(block.path, block.steps)
        for question, path in self.plan.questions.items():
            self._add(question, (ReactionQuestion(self.plan.ruleset.blocks[path]),))
        self.numbers = {path: number for number, path in enumerate(self.paths)}
        every = [statement for statements in self.statements for statement in statements]
        self.names_read_by_whenever = self._names_read_by_whenever()
        self._loops = {
            statement.body.path: statement for statement in every if isinstance(statement, Each)
        }
        self.available = BoundNames(self.plan)
        self.names = self._names()
        every_name = sorted({name for names in self.names for name in names})
        self._frame_fields = {name: number for number, name in enumerate(every_name)}

    def _add(self, path: str, statements: tuple[KernelStatement, ...]) -> None:
        earlier = self.first_step[-1] + len(self.statements[-1]) if self.paths else 0
        self.paths.append(path)
        self.statements.append(statements)
        self.first_step.append(earlier)

    def _all(self) -> Iterator[Block]:
        plan = self.plan
        owners = plan.owners
        roots = [p.body for o in owners for p in o.rule.phases if p.name in PHASES]
        roots += [t.body for o in owners for t in o.rule.triggers]
        roots += [s.body for o in owners for s in o.rule.whenevers]
        roots += [offer.action.body for offer in plan.offers.values()]
        for root in roots:
            yield from walk_blocks(root)

    def linked(self, step: Step) -> LinkedStep:
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

    def domain(self, body: str) -> Expr:
        """What a loop with this body runs over."""
        return self.plan.folded(self._loops[body].domain)

    def variable(self, body: str) -> str:
        """The name that a loop with this body binds."""
        return self._loops[body].variable

    def hoisted_name(self, expr: Expr) -> str:
        """The name of where something lies that a board fixes."""
        return self._expressions.hoisted[identity(expr)][0]

    # names

    def _names_read_by_whenever(self) -> list[Name]:
        """What all `whenever` rules read of the frame in which a decision is due."""
        plan, needs = self.plan, self._expressions.free_names
        tests = [plan.folded(s.condition) for s, _, _ in plan.whenever_rules]
        drawn = plan.whenever_rules_of_draws
        tests += [plan.folded(s.condition, drawing=True) for s, _, _ in drawn]
        return sorted(needs.of(tests) - {REQUIRED})

    def _names(self) -> list[list[Name]]:
        """What the frames of each block bind; blocks may ask for each other, so until no more."""
        found: list[Names] = [frozenset() for _ in self.paths]
        while True:
            now = [self._of_block(number, found) for number in range(len(self.paths))]
            if now == found:
                return [sorted(names - {REQUIRED}) for names in found]
            found = now

    def _of_block(self, number: int, found: list[Names]) -> Names:
        own = self.available.names.get(self.paths[number], frozenset())
        loop = self._loops.get(self.paths[number])
        if loop is not None and loop.guard is not None:
            # The guard of the next item is evaluated in the frame of the body.
            guard_names = self._expressions.free_names.of([self.plan.folded(loop.guard)])
            own |= frozenset(name for name in guard_names if name[0] != loop.variable)
        return own.union(*(self._of_statement(d, found) for d in self.statements[number]))

    def _of_statement(self, statement: KernelStatement, found: list[Names]) -> Names:
        needs, watched = self._expressions.free_names, frozenset(self.names_read_by_whenever)
        if isinstance(statement, ReactionQuestion):
            guard = self.plan.reaction_guards[statement.body.path]
            own = needs.of([self.plan.folded(guard)]) if guard is not None else frozenset()
            return own | found[self.numbers[statement.body.path]] | watched
        inside = frozenset().union(*(found[self.numbers[b.path]] for b in inner(statement)))
        inside = frozenset(name for name in inside if name[0] != bound_in(statement))
        match statement:
            case Step():
                return self._of_step(statement)
            case If(condition=condition):
                return inside | needs.of([self.plan.folded(condition)])
            case Repeat(times=times):
                return inside | needs.of([self.plan.folded(times)])
            case Each(domain=domain, guard=guard, variable=variable):
                own = needs.of([self.plan.folded(guard)] if guard is not None else [])
                own = frozenset(name for name in own if name[0] != variable)
                return inside | own | needs.of([self.plan.folded(domain)])
            case Either():
                return inside | watched

    def _of_step(self, step: Step) -> Names:
        linked = self.linked(step)
        own = self._expressions.free_names.of_step(linked)
        if needs_decision(linked.word):
            own |= frozenset(self.names_read_by_whenever)
        return own | {REPEATED} if linked.word.is_offers or linked.word.is_reuse else own

    # in the text

    def frame_field(self, name: Name) -> str:
        """Where in a frame a name is stored; names of authors stay out of the text."""
        return f"NAME_{self._frame_fields[name]}"

    def frame_fields(self, width: int) -> dict[str, int]:
        """The sizes of all of them."""
        return {self.frame_field(n): width if n[1] is Sort.HEXES else 1 for n in self._frame_fields}

    def bound(self, block: int) -> dict[str, str]:
        """What the names of a block's frame are in the text, the frame being `f`."""
        return {name[0]: self.read(name) for name in self.names[block]}

    def read(self, name: Name) -> str:
        """Return the text that reads a name of the frame `f`."""
        at = f"f + {self.frame_field(name)}"
        if name[1] is Sort.HEXES:
            return f"load(M, {at})"
        return f"(M[{at}] != 0)" if name[1] is Sort.TRUTH else f"M[{at}]"

    def scope(self, fn: FunctionWriter, block: int) -> Scope:
        """The scope of a step of a block, the frame being `f` and its player `me`."""
        begun = self.plan.required_by_block.get(self.paths[block])
        required = "required(M)" if begun is None else str(bool(begun))
        return Scope(fn, "me", self.bound(block), required)

    def pushed(self, path: str, scope: Scope) -> str:
        """A call that begins a block with what is bound in a scope."""
        number = self.numbers[path]
        values = [scope.value(name) for name in self.names[number]]
        return f"push_{number}({', '.join(['M', scope.me, *values])})"

    def pushers(self) -> Iterator[FunctionWriter]:
        """The functions that begin a block."""
        for number, names in enumerate(self.names):
            values = [f"n_{i}" for i in range(len(names))]
            fn = FunctionWriter(f"push_{number}", ", ".join(["M", "me", *values]))
            fn.line(f"f = new_frame(M, {number}, me)")
            for name, value in zip(names, values, strict=True):
                at = f"f + {self.frame_field(name)}"
                is_set = name[1] is Sort.HEXES
                fn.line(f"store(M, {at}, {value})" if is_set else f"M[{at}] = {value}")
            fn.line("return f")
            yield fn
