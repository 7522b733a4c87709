"""The functions of a kernel for CPython, each made when it is first called."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kbrules.kernel.generated_python import Module
from kbrules.kernel.passes import (
    DispatchTable,
    Pass,
    SourceUnit,
    dispatch_table,
    fold_constants,
    inline_calls,
)
from kbrules.kernel.python import fast_intrinsics
from kbrules.kernel.runtime import intrinsics

PASSES: tuple[Pass, ...] = (inline_calls, fold_constants)
"""What is done to a function whose numbers are written out."""
SMALL: tuple[Any, ...] = (
    intrinsics.nothing, intrinsics.single, intrinsics.shl, intrinsics.shr,
    intrinsics.some, intrinsics.count, intrinsics.has, intrinsics.lowest, intrinsics.top,
)  # fmt: skip
"""The intrinsics whose text in `intrinsics` serves as it is."""
INTRINSICS = "\n\n".join(map(inspect.getsource, (*SMALL, *fast_intrinsics.FAST)))
BUILT_IN = {"int": int, "max": max, "min": min, "range": range}
FROM_INTRINSICS = ("mixed", "times_high", "is_below", "remainder", "digest", "nth")
DISPATCH = "def {0}({1}):\n    return {0}_cases[{2}]({3})\n"


class PythonKernel:
    """The functions of a kernel's text by name."""

    def __init__(self, text: str) -> None:
        self._unit = SourceUnit(text + "\n" + INTRINSICS)
        self._known: dict[str, Any] = dict(BUILT_IN)
        self._known.update({name: getattr(intrinsics, name) for name in FROM_INTRINSICS})
        self._known["streams"] = fast_intrinsics.streams
        self._module = Module(self._known)
        for name in self._unit.names:
            self._known[name] = partial(self._compile_on_call, name)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """A function of the text."""
        found: Callable[..., Any] = self._known[name]
        return found

    @property
    def text(self) -> str:
        """The functions made so far."""
        return self._module.text

    @property
    def namespace(self) -> Mapping[str, Any]:
        """The names that the functions find, and what they stand for."""
        return self._known

    def compile_all(self) -> None:
        """Make every function that was not called so far; for whoever wants to read them."""
        for name in self._unit.names:
            if isinstance(self._known[name], partial):
                self._compile(name)

    def _compile_on_call(self, name: str, *given: Any) -> Any:
        """Make a function when it is first called; it takes the place of this in the others."""
        found = self._known[name]
        return (self._compile(name) if isinstance(found, partial) else found)(*given)

    def _compile(self, name: str) -> Callable[..., Any]:
        code = self._unit.after(fold_constants, name)
        by_number = dispatch_table(code)
        if by_number is not None:
            found = self._dispatching(code, *by_number)
        else:
            for change in PASSES:
                code = change(code, self._unit)
            found = self._module.add(name, _written(code))
        self._known[name] = found
        return found

    def _dispatching(
        self, code: ast.FunctionDef, by: str, calls: DispatchTable
    ) -> Callable[..., Any]:
        """A function that takes the one to call from a table."""
        names = [each.arg for each in code.args.args]
        others = ", ".join(name for name in names if name != by)
        cases: list[Any] = [_nothing] * (max(calls) + 1)
        for number, name in calls.items():
            cases[number] = partial(self._compile_case_on_call, cases, number, name)
        self._known[f"{code.name}_cases"] = cases
        text = DISPATCH.format(code.name, ", ".join(names), by, others)
        return self._module.add(code.name, text)

    def _compile_case_on_call(self, cases: list[Any], number: int, name: str, *given: Any) -> Any:
        """Call a function, which takes the place of this when it was made."""
        found = self._known[name](*given)
        cases[number] = self._known[name]
        return found


def _nothing(*_given: Any) -> int:
    """What is called by a number for which no function is named."""
    return 0


def _written(code: ast.FunctionDef) -> str:
    """The text of a function, without annotations, decorators and docstring."""
    names = ast.arguments(
        posonlyargs=[], args=[ast.arg(each.arg) for each in code.args.args],
        kwonlyargs=[], kw_defaults=[], defaults=[],
    )  # fmt: skip
    body = [s for s in code.body if not isinstance(getattr(s, "value", None), ast.Constant)
            or not isinstance(s, ast.Expr)]  # fmt: skip
    return ast.unparse(ast.FunctionDef(code.name, names, body or [ast.Pass()], [], lineno=1))
