"""The text of kernels: in the documented part of Python, and its passes keep its meaning."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from inspect import isfunction
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel.lowering.expressions import depends_on_board_only
from kbrules.kernel.passes import SourceUnit, dispatch_table, fold_constants, inline_calls
from kbrules.kernel.python import PASSES, PythonKernel
from kbrules.kernel.runtime import intrinsics, names, pieces
from kbrules.kernel.runtime.names import FIXED
from kbrules.lang.typed import Call, Expr, Fold, Lit, Sort, Var
from kbrules.library.load import load
from kbrules.text import Span

BOXES = [
    "base",
    "nomads crossroads marshlands",
    "harvest island new_edition",
    "tests/house/hex",
]


# The part of Python in which kernels are written; `docs/architecture.md` has it in words.
# Passes may count on it, and both back ends understand no more than this.


WORDS = {"int", "max", "min", "range"} | {
    name for name, code in vars(intrinsics).items() if isfunction(code)
}
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
CONTEXTS = (ast.Load, ast.Store, ast.arg, ast.arguments)
CONSTANTS = (int, bool)


def faults(code: ast.FunctionDef, arities: Mapping[str, int]) -> Iterator[str]:
    """Yield what of a function is not in the grammar. arities: how many values each takes."""
    body = code.body[1:] if ast.get_docstring(code) is not None else code.body
    for statement in body:
        for node in ast.walk(statement):
            if not isinstance(node, STATEMENTS + VALUES + OPERATORS + CONTEXTS):
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
    """Return whether it runs over a `range`, or over numbers written out."""
    over = loop.iter
    if isinstance(over, ast.Tuple):
        return all(isinstance(part, ast.Constant | ast.Name | ast.UnaryOp) for part in over.elts)
    return isinstance(over, ast.Call) and ast.unparse(over.func) == "range"


def unit_of(names: str) -> SourceUnit:
    """The functions of the kernel of some boxes."""
    ruleset = load(folders=[names]) if "/" in names else load("base", *names.split())
    game = game_at(ruleset, choose_table(ruleset, 2, 1))
    return SourceUnit(kernel_of(game, PYTHON).lowered.text)


def arities(unit: SourceUnit) -> dict[str, int]:
    return {name: len(unit.parsed(name).args.args) for name in unit.names}


@pytest.mark.parametrize("names", BOXES)
def test_every_function_of_a_kernel_is_in_the_grammar(names: str) -> None:
    unit = unit_of(names)
    taken = arities(unit)
    assert len(taken) > 200
    assert [fault for name in taken for fault in faults(unit.parsed(name), taken)] == []


def declared(*modules: ModuleType) -> set[str]:
    """The names in capitals that modules give numbers."""
    named = (vars(module).items() for module in modules)
    return {name for items in named for name, n in items if name.isupper() and type(n) is int}


@pytest.mark.parametrize("boxes", BOXES)
def test_the_names_that_the_runtime_declares_are_those_that_a_kernel_has(boxes: str) -> None:
    assert len(declared(names)) > 200
    numbers = {name for name in unit_of(boxes).numbers if not re.search(r"_\d+$", name)}
    assert declared(names, pieces) - {"LIST"} == numbers - {"LIST"}


def test_names_that_are_fixed_have_their_numbers_in_all_kernels() -> None:
    assert FIXED.items() <= unit_of("base").numbers.items()
    assert not any(vars(names)[name] for name in declared(names) - FIXED.keys())


def test_what_passes_make_of_it_is_as_well() -> None:
    unit = unit_of("base")
    taken = arities(unit)
    for name in taken:
        code = unit.parsed(name)
        for change in PASSES:
            code = change(code, unit)
        assert [*faults(code, taken)] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("x = [1]", "f: List"),
        ("x = 1 / 2", "f: Div"),
        ("x = 'a'", "f: 'a'"),
        ("x = 0.5", "f: 0.5"),
        ("x = M.at", "f: Attribute"),
        ("x = open(M)", "f: a call of open(M)"),
        ("x = load(M, at=1)", "f: a call of load(M, at=1)"),
        ("x = f()", "f: f takes 1 values"),
        ("x = lambda: 1", "f: Lambda"),
        ("import os", "f: Import"),
        ("for i in M: pass", "f: a `for` over M"),
        ("with M: pass", "f: With"),
    ],
)
def test_what_is_not_in_it_is_told(line: str, fault: str) -> None:
    code = ast.parse(f"def f(M):\n    {line}").body[0]
    assert isinstance(code, ast.FunctionDef)
    assert fault in [*faults(code, {"f": 1})]


NUMBERS = {"ONE": 1, "LESS": -3, "FIVE": 5, "NONE": 0}
atoms = st.sampled_from([*NUMBERS, "x", "y", "M[x & 3]", "2", "7"])


def joined(parts: Any) -> Any:
    arithmetic = st.tuples(parts, st.sampled_from(["+", "-", "*", "&", "|"]), parts)
    tests = st.tuples(parts, st.sampled_from(["==", "<", ">=", "!="]), parts)
    connected = st.tuples(tests.map(_text), st.sampled_from(["and", "or"]), tests.map(_text))
    cases = st.tuples(parts, tests.map(_text), parts)
    calls = st.tuples(st.sampled_from(["twice({})", "at(M, {} & 3)", "chain({})"]), parts)
    return (
        arithmetic.map(_text)
        | connected.map(lambda parts: f"(1 if {_text(parts)} else 0)")
        | cases.map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})")
        | calls.map(lambda parts: parts[0].format(parts[1]))
    )


def _text(parts: tuple[str, ...]) -> str:
    return f"({' '.join(parts)})"


expressions = st.recursive(atoms, joined, max_leaves=12)
SMALL = """
def twice(n):
    return n + n


def at(M, n):
    return M[n]


def chain(n):
    return twice(n) - ONE


def keep(M, at, n):
    M[at] = n


def kernel(M, x, y):
    keep(M, x & 3, {})
    if NONE:
        keep(M, 0, 9)
    elif {} == ONE:
        keep(M, 1, chain(y))
    return {}
"""


def run(code: str, M: list[int], x: int, y: int) -> tuple[Any, list[int]]:
    names: dict[str, Any] = dict(NUMBERS)
    exec(compile(code, "test", "exec"), names)
    return names["kernel"](M, x, y), M


def text_of(unit: SourceUnit, *passes: Any) -> str:
    found = []
    for name in unit.names:
        code = unit.parsed(name)
        for change in passes:
            code = change(code, unit)
        found.append(ast.unparse(ast.fix_missing_locations(code)))
    return "\n\n".join(found)


@given(expressions, expressions, expressions, st.integers(-9, 9), st.integers(-9, 9))
def test_what_is_folded_and_inlined_answers_the_same(
    one: str, two: str, three: str, x: int, y: int
) -> None:
    source = SMALL.format(one, two, three)
    unit = SourceUnit("\n".join(f"{name} = {number}" for name, number in NUMBERS.items()) + source)
    wanted = run(source, [3, 1, 4, 1], x, y)
    assert run(text_of(unit, fold_constants), [3, 1, 4, 1], x, y) == wanted
    assert run(text_of(unit, inline_calls, fold_constants), [3, 1, 4, 1], x, y) == wanted


def test_what_a_pass_is_given_stays_as_it_was() -> None:
    """Kernels share the functions that are parsed."""
    unit = SourceUnit("ONE = 1\nNONE = 0\n" + SMALL.format("chain(x)", "y", "at(M, x & ONE)"))
    for name in unit.names:
        code = unit.parsed(name)
        before = ast.dump(code)
        after = inline_calls(fold_constants(code, unit), unit)
        assert ast.dump(code) == before
        assert (ast.dump(after) == before) is (name in ("twice", "at", "keep"))
        assert SourceUnit(ast.unparse(code)).parsed(name) is SourceUnit(ast.unparse(code)).parsed(
            name
        )


def written(source: str, *passes: Any) -> str:
    unit = SourceUnit(source)
    code = unit.parsed("kernel")
    for change in passes:
        code = change(code, unit)
    return ast.unparse(ast.fix_missing_locations(code).body[-1])


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("A = 3\nB = 4\ndef kernel(M, x):\n    return M[A + x + B]\n", "return M[x + 7]"),
        ("W = 1\ndef kernel(M, x):\n    return M[x * W]\n", "return M[x]"),
        ("ON = 0\ndef kernel(M):\n    if ON:\n        M[0] = 1\n    return 2\n", "return 2"),
    ],
)
def test_numbers_are_put_together(source: str, wanted: str) -> None:
    assert written(source, fold_constants) == wanted


def test_a_function_that_calls_itself_is_not_written_out() -> None:
    source = "def more(n):\n    return more(n - 1)\n\n\ndef kernel(n):\n    return more(n)\n"
    assert written(source, inline_calls) == "return more(n + -1)"


def test_an_argument_is_worked_out_once() -> None:
    source = "def twice(n):\n    return n + n\n\n\ndef kernel(M):\n    return twice(draw(M))\n"
    assert written(source, inline_calls) == "return twice(draw(M))"


DISPATCH = "@dispatching\ndef kernel(M, step, f):\n{}    return 0\n"
CASE = "    if step == {0}:\n        return step_{0}(M, f)\n"


def test_functions_by_number_are_found_in_a_table() -> None:
    cases = "".join(CASE.format(number) for number in (2, 3, 5, 8, 9))
    found = dispatch_table(SourceUnit(DISPATCH.format(cases)).parsed("kernel"))
    assert found == ("step", {number: f"step_{number}" for number in (2, 3, 5, 8, 9)})
    unmarked = DISPATCH.format(cases).partition("\n")[2]
    assert dispatch_table(SourceUnit(unmarked).parsed("kernel")) is None
    steps = "".join(f"def step_{n}(M, f):\n    return {n} * f\n\n\n" for n in (2, 3, 5, 8, 9))
    program = PythonKernel(steps + DISPATCH.format(cases))
    assert [program["kernel"]([], step, 7) for step in (2, 4, 9)] == [14, 0, 63]


NOWHERE = Span.none("a test")
BOARD = Call(Sort.HEXES, NOWHERE, "board()", (), fixed=True)
MINE = Call(Sort.HEXES, NOWHERE, "mine()", ())
PART = Var(Sort.HEXES, NOWHERE, "part")


def call(word: str, *arguments: Expr) -> Call:
    return Call(Sort.HEXES, NOWHERE, word, arguments)


def union(body: Expr, domain: Any = BOARD) -> Fold:
    return Fold(Sort.HEXES, NOWHERE, "union(hexes)", "part", domain, None, body)


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (BOARD, True),
        (MINE, False),
        (PART, False),
        (call("adjacent(hexes)", BOARD), True),
        (call("adjacent(hexes)", MINE), False),
        (call("-(hexes,hexes)", BOARD, call("adjacent(hexes)", BOARD)), True),
        (call("open(verb)", Lit(Sort.VERB, NOWHERE, "build")), False),
        (union(call("adjacent(hexes)", PART)), True),
        (union(call("&(hexes,hexes)", PART, MINE)), False),
        (union(PART, MINE), False),
        (Lit(Sort.HEXES, NOWHERE, 0), False),
    ],
)
def test_what_a_board_decides_alone(expr: Expr, wanted: bool) -> None:
    assert depends_on_board_only(expr) is wanted
