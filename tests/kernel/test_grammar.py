"""The text of every kernel is in the small part of Python that is documented, passes included."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel import runtime
from kbrules.kernel.grammar import faults
from kbrules.kernel.passes import SourceUnit
from kbrules.kernel.python.kernel import PASSES
from kbrules.library.load import load

RUNTIME = Path(runtime.__path__[0])
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


@pytest.mark.parametrize("names", BOXES)
def test_every_name_that_the_runtime_imports_is_a_number_of_a_kernel(names: str) -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted(RUNTIME.glob("*.py")))
    imports = re.findall(r"import (?:\(([^)]*)\)|(.*))", source)
    imported = {name for found in imports for name in re.findall(r"\b[A-Z_]{2,}\b", "".join(found))}
    assert len(imported) > 100
    assert imported - unit_of(names).numbers.keys() == set()


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
