"""Inlining: a call of a function that is one expression, or one statement, becomes that."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.kernel.passes.constant_folding import fold_constants
from kbrules.kernel.passes.rewriting import Rewriter
from kbrules.kernel.passes.source_unit import SourceUnit

LARGEST = 40
"""So many nodes may stand in the place of a call."""


def inline_calls(code: ast.FunctionDef, unit: SourceUnit) -> ast.FunctionDef:
    """The function with the small ones that it calls written out."""
    return _Inlining(unit, (code.name,)).within(code)


class _Inlining(Rewriter):
    """under: the functions that are being written out; none of them is once more."""

    def __init__(self, unit: SourceUnit, under: tuple[str, ...]) -> None:
        self._unit, self._under = unit, under

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node = self.within(node)
        body = self._body(node)
        return node if body is None else body

    def visit_Expr(self, node: ast.Expr) -> Any:
        node = self.within(node)
        if isinstance(node.value, ast.Call):
            statement = self._statement(node.value)
            if statement is not None:
                return statement
        return node

    def _body(self, call: ast.Call) -> Any:
        """What a call returns, written out."""
        small = self._of(call)
        return None if small is None or not small.is_value else self._substitute(small, call)

    def _statement(self, call: ast.Call) -> Any:
        """What a call does, written out."""
        small = self._of(call)
        return None if small is None or small.is_value else self._substitute(small, call)

    def _of(self, call: ast.Call) -> InlineBody | None:
        """What is small of a function that is called."""
        if not isinstance(call.func, ast.Name):
            return None
        name = call.func.id
        if name not in self._unit or name in self._under:
            return None
        return _small(self._unit, name, self._under)

    def _substitute(self, small: InlineBody, call: ast.Call) -> Any:
        arguments = dict(zip(small.names, call.args, strict=True))
        for name, value in arguments.items():
            if small.uses[name] > 1 and not isinstance(value, ast.Name | ast.Constant):
                return None
        return _Substitution(arguments).visit(small.code)


@dataclass(frozen=True, slots=True)
class InlineBody:
    """A function that is one expression, or one statement without names of its own."""

    code: ast.expr | ast.stmt
    names: tuple[str, ...]
    uses: Mapping[str, int]

    @property
    def is_value(self) -> bool:
        """Whether it is an expression."""
        return isinstance(self.code, ast.expr)


def _small(unit: SourceUnit, name: str, under: tuple[str, ...]) -> InlineBody | None:
    """What is small of a function, with what that calls written out; None if it is not small."""
    if name not in unit.analyses:
        unit.analyses[name] = None  # a function that calls itself is not written out
        code = unit.after(fold_constants, name)
        body = _single_part(code)
        if body is not None:
            body = _Inlining(unit, (*under, name)).visit(body)
        unit.analyses[name] = None if body is None else _counted(code, body)
    found: InlineBody | None = unit.analyses[name]
    return found


def _counted(code: ast.FunctionDef, body: ast.expr | ast.stmt) -> InlineBody:
    names = tuple(each.arg for each in code.args.args)
    uses = Counter(node.id for node in ast.walk(body) if isinstance(node, ast.Name))
    return InlineBody(body, names, uses)


def _single_part(code: ast.FunctionDef) -> ast.expr | ast.stmt | None:
    """The one expression or statement of a function, if it is one and small."""
    body = [s for s in code.body if not _is_docstring(s)]
    if len(body) != 1 or sum(1 for _ in ast.walk(body[0])) > LARGEST:
        return None
    match body[0]:
        case ast.Return(value=ast.expr() as value):
            return value
        case ast.Assign() | ast.AugAssign() | ast.Expr() as statement:
            return statement if _assigns_to_memory(statement) else None
    return None


class _Substitution(Rewriter):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _assigns_to_memory(statement: ast.stmt) -> bool:
    """Whether a statement binds no name of its own."""
    return not any(
        isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) for n in ast.walk(statement)
    )
