"""A program in which players are asked: what comes to a decision is a generator, and gone into."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from kbrules.compile.running import Source, heard
from kbrules.engine.bound import ASKED, ASKING, Bound, whole_of
from kbrules.engine.setup import new_game
from kbrules.library.boxes import usual_boxes
from kbrules.library.load import load

BASE, ALL = ("base",), usual_boxes()


@pytest.fixture(scope="module", params=[BASE, ALL], ids=["base", "all boxes"])
def functions(request: pytest.FixtureRequest) -> dict[str, ast.FunctionDef]:
    """All functions of the program, by name; those of tiles stand in parts of their own."""
    game, found = new_game(load(*request.param), 2, 1), list[Source]()
    with heard(found.append):
        Bound(whole_of(game, ASKING), game, ASKED).all_made()
    trees = [ast.parse(source.text) for source in found if source.title == "whole games"]
    assert len(trees) > 4
    within = (node for tree in trees for part in tree.body for node in ast.walk(part))
    defined = [n for n in within if isinstance(n, ast.FunctionDef) and n.name != "answer"]
    assert len({each.name for each in defined}) == len(defined)
    return {each.name: each for each in defined}


def test_generators_are_gone_into_and_others_are_not(
    functions: dict[str, ast.FunctionDef],
) -> None:
    asking = {name for name, each in functions.items() if _asks(each)}
    assert 4 < len(asking) < len(functions)
    for name, each in functions.items():
        into = {id(node.value) for node in ast.walk(each) if isinstance(node, ast.YieldFrom)}
        calls = [(n.func.id, id(n) in into) for n in ast.walk(each)
                 if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]  # fmt: skip
        wrong = [who for who, is_gone_into in calls
                 if who in functions and is_gone_into is not (who in asking)]  # fmt: skip
        assert wrong == [], name


def test_what_is_begun_from_a_list_is_always_one(functions: dict[str, ast.FunctionDef]) -> None:
    begun = {name for each in functions.values() for name in _named(each)} & {*functions}
    assert begun
    assert [name for name in sorted(begun) if not _asks(functions[name])] == []


def _asks(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _named(function: ast.FunctionDef) -> Iterator[str]:
    """The names in tuples: of what may be begun, or follows when an event is over."""
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple):
            yield from (each.id for each in node.elts if isinstance(each, ast.Name))
