"""The text of every kernel is in the small part of Python that is documented, passes included."""

from __future__ import annotations

import ast
import re
from types import ModuleType

import pytest

from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel.passes import SourceUnit, faults
from kbrules.kernel.python import PASSES
from kbrules.kernel.runtime import names, pieces
from kbrules.kernel.runtime.names import FIXED
from kbrules.library.load import load

BOXES = [
    "base",
    "nomads crossroads marshlands",
    "harvest island new_edition",
    "tests/house/hex",
]


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
