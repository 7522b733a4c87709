"""Names, titles and wordings that would like to be code never reach what is generated."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.compile.running import Source, heard
from kbrules.engine.kernels import PYTHON, kernel_of
from kbrules.engine.match import play_out
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.tools.bots import chance
from tests.equal.everything import nodes
from tests.equal.hostile import LIKE_CODE, NAMES, dale, renamed, reworded, rewritten
from tests.source_tree import modules

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


ROOMS = ("game", "primitives", "compile", "engine")
"""Where the words that generated code uses come from."""
DISGUISES: dict[str, Callable[[str], str]] = {
    "words of Python": renamed(dict(zip(NAMES, LIKE_CODE, strict=True))),
    "long names": renamed({name: longer(name) for name in NAMES}),
    "texts": reworded,
}


def generated_for(folder: Path) -> list[Source]:
    """All that becomes code when a game with a box is played, and for each of its expressions."""
    ruleset = load("base", folders=[folder])
    found: list[Source] = []
    with heard(found.append):
        for seed in range(3):
            game = game_at(ruleset, choose_table(ruleset, 3, seed))
            game.totals(play_out(game, seed, [chance] * 3))
            kernel_of(game, PYTHON).program.make_all()  # type: ignore[union-attr]
        for node in nodes(game):
            node.generate()
    return found


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dale(tmp_path_factory.mktemp("boxes") / "dale")


@pytest.fixture(scope="module")
def sources(box: Path) -> list[Source]:
    return generated_for(box)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_box_becomes_the_same_code_whatever_things_are_called(
    box: Path, sources: list[Source], disguise: str, tmp_path: Path
) -> None:
    other = rewritten(box, tmp_path / "it's \"__import__('os')\"", DISGUISES[disguise])
    found = {source.text for source in generated_for(other)}
    assert found == {source.text for source in sources}


def test_generated_code_holds_no_text_but_ours(sources: list[Source]) -> None:
    said = {text for source in sources for text in _strings(ast.parse(source.text))}
    ours = {text for m in modules() if m.room in ROOMS for text in _strings(m.tree)}
    assert said
    assert said <= ours


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield str(node.value)


def test_generated_code_reaches_for_nothing_it_should_not(sources: list[Source]) -> None:
    for source in sources:
        for node in ast.walk(ast.parse(source.text)):
            assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Lambda)
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                assert ast.unparse(node) == "d.__class__"  # a draft that becomes a state
        values = [value for value in source.known.values() if callable(value)]
        assert not any(value is danger for value in values for danger in DANGEROUS)


def test_generated_code_knows_names_of_ours_only(sources: list[Source]) -> None:
    for source in sources:
        assert not {name for name in source.known if name in NAMES}
        of_module = {"__builtins__", "__name__", "__loader__"}
        assert all(re.fullmatch(r"[A-Za-z]\w*", name) for name in {*source.known} - of_module)
        assert source.known.get("__builtins__", {}) == {}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_what_is_shown_of_it_is_code_and_comments(box: Path, disguise: str, tmp_path: Path) -> None:
    folder = tmp_path / "new\nline = exec"
    rewritten(box, folder, DISGUISES[disguise])
    result = CliRunner().invoke(app, ["show", "--source", "--with", "base", "--with", str(folder)])
    assert result.exit_code == 0, result.output
    shown = ast.parse(result.stdout)
    assert all(isinstance(node, ast.FunctionDef | ast.Assign) for node in shown.body)
    assert not any(name in result.stdout for name in ("class__x", "passwd", "import os"))
