"""The names that an expression, step or block needs bound, itself or by rules it calls."""

from __future__ import annotations

from collections.abc import Iterable

from kbrules.lang.typed import (
    Block,
    Call,
    Each,
    Either,
    Expr,
    Fold,
    If,
    Lit,
    Repeat,
    Sort,
    Statement,
    Step,
    Var,
    parts_of,
)
from kbrules.plan.plan import Plan
from kbrules.plan.steps import LinkedStep

Name = tuple[str, Sort]
Names = frozenset[Name]

REPEATED = ("repeated", Sort.TRUTH)
REQUIRED = ("required", Sort.TRUTH)
ORIGIN = ("origin", Sort.HEXES)
OF_VERB = ("open(verb)", "dead(verb)", "stuck(verb)")


class FreeNames:
    """Answers under one plan, each question once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._found: dict[int, tuple[object, Names]] = {}

    def of(self, exprs: Iterable[Expr | None]) -> Names:
        """The names that some expressions need; those left out need none."""
        found: Names = frozenset()
        for expr in exprs:
            if expr is not None:
                found |= self.of_expr(expr)
        return found

    def of_expr(self, expr: Expr) -> Names:
        """The names that an expression needs."""
        known = self._found.get(id(expr))
        if known is None:
            known = self._found[id(expr)] = (expr, self._find(expr))
        return known[1]

    def _find(self, expr: Expr) -> Names:
        if isinstance(expr, Var):
            return frozenset({(expr.name, expr.sort)})
        found = self.of(parts_of(expr))
        if isinstance(expr, Fold):
            inner = self.of((expr.body, expr.condition))
            inner = frozenset(name for name in inner if name[0] != expr.variable)
            return self.of_expr(expr.domain) | inner
        return found | self._of_call(expr) if isinstance(expr, Call) else found

    def _of_call(self, call: Call) -> Names:
        """What the rules need that a word asks."""
        if call.word == "repeated()":
            return frozenset({REPEATED})
        if call.word == "required()":
            return frozenset({REQUIRED})
        first = call.arguments[0] if call.arguments else None
        name = str(first.value) if isinstance(first, Lit) else ""
        plan = self._plan
        if call.word == "quantity":
            changes = [change for change, _ in plan.changes_by_quantity.get(name, ())]
            exprs = [e for c in changes for e in (c.guard, c.amount) if e is not None]
            return self.of(plan.folded(e) for e in exprs)
        if call.word in OF_VERB:
            return self.of_expr(plan.folded(plan.open_expr(name)))
        if call.word == "forbidden(verb)":
            return self.of_expr(plan.folded(plan.norms(name).forbids_all))
        return frozenset()

    def of_step(self, linked: LinkedStep) -> Names:
        """The names that a step needs; what the first hex binds is not among them."""
        names = {*linked.argument_names, *(ask.phrase for ask in linked.word.asks)}
        names |= {"count"} if linked.count_node is not None else set()
        resolved, phrases = self._plan.folded, linked.argument_exprs
        found = self.of(resolved(phrases[name]) for name in sorted(names & phrases.keys()))
        legal = self.of(map(resolved, (linked.legal_expr, linked.expr_without_waivers)))
        if linked.is_pair:
            legal -= {ORIGIN}
        waives = [clause.test for clause in linked.norms.waives if clause.test is not None]
        return found | legal | self.of(map(resolved, waives))


def bound_in(statement: Statement) -> str:
    """The name that a loop binds."""
    return statement.variable if isinstance(statement, Each) else ""


def inner(statement: Statement) -> tuple[Block, ...]:
    """The blocks directly inside a step, alternatives included."""
    match statement:
        case If(body=body, other=other):
            return (body,) if other is None else (body, other)
        case Repeat(body=body) | Each(body=body):
            return (body,)
        case Either(bodies=bodies):
            return bodies
        case Step():
            return ()
