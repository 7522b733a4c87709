"""Lowered expressions against the reference: all of every box, on random positions."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, strategies as st

from kbrules.game.state import draft_of
from kbrules.game.view import View
from kbrules.library.box import shipped_boxes
from tests.equal.expressions import agree, compared
from tests.equal.questions import Answering, questions
from tests.equal.settings import HOUSE_BOXES, MIXES, OF_A_MIX, mix_of, of_each_mix
from tests.pace import often
from tests.primitives.probe import expression
from tests.primitives.said import HEXES, NUMBERS, TRUTHS, Said
from tests.primitives.tries import OVER_LISTS
from tests.primitives.worlds import VARIABLES, World, worlds

PAIRS, MORE = 30_000, 200_000
"""So many pairs at every build, and in a long run."""
LONG, PARTS, SECONDS = 20_000_000, 8, 900
"""In a long run so many pairs, as far as the time suffices."""
LONGEST = 400


def asked(first: int, pairs: int, seconds: float) -> int:
    """Ask on table after table from a seed on, until there were so many pairs or it takes long."""
    found, seed, until = 0, first, process_time() + seconds
    while found < pairs and process_time() < until:
        found += compared(seed)
        seed += 1
    return found


@of_each_mix
def test_every_expression_answers_what_the_reference_answers(mix: int) -> None:
    pairs = PAIRS // len(MIXES)
    assert asked(mix * OF_A_MIX, pairs, seconds=600) >= pairs


@pytest.mark.slow
@of_each_mix
def test_every_expression_answers_so_on_more_positions(mix: int) -> None:
    pairs = MORE // len(MIXES)
    assert asked(mix * OF_A_MIX, pairs, seconds=600) >= pairs


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_expression_answers_so_on_many_more_positions(part: int) -> None:
    first = 100_000 * (part + 1)
    assert asked(first, LONG // PARTS, SECONDS / PARTS) > MORE


def test_every_box_is_among_the_mixes() -> None:
    mixes = [mix_of(mix * OF_A_MIX) for mix in MIXES]
    assert {box for mix in mixes for box in mix.boxes} == set(shipped_boxes())
    assert set(HOUSE_BOXES.values()) <= set(mixes)


@often(1)
@given(worlds(6), st.one_of(HEXES, NUMBERS, TRUTHS))
def test_an_expression_of_chance_answers_what_the_reference_answers(w: World, said: Said) -> None:
    compared_by_chance(w, said)


@pytest.mark.slow
@often(3)
@given(worlds(6), st.one_of(HEXES, NUMBERS, TRUTHS))
def test_many_expressions_of_chance_answer_so(w: World, said: Said) -> None:
    compared_by_chance(w, said)


@often(1)
@given(worlds(6))
def test_images_triangles_and_gold_are_what_the_reference_finds(w: World) -> None:
    texts = ["mirrored(a)", "flipped(a)", "turned(a)", "count(triangles(a))", "gold", "gold(p)"]
    near = "{0} & within(foremost({0}), 3)"  # groups of more than 40 hexes are an error
    texts += [f"longest_way({near.format(each)})" for each in ("mine", "a", "b", "(a | c)")]
    texts += ["enclosed(a)", "ringed(a)", "enclosed(a - b)", "ringed(a | b)"]
    texts += ["largest(rings(a))", "count(rings(board - foremost(a)))", "count(rings(a | b | c))"]
    compared_in(w, texts)


@often(1)
@given(worlds(6))
def test_words_over_lists_answer_what_the_reference_answers(w: World) -> None:
    compared_in(w, [text for _, text, _ in OVER_LISTS])


def compared_by_chance(w: World, said: Said) -> None:
    """Ask an expression in a world of both, unless it is a long one."""
    if len(said.text) < LONGEST and said.text.count(" for ") <= 2:
        compared_in(w, [said.text])


def compared_in(w: World, texts: list[str]) -> None:
    """Ask expressions in a world of both."""
    exprs = [expression(text, VARIABLES) for text in texts]
    answering = Answering(questions(w.game, lambda: exprs, {}), w.game)
    draft = draft_of(w.state)
    if draft.stage[0] != "turn":  # there need not be as many phases as the world says
        draft.stage = (draft.stage[0], 0)
    if answering.sees(state := draft.seal()):
        view = w.view
        seen = View(view.board, state, view.me, view.rules, view.env)
        for asked in range(len(exprs)):
            agree(answering, asked, seen)
