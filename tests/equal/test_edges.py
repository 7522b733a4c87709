"""Each word of the registry answers the same in every engine, at the edges of what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from kbrules.engine.game import Game
from kbrules.lang.typed.core import Expr
from kbrules.lang.typed.sorts import Sort
from kbrules.primitives.registry import FOLDS, OPERATORS, WORDS
from tests.equal.edges import (
    PLAYERS,
    TABLES,
    ByNative,
    ByPython,
    Values,
    asked,
    by_reference,
    position,
)
from tests.equal.questions import questions

FEW, MANY = 12, 150
"""So many ways to bind the names of each text."""
NATIVELY = pytest.mark.skipif(find_spec("numba") is None, reason="no extra `fast`")

Maker = Callable[[Game, Sequence[Expr]], Any]


def by_python(game: Game, exprs: Sequence[Expr]) -> ByPython:
    return ByPython(questions(game, lambda: exprs, {}), game)


def agree(table: str, kernel: Maker, most: int) -> None:
    """Ask every word of a kernel and of the reference, the names bound in so many ways."""
    (game, state), texts = position(table), asked()
    exprs = [each.expr for each in texts]
    values, answering = Values(game, state), kernel(game, exprs)
    assert answering.sees(state)
    for number, each in enumerate(texts):
        for env in values.bound(each.names, most):
            for me in range(1 if each.names else PLAYERS):
                wanted = by_reference(game, state, me, exprs[number], env)
                assert answering.answer(number, me, env) == wanted, (each.text, env, me)


def test_every_word_is_asked() -> None:
    registered = [word.signature for word in (*WORDS, *OPERATORS, *FOLDS)]
    texts = asked()
    ranges = {each.name for each in registered if each.result is Sort.RANGE}
    assert {each.word for each in texts} == {
        each.key for each in registered if each.name not in ranges
    }
    assert all(any(name in each.text for each in texts) for name in ranges)


@pytest.mark.parametrize("table", TABLES)
def test_words_answer_at_their_edges_what_the_reference_answers(table: str) -> None:
    agree(table, by_python, FEW)


@pytest.mark.parametrize("table", TABLES)
def test_words_answer_so_in_many_ways(table: str) -> None:
    agree(table, by_python, MANY)


@NATIVELY
def test_words_answer_so_in_machine_code() -> None:
    agree("holes and grids", ByNative, MANY)


@pytest.mark.slow
@NATIVELY
@pytest.mark.parametrize("table", [name for name in TABLES if name != "holes and grids"])
def test_words_answer_so_in_machine_code_on_other_boards(table: str) -> None:
    agree(table, ByNative, MANY)
