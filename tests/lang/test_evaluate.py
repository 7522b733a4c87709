"""The evaluator and constant folding: random expressions against Python's own sets."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Mapping
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.lang import evaluation as evaluate
from kbrules.lang.evaluation import (
    DIFFERENCE,
    INTERSECTION,
    UNION,
    Evaluator,
    Implementation,
    fold_constants,
)
from kbrules.lang.typed import Call, Expr, Lit, Sort, Var
from kbrules.primitives.vocabulary import implementations
from kbrules.text import Span
from tests.pace import often
from tests.primitives.said import HEXES, NUMBERS, TRUTHS, Said, bounded, near
from tests.primitives.worlds import World, worlds

SPAN = Span.none("x")
LONGEST = 400
SMALL = worlds(6)
MANY = often(3)


@MANY
@given(SMALL, st.one_of(HEXES, NUMBERS, TRUTHS))
def test_an_expression_means_what_it_says(w: World, said: Said) -> None:
    # Three loops in one another are refused as too costly (KB303).
    if len(said.text) < LONGEST and said.text.count(" for ") <= 2:
        assert w.asked(said.text) == said.means(w)


SET_LAWS = [
    ("board - (x | y)", "(board - x) & (board - y)"),
    ("board - x & y", "(board - x) | (board - y)"),
    ("board - (board - x)", "x"),
    ("x & (y | z)", "x & y | x & z"),
    ("x | y & z", "(x | y) & (x | z)"),
    ("x | x & y", "x"),
    ("x & (x | y)", "x"),
    ("x & y", "y & x"),
    ("x | y", "y | x"),
    ("x & (y & z)", "(x & y) & z"),
    ("x | (y | z)", "(x | y) | z"),
    ("x & x", "x"),
    ("x - y", "x & (board - y)"),
    ("x - y - z", "x - (y | z)"),
    ("x - x", "board - board"),
    ("adjacent(x | y)", "adjacent(x) | adjacent(y)"),
    ("(x if p otherwise y)", "(y if not p otherwise x)"),
    ("(x if p)", "(x if p otherwise x - x)"),
    ("union(g for g in groups(x))", "x"),
    ("union(g & y for g in groups(x))", "x & y"),
    ("union(g for g in parts(x, rows))", "x"),
]
TRUTH_LAWS = [
    ("not (p and q)", "not p or not q"),
    ("not (p or q)", "not p and not q"),
    ("not not p", "p"),
    ("p and q", "q and p"),
    ("p or q", "q or p"),
    ("p and (q or p)", "p"),
    ("p or q and p", "p"),
    ("any(x)", "not none(x)"),
    ("any(x | y)", "any(x) or any(y)"),
    ("none(x)", "count(x) = 0"),
    ("all(any(g & x) for g in gs)", "not any(none(g & x) for g in gs)"),
    ("i < j", "not i >= j"),
    ("i <= j", "i < j or i = j"),
    ("i != j", "not i = j"),
]
NUMBER_LAWS = [
    ("count(x | y) + count(x & y)", "count(x) + count(y)"),
    ("count(x - y)", "count(x) - count(x & y)"),
    ("sum(count(g) for g in groups(x))", "count(x)"),
    ("sum(count(g & x) for g in rows)", "count(x)"),
    ("sum(count(g) for g in gs if any(g & x))", "sum((count(g) if any(g & x)) for g in gs)"),
    ("sum(1 for g in gs)", "count(gs)"),
    ("most(count(g) for g in groups(x))", "count(largest(groups(x)))"),
    ("least(count(g) for g in groups(x))", "count(smallest(groups(x)))"),
    ("-(-i)", "i"),
    ("i - j", "-(j - i)"),
    ("i + j", "j + i"),
    ("i * j", "j * i"),
]


LETTERS = {
    "xyz": [
        "a",
        "b",
        "c",
        "mine",
        "a & b",
        "adjacent(c)",
        "(b if t)",
        "a - lake",
        "board",
        "a - a",
    ],
    "pq": ["t", "u", "any(a & b)", "n < m", "t and n = 2", "yes", "no"],
    "ij": ["n", "m", "big", "count(a)", "7", "n - m", "0"],
}


def letters() -> st.SearchStrategy[dict[str, str]]:
    """Something to stand for each letter of a law."""
    drawn = {letter: st.sampled_from(texts) for group, texts in LETTERS.items() for letter in group}
    return st.fixed_dictionaries(drawn)


def fill(law: str, parts: dict[str, str]) -> str:
    """A side of a law with an expression for every letter that stands alone."""
    return re.sub(r"\b[xyzpqij]\b", lambda letter: f"({parts[letter[0]]})", law)


@often(5)
@given(SMALL, letters(), st.sampled_from([*SET_LAWS, *TRUTH_LAWS, *NUMBER_LAWS]))
def test_a_law_of_the_algebra(w: World, parts: dict[str, str], law: tuple[str, str]) -> None:
    one, other = (fill(side, parts) for side in law)
    assert w.asked(one) == w.asked(other)


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("most(7 for x in groups(a - a))", 0),
        ("least(7 for x in groups(a - a))", 0),
        ("most(7 for x in gs if no)", 0),
        ("least(7 for x in gs if no)", 0),
        ("sum(7 for x in groups(a - a))", 0),
        ("any(yes for x in groups(a - a))", False),
        ("all(no for x in groups(a - a))", True),
        ("union(x for x in groups(a - a))", set()),
        ("each(x for x in groups(a - a))", []),
        ("count(largest(groups(a - a)))", 0),
        ("smallest(groups(a - a))", set()),
    ],
)
@settings(max_examples=5)
@given(SMALL)
def test_a_fold_over_nothing(text: str, nothing: Any, w: World) -> None:
    assert w.asked(text) == nothing


@given(SMALL)
def test_the_largest_of_negative_numbers_is_not_nothing(w: World) -> None:
    assert w.asked("most(0 - 3 for x in sectors)") == -3
    assert w.asked("least(3 for x in sectors)") == 3


@given(SMALL, st.sampled_from(["y", "line", "first_of_all", "g"]))
def test_the_name_of_a_bound_variable_does_not_matter(w: World, name: str) -> None:
    for text in (
        "sum(count(x & a) for x in gs if any(x & b))",
        "each(union(x & a for x in rows if any(x & b)) for y2 in gs)",
        "any(all(none(x & y2) for y2 in gs) for x in groups(a))",
    ):
        renamed = text.replace("x", "@").replace("@", name)
        assert w.asked(text) == w.asked(renamed)


DEFINES = """
define edge_of(s: hexes): s & adjacent(board - s)

define both(s: hexes, more: hexes):
    s | more

define strip(s: hexes): union(x & s for x in groups(a_))

define a_: adjacent(mine) | mine

define most_in(of: groups, s: hexes): most(count(x & s) for x in of)

define plenty(k: number): k >= 3
"""
ORDERED = "\n\n".join(sorted(DEFINES.strip().split("\n\n"), key=lambda text: "a_)" in text))

INLINED = [
    ("edge_of(a)", "a & adjacent(board - a)"),
    ("edge_of(a | b) - c", "((a | b) & adjacent(board - (a | b))) - c"),
    ("edge_of(edge_of(a))",
     "a & adjacent(board - a) & adjacent(board - (a & adjacent(board - a)))"),
    ("both(a, b) & c", "(a | b) & c"),
    ("both(a - b, b - a)", "(a - b) | (b - a)"),
    ("count(both(a, both(b, c)))", "count(a | b | c)"),
    ("most_in(gs, a)", "most(count(x & a) for x in gs)"),
    ("plenty(n - m)", "n - m >= 3"),
    ("strip(a)", "a & (adjacent(mine) | mine)"),
    ("each(edge_of(x) for x in gs)", "each(x & adjacent(board - x) for x in gs)"),
    # The define's own variable is called like one that is bound where it is used.
    ("each(strip(x) for x in gs)", "each(y & (adjacent(mine) | mine) for y in gs)"),
    ("sum(most_in(rows, x) for x in gs)",
     "sum(most(count(y & z) for y in rows) for z in gs)"),
    ("sum(count(strip(x & a)) for x in gs if any(strip(x)))",
     "sum(count(y & a & (adjacent(mine) | mine)) for y in gs if any(y & (adjacent(mine) | mine)))"),
]  # fmt: skip


@pytest.mark.parametrize(("short", "long"), INLINED)
@given(w=SMALL)
def test_a_define_is_what_it_is_defined_as(short: str, long: str, w: World) -> None:
    assert w.asked(short, ORDERED) == w.asked(long)


@given(SMALL)
def test_the_prelude_is_what_it_is_defined_as(w: World) -> None:
    assert w.asked("empty") == w.asked("board - occupied")
    assert w.asked("theirs") == w.asked("occupied - mine - neutral")


BIG = [999_999, 1_000_000, -999_999, 1, 0, -1, 123_456]


@pytest.mark.parametrize("one", BIG)
@pytest.mark.parametrize("other", BIG)
def test_numbers_stop_at_a_million(one: int, other: int) -> None:
    w = a_world()
    w.env |= {"n": one, "m": other}
    assert w.asked("n + m") == bounded(one + other)
    assert w.asked("n - m") == bounded(one - other)
    assert w.asked("n * m") == bounded(one * other)
    assert w.asked("n * n * n * n") == bounded(one**4)
    assert w.asked("n / m") == (one // other if other else 0)
    assert w.asked("sum(n for row in rows)") == bounded(one * len(w.asked("rows")))


def test_nothing_is_divided_by_zero() -> None:
    w = a_world()
    for text in ("7 / 0", "0 / 0", "n / (m - m)", "-7 / 0"):
        assert w.asked(text) == 0
    assert [w.asked(t) for t in ("7 / 2", "-7 / 2", "7 / -2", "-7 / -2")] == [3, -4, -4, 3]


def a_world() -> World:
    from hypothesis import find

    return find(SMALL, lambda w: len(w.twin.hexes) > 3)


@given(worlds(6), worlds(6), HEXES)
def test_two_tables_do_not_share_what_they_remember(one: World, other: World, said: Said) -> None:
    """What the board alone decides is worked out once per table, not once for all."""
    for w in (one, other, one):
        assert w.asked("adjacent(lake) | edge") == near(w, w.of("lake")) | w.asked("edge")
        if len(said.text) < LONGEST and said.text.count(" for ") <= 2:
            assert w.asked(said.text) == said.means(w)


def test_what_is_said_in_parentheses_binds_first() -> None:
    w = a_world()
    w.env |= {"n": 2, "m": 3}
    assert w.asked("1 + n * m") == 7
    assert w.asked("(1 + n) * m") == 9
    assert w.asked("n - m - 1") == -2
    assert w.asked("-n + m") == 1
    assert w.asked("not n = m and no") is False
    assert w.asked("not (n = m and no)") is True
    assert w.asked("yes or no and no") is True
    assert w.asked("(yes or no) and no") is False


@pytest.mark.parametrize("key", evaluate.CUTS)
def test_what_is_done_on_the_spot_is_what_the_word_does(key: str) -> None:
    code = implementations()[key]
    taken = key[key.index("(") + 1 : -1].split(",")
    for values in itertools.product((0, 1, 2, 3), repeat=len(taken)):
        variables = [Var(Sort(sort), SPAN, str(i)) for i, sort in enumerate(taken)]
        env = {str(i): value for i, value in enumerate(values)}
        constant = [Lit(Sort(sort), SPAN, value) for sort, value in zip(taken, values, strict=True)]
        first = (None,) if code.first else ()
        wanted = code.code(*first, *values)
        for arguments in (variables, [*variables[:-1], constant[-1]]):
            call = Call(Sort.TRUTH, SPAN, key, tuple(arguments), False)
            view = SimpleNamespace(env=env, board=None)
            assert Evaluator(implementations())(call, view) == wanted


FOLDED_SPAN = Span.none("a test")
NOBODY = "nobody()"
MEANINGS = {INTERSECTION: operator.and_, UNION: operator.or_, DIFFERENCE: lambda a, b: a & ~b}
CODES = {word: Implementation(code, "") for word, code in MEANINGS.items()} | {
    NOBODY: Implementation(lambda board: 0, "board")
}

leaves = st.sampled_from([Var(Sort.HEXES, FOLDED_SPAN, name) for name in "abc"]) | st.just(
    Call(Sort.HEXES, FOLDED_SPAN, NOBODY, ())
)
hexes = st.recursive(
    leaves,
    lambda part: st.builds(
        lambda word, one, other: Call(Sort.HEXES, FOLDED_SPAN, word, (one, other)),
        st.sampled_from(list(MEANINGS)), part, part,
    ),
)  # fmt: skip


@given(hexes, st.fixed_dictionaries({name: st.integers(0, 15) for name in "abc"}))
def test_what_is_left_without_empty_parts_means_the_same(
    expr: Expr, values: Mapping[str, int]
) -> None:
    left = fold_constants(expr, {NOBODY: 0}, CODES)
    assert _value(left, values) == _value(expr, values)
    assert isinstance(left, Lit) or not _has_empty(left)


def _value(expr: Expr, values: Mapping[str, int]) -> int:
    match expr:
        case Lit(value=value):
            return int(value)
        case Var(name=name):
            return values[name]
        case Call(word=word, arguments=(one, other)):
            found: int = MEANINGS[word](_value(one, values), _value(other, values))
            return found
    return 0


def _has_empty(expr: Expr) -> bool:
    return isinstance(expr, Lit) or (
        isinstance(expr, Call) and (expr.word == NOBODY or any(map(_has_empty, expr.arguments)))
    )


def test_work_that_threads_are_given_ends_with_them_in_any_order() -> None:
    work, first_is_in, second_is_in, first_is_out = evaluate.Work(), Event(), Event(), Event()

    def come_first() -> None:
        with work.limited(10):
            first_is_in.set()
            assert second_is_in.wait(30)
        first_is_out.set()

    def go_last() -> None:
        assert first_is_in.wait(30)
        with work.limited(10):
            second_is_in.set()
            assert first_is_out.wait(30)

    threads = [Thread(target=come_first), Thread(target=go_last)]
    for thread in threads:
        thread.start()
    assert second_is_in.wait(30)
    work.steps += 100
    work.check()  # what others are given is no limit here
    for thread in threads:
        thread.join(30)
    work.check()
    assert (work.max_steps, work.max_once) == (evaluate.Work().max_steps,) * 2
    with pytest.raises(evaluate.OutOfWork), work.limited(10):
        work.steps += 11
        work.check()
