"""Generated code against the walk over the tree: every expression of every box, in real games."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.compile.late import Late
from kbrules.engine.game import Game
from kbrules.engine.setup import game_at
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.load import load
from tests.compile.everything import a_view, nodes
from tests.oracle.effort import often
from tests.primitives.probe import expression
from tests.primitives.said import HEXES, NUMBERS, TRUTHS, Said
from tests.primitives.worlds import VARIABLES, World, worlds
from tests.properties.mixes import played, table_of

SEEDS = range(12)
LONGEST = 400
EVERY = 12
"""Of so many states of a game one is looked at."""


@lru_cache(maxsize=len(SEEDS))
def a_game(seed: int) -> Game:
    """A game over all the shipped boxes at a table of chance."""
    return game_at(load(), table_of(load(), seed))


def some_states(game: Game, seed: int) -> list[State]:
    states = [step.state for _, _, step in played(game, seed)]
    return [*states[seed % EVERY :: EVERY], states[-1]]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_expression_answers_what_the_reference_answers(seed: int) -> None:
    game, random = a_game(seed), Random(seed, "views")
    states = some_states(game, seed)
    asked = nodes(game)
    assert len(asked) > 300
    for node in asked:
        node.generate()
        for state in states:
            view = a_view(game, state, node.expr, random)
            assert node.value(view) == node.tree.value(view), node.expr.span.text


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_counted_is_noted_alike(seed: int) -> None:
    """A score sheet shows the hexes that were counted; the order and all."""
    game, random = a_game(seed), Random(seed, "views")
    state = some_states(game, seed)[-1]
    for node in nodes(game):
        node.generate()
        view = a_view(game, state, node.expr, random)
        noted = []
        for answer in (node.value, node.tree.value):
            view.notes = []
            answer(view)
            noted.append(view.notes)
        assert noted[0] == noted[1], node.expr.span.text


@often(3)
@given(worlds(6), st.one_of(HEXES, NUMBERS, TRUTHS))
def test_an_expression_of_chance_answers_what_the_reference_answers(w: World, said: Said) -> None:
    if len(said.text) >= LONGEST or said.text.count(" for ") > 2:
        return
    node = w.game.program.link(expression(said.text, VARIABLES))
    if isinstance(node, Late):
        walked = node.tree.value(w.view)
        node.generate()
        assert node.value(w.view) == walked
