"""The clauses of rules: what of a text can be reached, and what can come of it.

They are found in the text as it was written, so that only what is written counts: not how it
is laid out, nor how the engine puts it together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.syntax import tree
from kbrules.lang.typed import ELEMENT, Call, Expr, Lit, Sort, Var
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.text import Span
from kbrules.tools.checking.coverage.checked_expressions import (
    CheckedExpressions,
    is_fixed,
)
from kbrules.tools.tracing.operands import children, operator_kind, place_of
from kbrules.tools.tracing.trace import EXCLUDED, NO, PASSED, YES

STEP, PART, SET, TRUTH = "step", "part", "set", "truth"
_STATEMENTS: dict[type, str] = {tree.Norm: "norm", tree.Award: "award"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. `key` names it by its declaration and its place there, whatever the layout.

    kind: norm, change, award, step, truth, set, part (of a set that several words make up), or
    the sort of an expression. yes, no: the bits of its two outcomes; 0 if it has but one.
    """

    key: str
    span: Span
    kind: str
    yes: int = 0
    no: int = 0

    @property
    def is_step(self) -> bool:
        """Whether it is something done."""
        return self.kind == STEP

    @property
    def goes_both_ways(self) -> bool:
        """Whether two things can come of it."""
        return bool(self.yes) and not self.is_step


def clauses_of(rulesets: Iterable[Ruleset], expressions: CheckedExpressions) -> list[Clause]:
    """The clauses of all that some rule sets say, in the order of files and of lines in them."""
    by_place: dict[object, Clause] = {}
    for ruleset in rulesets:
        for declaration in ruleset.declarations:
            place = place_of(declaration.span)
            if place not in by_place:
                by_place[place] = Clause("", declaration.span, "")
                by_place |= {
                    (place, c.key): c for c in _ClauseWalk(expressions).declaration(declaration)
                }
    clauses = (clause for clause in by_place.values() if clause.key)
    return sorted(clauses, key=lambda c: (c.span.source.name, c.span.start, -c.span.end))


def checked_expressions(rulesets: Iterable[Ruleset]) -> CheckedExpressions:
    """The meanings of all expressions of some rule sets."""
    sets = list(rulesets)
    rules = [rule for ruleset in sets for rule in ruleset.rules]
    return CheckedExpressions(rules, [each for ruleset in sets for each in ruleset.declarations])


class _ClauseWalk:
    """A walk over one declaration."""

    def __init__(self, expressions: CheckedExpressions) -> None:
        self._expressions = expressions
        self._bound: frozenset[str] = frozenset()
        self._is_define = False
        self._is_of_tile = False

    def declaration(self, node: tree.Declaration) -> Iterator[Clause]:
        """The clauses of a declaration."""
        if isinstance(node, tree.Rule):
            self._is_of_tile = node.kind.text in TILE_KINDS
            yield from self._statements(node.body, f"{node.kind.text}/{node.name.text}")
        elif isinstance(node, tree.Steps):
            self._bound = frozenset(name.text for name, _ in node.parameters)
            yield from self._statements(node.body, f"steps/{node.name.text}")
        elif isinstance(node, tree.Define):
            self._is_define = True
            self._bound = frozenset(name.text for name, _ in node.parameters)
            yield from self._expression(node.body, f"define/{node.name.text}", "")

    def _statements(self, item: object, key: str) -> Iterator[Clause]:
        if isinstance(item, tree.Expression):
            yield from self._expression(item, key, "")
            return
        if isinstance(item, tree.Norm | tree.Award):
            yield Clause(key, item.span, _STATEMENTS[type(item)], YES, NO)
        elif isinstance(item, tree.Change):
            # One without a condition, on nothing that could be lost, always applies.
            two_ways = (YES, NO) if item.guard or self._is_of_tile else (0, 0)
            yield Clause(key, item.span, "change", *two_ways)
        elif isinstance(item, tree.Step):
            yield Clause(key, item.span, STEP, YES, NO)
        for name, part in children(item):
            yield from self._statements(part, f"{key}/{name}")

    def _expression(self, node: tree.Expression, key: str, chain: str) -> Iterator[Clause]:
        """The clauses of an expression; `chain` is the chain of sets that it is a part of."""
        expr = self._expressions.at(node.span)
        if self._is_no_clause(node, expr, chain):
            return
        yield self._clause(node, key, expr, chain)
        if expr is None or not is_fixed(expr):
            yield from self._parts_of(node, key, expr)

    def _is_no_clause(self, node: object, expr: Expr | None, chain: str) -> bool:
        """Whether it is no clause: a literal, a name bound elsewhere, a word of a step."""
        if isinstance(node, tree.Number | tree.Truth | tree.Hole):
            return True
        if isinstance(node, tree.Name) and node.text in self._bound:
            return True
        if expr is None:
            return not self._is_define
        return isinstance(expr, Lit) or (isinstance(expr, Var) and not chain)

    def _clause(self, node: tree.Expression, key: str, expr: Expr | None, chain: str) -> Clause:
        if expr is None:
            return Clause(key, node.span, "word")
        if chain:
            return Clause(key, node.span, PART, PASSED, EXCLUDED)
        if expr.sort is Sort.TRUTH:
            kind, two_ways = TRUTH, not is_fixed(expr)
        elif expr.sort in ELEMENT:
            kind, two_ways = SET, not is_fixed(expr) and _may_be_empty(node, key)
        else:
            kind, two_ways = expr.sort.value, False
        return Clause(key, node.span, kind, YES, NO) if two_ways else Clause(key, node.span, kind)

    def _parts_of(self, node: tree.Expression, key: str, expr: Expr | None) -> Iterator[Clause]:
        chain = _kind(expr)
        if isinstance(node, tree.Operator) and chain in (INTERSECTION, UNION):
            yield from self._operands(node, key, chain)
            return
        for name, part in children(node):
            yield from self._nested(part, f"{key}/{name}")

    def _nested(self, item: object, key: str) -> Iterator[Clause]:
        if isinstance(item, tree.Expression):
            yield from self._expression(item, key, "")
        elif isinstance(item, tuple):
            for name, part in children(item):
                yield from self._nested(part, f"{key}/{name}")

    def _operands(self, node: tree.Operator, key: str, chain: str) -> Iterator[Clause]:
        """The parts of a chain; one that begins with another of its kind goes on from there."""
        for number, operand in enumerate(node.operands):
            expr = self._expressions.at(operand.span)
            continues = (
                (number == 0 or chain == UNION)
                and expr is not None
                and _kind(expr) == chain
                and not is_fixed(expr)
            )
            if continues and isinstance(operand, tree.Operator):
                yield from self._operands(operand, f"{key}/{number}", chain)
            else:
                yield from self._expression(operand, f"{key}/{number}", chain)


def _kind(expr: Expr | None) -> str:
    """How an expression joins its operands; empty if it does not."""
    return operator_kind(expr.word) if isinstance(expr, Call) else ""


def _may_be_empty(node: tree.Expression, key: str) -> bool:
    """Whether a set is looked at for being empty: if it is made of others, or run through."""
    return not isinstance(node, tree.Name) or key.endswith("/domain")
