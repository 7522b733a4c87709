"""The part of Python in which kernels are written; `docs/architecture.md` has it in words.

Passes may count on it, and both back ends understand no more than this.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from kbrules.kernel.runtime import intrinsics

BUILT_IN = frozenset({"int", "max", "min", "range"})
WORDS = BUILT_IN | {name for name in intrinsics.__all__ if not name[0].isupper()}
STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Break, ast.Continue, ast.Pass,
    ast.Return, ast.Expr,
)  # fmt: skip
VALUES = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Name, ast.Subscript, ast.Tuple,
    ast.Constant, ast.Call,
)  # fmt: skip
OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor,
    ast.LShift, ast.RShift, ast.Invert, ast.Not, ast.USub, ast.And, ast.Or, ast.Eq, ast.NotEq,
    ast.Lt, ast.LtE, ast.Gt, ast.GtE,
)  # fmt: skip
PARTS = (ast.Load, ast.Store, ast.arg, ast.arguments)
CONSTANTS = (int, bool)


def faults(code: ast.FunctionDef, arities: Mapping[str, int]) -> Iterator[str]:
    """What of a function is not in the grammar. arities: how many values each function takes."""
    body = code.body[1:] if ast.get_docstring(code) is not None else code.body
    for statement in body:
        for node in ast.walk(statement):
            if not isinstance(node, STATEMENTS + VALUES + OPERATORS + PARTS):
                yield f"{code.name}: {type(node).__name__}"
            elif isinstance(node, ast.Constant) and type(node.value) not in CONSTANTS:
                yield f"{code.name}: {node.value!r}"
            elif isinstance(node, ast.Call):
                yield from _of_call(code.name, node, arities)
            elif isinstance(node, ast.For) and not _is_counted(node):
                yield f"{code.name}: a `for` over {ast.unparse(node.iter)}"


def _of_call(name: str, call: ast.Call, arities: Mapping[str, int]) -> Iterator[str]:
    called = call.func.id if isinstance(call.func, ast.Name) else ""
    known: Collection[str] = arities if called in arities else WORDS
    if called not in known or call.keywords:
        yield f"{name}: a call of {ast.unparse(call)}"
    elif called in arities and arities[called] != len(call.args):
        yield f"{name}: {called} takes {arities[called]} values"


def _is_counted(loop: ast.For) -> bool:
    """Whether it runs over a `range`, or over numbers written out."""
    over = loop.iter
    if isinstance(over, ast.Tuple):
        return all(isinstance(part, ast.Constant | ast.Name | ast.UnaryOp) for part in over.elts)
    return isinstance(over, ast.Call) and ast.unparse(over.func) == "range"
