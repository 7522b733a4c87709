"""Names, titles and wordings that would like to be code never reach what is generated."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel.python import PythonKernel
from kbrules.library.load import load
from tests.equal.hostile import LIKE_CODE, NAMES, dale, renamed, reworded, rewritten

LONG = "_" * 5 + "class__" + "x" * 10_000
IN_A_KEY = 40
OF_RULES = ("beside", "counted", "gathering", "lake", "many_shores", "shore", "shores", "spot")
"""Names that stand in rule files only, where no length is too much."""
DANGEROUS = frozenset(
    getattr(builtins, name)
    for name in (
        "__build_class__", "__import__", "breakpoint", "compile", "delattr", "eval", "exec",
        "getattr", "globals", "input", "locals", "open", "print", "setattr", "vars",
    )
)  # fmt: skip


def longer(name: str) -> str:
    return name + LONG if name in OF_RULES else (name + LONG)[: IN_A_KEY - 1]


DISGUISES: dict[str, Callable[[str], str]] = {
    "words of Python": renamed(dict(zip(NAMES, LIKE_CODE, strict=True))),
    "long names": renamed({name: longer(name) for name in NAMES}),
    "texts": reworded,
}


def generated_for(folder: Path) -> list[PythonKernel]:
    """All that becomes code when a game with a box is played: each function of its kernels."""
    ruleset = load("base", folders=[folder])
    found = []
    for seed in range(3):
        program = kernel_of(game_at(ruleset, choose_table(ruleset, 3, seed)), PYTHON).program
        assert program is not None
        program.compile_all()
        found.append(program)
    return found


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dale(tmp_path_factory.mktemp("boxes") / "dale")


@pytest.fixture(scope="module")
def sources(box: Path) -> list[PythonKernel]:
    return generated_for(box)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_box_becomes_the_same_code_whatever_things_are_called(
    box: Path, sources: list[PythonKernel], disguise: str, tmp_path: Path
) -> None:
    other = rewritten(box, tmp_path / "it's \"__import__('os')\"", DISGUISES[disguise])
    found = {source.text for source in generated_for(other)}
    assert found == {source.text for source in sources}


def test_generated_code_holds_no_text_but_ours(sources: list[PythonKernel]) -> None:
    texts = [node for source in sources for node in ast.walk(ast.parse(source.text))]
    assert texts
    said = [node.value for node in texts if isinstance(node, ast.Constant)]
    assert all(isinstance(value, int) for value in said)


def test_generated_code_reaches_for_nothing_it_should_not(sources: list[PythonKernel]) -> None:
    for source in sources:
        for node in ast.walk(ast.parse(source.text)):
            assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Lambda)
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                raise AssertionError(ast.unparse(node))
        values = [value for value in source.namespace.values() if callable(value)]
        assert not any(value is danger for value in values for danger in DANGEROUS)


def test_generated_code_knows_names_of_ours_only(sources: list[PythonKernel]) -> None:
    for source in sources:
        assert not {name for name in source.namespace if name in NAMES}
        of_module = {"__builtins__", "__name__", "__loader__"}
        assert all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in {*source.namespace} - of_module)
        assert source.namespace.get("__builtins__", {}) == {}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_what_is_shown_of_it_is_code_and_comments(box: Path, disguise: str, tmp_path: Path) -> None:
    folder = tmp_path / "new\nline = exec"
    rewritten(box, folder, DISGUISES[disguise])
    result = CliRunner().invoke(app, ["show", "--source", "--with", "base", "--with", str(folder)])
    assert result.exit_code == 0, result.output
    shown = ast.parse(result.stdout)
    assert all(isinstance(node, ast.FunctionDef | ast.Assign) for node in shown.body)
    assert not any(name in result.stdout for name in ("class__x", "passwd", "import os"))
