"""Dispatch: a function that calls one of many by a number takes it from a table."""

from __future__ import annotations

import ast
from collections.abc import Iterator

DispatchTable = dict[int, str]
LEAST = 4


def dispatch_table(code: ast.FunctionDef) -> tuple[str, DispatchTable] | None:
    """The parameter by which a function only calls others, and those by its number.

    A number for which no other is named does nothing, or answers 0. None of other functions.
    """
    cases = list(_cases(code))
    parameters = [each.arg for each in code.args.args]
    if len(cases) < LEAST or len(cases) + 1 < len(code.body):
        return None
    by = cases[0][0]
    others = [each for each in parameters if each != by]
    if by not in parameters or any((c[0], c[3]) != (by, others) for c in cases):
        return None
    return by, {number: called for _, number, called, _ in cases}


def _cases(code: ast.FunctionDef) -> Iterator[tuple[str, int, str, list[str]]]:
    """The parameter, its number, what is then called and with which names."""
    for statement in code.body:
        match statement:
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=name), ops=[ast.Eq()],
                    comparators=[ast.Constant(value=int(number))],
                ),
                body=[ast.Return(value=ast.Call(func=ast.Name(id=called), args=given))]
                | [ast.Expr(value=ast.Call(func=ast.Name(id=called), args=given)), ast.Return()],
            ):  # fmt: skip
                yield name, number, called, [getattr(each, "id", "") for each in given]
