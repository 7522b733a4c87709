"""Constant folding: names in capitals become numbers, and what is known is worked out."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from kbrules.kernel.passes.rewriting import Rewriter
from kbrules.kernel.passes.source_unit import SourceUnit

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.LShift: operator.lshift, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def fold_constants(code: ast.FunctionDef, unit: SourceUnit) -> ast.FunctionDef:
    """The function with every number written out, sums put together, dead branches left out."""
    return _Folding(unit.numbers).within(code)


class _Folding(Rewriter):
    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._numbers:
            return ast.Constant(self._numbers[node.id])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left: ast.expr = self.visit(node.left)
        right: ast.expr = self.visit(node.right)
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            work = BINARY.get(type(node.op))
            if work is not None:
                return ast.Constant(work(left.value, right.value))
        if isinstance(node.op, ast.Add | ast.Sub) and isinstance(right, ast.Constant):
            number: Any = right.value
            return _summed(left, number if isinstance(node.op, ast.Add) else -number)
        if isinstance(node.op, ast.Add) and isinstance(left, ast.Constant):
            return _summed(right, left.value)
        if isinstance(node.op, ast.Mult):
            for one, other in ((left, right), (right, left)):
                if isinstance(other, ast.Constant) and other.value == 1:
                    return one
        return ast.BinOp(left, node.op, right)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node = self.within(node)
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return ast.Constant(COMPARED[type(node.ops[0])](left.value, right.value))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node = self.within(node)
        decides = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                if bool(value.value) is decides:
                    values.append(ast.Constant(decides))
                    break
                continue
            values.append(value)
        if not values:
            return ast.Constant(not decides)
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node = self.within(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node = self.within(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.listed(node.body if test.value else node.orelse)
        return self.within(node)


def _summed(value: ast.expr, number: Any) -> ast.expr:
    """A value and a number; a number that the value ends with is put together with it."""
    match value:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(known))):
            return _summed(left, known + number)
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Constant(value=int(known))):
            return _summed(left, number - known)
    if number == 0:
        return value
    return ast.BinOp(value, ast.Add(), ast.Constant(number))
