"""Passes over the text of a kernel: what they give means what they were given."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.kernel.passes import SourceUnit, dispatch_table, fold_constants, inline_calls
from kbrules.kernel.python import PythonKernel

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


DISPATCH = "def kernel(M, step, f):\n{}    return 0\n"
CASE = "    if step == {0}:\n        return step_{0}(M, f)\n"


def test_functions_by_number_are_found_in_a_table() -> None:
    cases = "".join(CASE.format(number) for number in (2, 3, 5, 8, 9))
    found = dispatch_table(SourceUnit(DISPATCH.format(cases)).parsed("kernel"))
    assert found == ("step", {number: f"step_{number}" for number in (2, 3, 5, 8, 9)})
    other = cases.replace("(M, f)", "(M, M)")
    assert dispatch_table(SourceUnit(DISPATCH.format(other)).parsed("kernel")) is None
    steps = "".join(f"def step_{n}(M, f):\n    return {n} * f\n\n\n" for n in (2, 3, 5, 8, 9))
    program = PythonKernel(steps + DISPATCH.format(cases))
    assert [program["kernel"]([], step, 7) for step in (2, 4, 9)] == [14, 0, 63]
