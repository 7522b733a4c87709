"""Each word and step of the registry at the edges of what it is given, the same in every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.lang.typed import Expr, Sort
from kbrules.primitives.registry import FOLDS, OPERATORS, WORDS
from tests.equal.edges import (
    EDGE_NUMBERS,
    TABLES,
    ByNative,
    ByPython,
    Values,
    asked,
    by_reference,
    given,
    position,
    position_in_turn,
    steps,
)
from tests.equal.questions import questions
from tests.primitives.worlds import PLAYERS

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


def agree_on_steps(engine: str) -> None:
    """Do each step by an engine and by the reference, given all edges, and play on."""
    game, state = position_in_turn("holes and grids")
    stepped, full = game.with_engine(engine), game.board.grid.full
    sets = (0, full, full & -full | 1 << full.bit_length() - 1)
    for step, text in enumerate(steps()):
        numbers = EDGE_NUMBERS if "edge_number" in text else (1,)
        for number, hexes in product(numbers, sets if "edge_hexes" in text else (0,)):
            start = given(game, state, step, number, hexes)
            assert played(stepped, start, step) == played(game, start, step), (text, number)


def played(game: Game, state: State, step: int) -> list[Any]:
    """What is offered, what a step leads to, and four moves more."""
    moves, chance = game.legal_moves(state), Random(step, "moves")
    found: list[Any] = [moves]
    for group in moves.groups:
        if group.rule == f"edge_{step}":
            after = game.apply(state, group.moves()[0])
            found.append(after.to_json())
            for _ in range(4):
                if offered := game.legal_moves(after):
                    after = game.apply(after, offered.sample(chance))
                    found += [offered, after.to_json()]
    return found


def test_steps_do_at_their_edges_what_the_reference_does() -> None:
    agree_on_steps(PYTHON)


@pytest.mark.slow
@NATIVELY
def test_steps_do_so_in_machine_code() -> None:
    agree_on_steps(NATIVE)
