"""The Python back end of the kernel: functions run by CPython, one int for each set of hexes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, MutableSequence
from functools import lru_cache, partial
from itertools import count
from types import CodeType, FunctionType
from typing import Any

from kbrules.kernel import passes
from kbrules.kernel.runtime import intrinsics
from kbrules.kernel.runtime.names import DEPTH, FRAME, FRAMES, STATE

# The one place where generated source becomes code.

NAME = "answer"
"""What the one function of a generated source is called."""
_NUMBERS = count(1)


class Module:
    """Generated functions that know of one another; it grows as they are added.

    known: the values of the names they use. They find no builtins but those among them.
    """

    def __init__(self, known: dict[str, Any]) -> None:
        self._name = f"generated {next(_NUMBERS)}.py"
        self._lines: list[str] = []
        self._names = known
        known.update({"__builtins__": {}, "__name__": NAME, "__loader__": self})

    @property
    def text(self) -> str:
        """All that was added so far."""
        return "\n".join(self._lines) + "\n"

    def get_source(self, name: str) -> str:
        """The text, for whoever prints a traceback."""
        return self.text

    def run(self, text: str) -> Any:
        """Run a text in the module; the value of its name `answer`."""
        # The module is its own loader: so tracebacks find the text, and nothing is cached for it.
        self._lines += text.splitlines()
        exec(compile(text, self._name, "exec"), self._names)
        return self._names[NAME]

    def add(self, name: str, text: str) -> Callable[..., Any]:
        """Add the function of a name; it stands in the module where its lines say."""
        first = len(self._lines) + 1
        self._lines += [*text.splitlines(), ""]
        code = _code_of(text).replace(co_filename=self._name, co_firstlineno=first)
        function: Callable[..., Any] = FunctionType(code, self._names, name)
        self._names[name] = function
        return function


@lru_cache(maxsize=2048)
def _code_of(text: str) -> CodeType:
    """The code of a function; kernels have many in common.

    The text is a key that says everything: names are looked up when the code is run.
    """
    parts = compile(text, NAME, "exec").co_consts
    return next(part for part in parts if isinstance(part, CodeType))


# The words of a kernel that CPython says otherwise: a set of hexes is one cell of a list. The texts
# of `FAST` go into every kernel behind the others, and of two functions of a name the last counts.


Cells = MutableSequence[int]


def copy_between(target: Cells, to: int, origin: Cells, at: int, size: int) -> int:
    """Copy so many numbers from one memory to another; how many were copied."""
    target[to : to + size] = origin[at : at + size]
    return size


def pack_state(M: Cells, out: Cells, to: int) -> int:
    """Copy the state, its running frames last, in one piece; where the copy ends."""
    return to + copy_between(out, to, M, STATE, FRAMES + M[DEPTH] * FRAME - STATE)


def unpack_state(M: Cells, given: Cells, at: int) -> int:
    """Take a state from a copy of it; where the copy ends."""
    size = FRAMES + given[at + DEPTH - STATE] * FRAME - STATE
    return at + copy_between(M, STATE, given, at, size)


FAST = (copy_between, pack_state, unpack_state)
"""What takes the place of functions of the same names."""


# The functions of a kernel for CPython, each made when it is first called.


PASSES: tuple[passes.Pass, ...] = (passes.inline_calls, passes.fold_constants)
"""What is done to a function whose numbers are written out."""
SMALL: tuple[Any, ...] = (
    intrinsics.load, intrinsics.store, intrinsics.bit_at,
    intrinsics.nothing, intrinsics.single, intrinsics.shl, intrinsics.shr, intrinsics.some,
    intrinsics.count, intrinsics.has, intrinsics.lowest, intrinsics.top,
)  # fmt: skip
"""The intrinsics whose text in `intrinsics` serves as it is."""
INTRINSICS = "\n\n".join(map(inspect.getsource, (*SMALL, *FAST)))
BUILT_IN = {"int": int, "max": max, "min": min, "range": range}
FROM_INTRINSICS = ("mixed", "times_high", "is_below", "remainder", "digest", "nth")
DISPATCH = "def {0}({1}):\n    return {0}_cases[{2}]({3})\n"


class PythonKernel:
    """The functions of a kernel's text by name."""

    def __init__(self, text: str) -> None:
        self._unit = passes.SourceUnit(text + "\n" + INTRINSICS)
        self._known: dict[str, Any] = dict(BUILT_IN)
        self._known.update({name: getattr(intrinsics, name) for name in FROM_INTRINSICS})
        self._module = Module(self._known)
        for name in self._unit.names:
            self._known[name] = partial(self._compile_on_call, name)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """A function of the text, compiled when it is first asked for."""
        found: Callable[..., Any] = self._known[name]
        return self._compile(name) if isinstance(found, partial) else found

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
            self[name]

    def _compile_on_call(self, name: str, *given: Any) -> Any:
        """Make a function when it is first called; it takes the place of this in the others."""
        return self[name](*given)

    def _compile(self, name: str) -> Callable[..., Any]:
        code = self._unit.after(passes.fold_constants, name)
        by_number = passes.dispatch_table(code)
        if by_number is not None:
            found = self._dispatching(code, *by_number)
        else:
            for change in PASSES:
                code = change(code, self._unit)
            found = self._module.add(name, _written(code))
        self._known[name] = found
        return found

    def _dispatching(
        self, code: ast.FunctionDef, by: str, calls: passes.DispatchTable
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
        cases[number] = self[name]
        return cases[number](*given)


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
