"""What the generated source looks like, and what it can never hold."""

from __future__ import annotations

import re
import traceback
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kbrules.text
from kbrules.compile.bodies import body_of
from kbrules.compile.late import OFTEN, Generator, Late
from kbrules.compile.running import NAME, Source, function_of
from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.sorts import Sort
from kbrules.primitives import hexes, numbers
from kbrules.primitives.vocabulary import implementations
from kbrules.text import Span

SPAN = Span.none("x")
AND, OR, CUT, EITHER = "and(truth,truth)", "or(truth,truth)", "&(hexes,hexes)", "|(hexes,hexes)"
HOSTILE = (
    "__import__('os').system('true')",
    "x\n    raise SystemExit",
    '"""',
    "'",
    "view",
    "t1",
    "k0",
    NAME,
    "None",
    "import",
)
DEEP = 150


def var(name: str, sort: Sort = Sort.HEXES) -> Var:
    return Var(sort, SPAN, name)


def call(word: str, *arguments: Expr) -> Call:
    return Call(Sort.HEXES, SPAN, word, arguments)


def maker() -> Generator:
    return Generator(Evaluator(implementations()))


class Seen(SimpleNamespace):
    """A view without a table."""

    def bound(self, name: str, value: Any) -> Seen:
        return seen({**self.env, name: value})


def seen(env: dict[str, Any]) -> Seen:
    return Seen(env=env, memo={}, notes=None)


def answers(expr: Expr, **env: Any) -> Any:
    """What the reference answers; the generated function must answer it too."""
    tree, made = Evaluator(implementations()).linked(expr), function_of(maker().source(expr))
    assert made(seen(env)) == tree.value(seen(env))
    return made(seen(env))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_an_author_wrote_never_reaches_the_source(name: str) -> None:
    loop = Fold(Sort.HEXES, SPAN, "union(hexes)", name, var("groups"), None, var(name))
    expr = Choice(
        Sort.HEXES, SPAN, var("test"), call(EITHER, var(name), loop), Lit(Sort.ZONE, SPAN, name)
    )
    text = maker().source(expr).text
    assert set(re.findall(r"[a-z_]\w*", text)) <= {
        "def", "return", "if", "else", "for", "in", "append", "env", "get",
        NAME, "view", *(f"{letter}{n}" for letter in "kt" for n in range(9)),
    }  # fmt: skip
    assert '"' not in text
    assert "'" not in text
    assert answers(expr, test=True, groups=(2, 4), **{name: 1}) == 7
    assert answers(expr, test=False) == name


def test_the_same_text_comes_of_the_same_rule_under_other_names() -> None:
    one, other = (maker().source(call(CUT, var(a), var(b))).text for a, b in ("xy", "pq"))
    assert one == other


def test_generated_code_finds_no_builtins() -> None:
    for name in ("open", "print", "__import__", "__build_class__"):
        with pytest.raises(NameError):
            function_of(Source(f"def {NAME}(view):\n    return {name}\n", {}))(None)


def test_a_traceback_shows_the_generated_line() -> None:
    broken = function_of(maker().source(call(CUT, var("a"), call("adjacent(hexes)", var("b")))))
    with pytest.raises(AttributeError) as caught:
        broken(seen({"a": 1, "b": 1}))
    assert "view.board.grid.neighbours" in "".join(traceback.format_exception(caught.value))


def test_a_traceback_shows_the_rule_that_the_line_comes_from() -> None:
    source = kbrules.text.Source("mine/rules/mill.kb", "one\ntwo mill\n")
    span = source.at(2, 5)
    word = Call(Sort.HEXES, span, "adjacent(hexes)", (var("b"),))
    broken = function_of(maker().source(Call(Sort.HEXES, span, CUT, (var("a"), word))))
    with pytest.raises(AttributeError) as caught:
        broken(seen({"a": 1, "b": 1}))
    said = "".join(traceback.format_exception(caught.value))
    assert re.search(r"t1 & .*neighbours.*  # mine/rules/mill.kb:2\n", said)


def test_what_is_empty_already_is_not_cut_further() -> None:
    made = function_of(maker().source(call(CUT, var("a"), call("adjacent(hexes)", var("b")))))
    assert made(seen({"a": 0, "b": 1})) == 0


def test_what_the_first_operand_decides_the_second_is_not_asked() -> None:
    broken = call("any(hexes)", call("adjacent(hexes)", var("b")))
    for word, first in ((AND, False), (OR, True)):
        made = function_of(maker().source(call(word, var("a", Sort.TRUTH), broken)))
        assert made(seen({"a": first, "b": 1})) is first


def test_a_choice_asks_one_case_only() -> None:
    broken = call("adjacent(hexes)", var("b"))
    for test, value, other in ((True, var("a"), broken), (False, broken, var("a"))):
        choice = Choice(Sort.HEXES, SPAN, var("t", Sort.TRUTH), value, other)
        assert function_of(maker().source(choice))(seen({"t": test, "a": 5, "b": 1})) == 5


def test_what_is_worked_out_in_one_case_is_not_relied_on_in_another() -> None:
    twice = call("count(groups)", var("gs", Sort.GROUPS))
    choice = Choice(Sort.NUMBER, SPAN, var("t", Sort.TRUTH), twice, Lit(Sort.NUMBER, SPAN, 0))
    both = call("+(number,number)", choice, call("+(number,number)", twice, twice))
    env = {"gs": (1, 2), "t": False}
    tree = Evaluator(implementations()).linked(both)
    assert function_of(maker().source(both))(seen(env)) == tree.value(seen(env)) == 4


def test_a_name_bound_twice_is_the_inner_one_inside() -> None:
    """`union(x | union(x | x for x in ys) for x in zs)`, with `x | x` in both."""
    doubled = call(EITHER, var("x"), call(CUT, var("x"), var("x")))
    inner = Fold(Sort.HEXES, SPAN, "union(hexes)", "x", var("ys"), None, doubled)
    body = call(EITHER, doubled, call(EITHER, inner, doubled))
    outer = Fold(Sort.HEXES, SPAN, "union(hexes)", "x", var("zs"), None, body)
    assert answers(outer, ys=(1, 2), zs=(4, 8)) == 15
    assert answers(call(EITHER, doubled, outer), x=16, ys=(1, 2), zs=(4,)) == 23


@pytest.mark.parametrize("leans", ["left", "right"])
@pytest.mark.parametrize("word", [AND, OR, CUT, EITHER, "choice"])
def test_depth_is_no_danger(word: str, leans: str) -> None:
    expr: Expr = var("a")
    for n in range(DEEP):
        other = call(CUT, var(f"b{n}"), var("a"))
        pair = (expr, other) if leans == "left" else (other, expr)
        expr = Choice(Sort.HEXES, SPAN, other, *pair) if word == "choice" else call(word, *pair)
    for value in (0, 1, 3):
        answers(expr, a=3, **{f"b{n}": value for n in range(DEEP)})


# what is written in place of a call


def test_the_code_of_a_word_that_is_one_return_is_written_in_place() -> None:
    assert "view.state.seats[view.me].all" in maker().source(call("mine()")).text
    assert maker().source(call("mine()")).known == {}


def test_the_code_of_any_other_word_is_called() -> None:
    assert list(maker().source(call("neutral()")).known.values()) == [hexes.neutral]


def test_code_without_a_source_is_called() -> None:
    assert body_of(max) is None
    assert body_of(partial(numbers.tagged, name="special")) is None


def test_code_with_names_of_its_own_is_called() -> None:
    assert body_of(hexes.spread) is None  # a comprehension
    assert body_of(hexes.holding) is None  # a generator
    assert body_of(lambda view: view) is None


def test_an_argument_read_twice_is_worked_out_once() -> None:
    source = maker().source(call("foremost(hexes)", call("mine()")))
    assert source.text.count("seats") == 1


# when it is generated


def test_an_expression_is_generated_once_it_is_asked_often() -> None:
    node = maker().node(call(EITHER, var("a"), var("b")))
    assert isinstance(node, Late)
    for n in range(OFTEN + 3):
        walked = node.value == node._walk
        assert walked is (n < OFTEN)
        assert node.value(seen({"a": 1, "b": 2})) == 3


def test_what_is_known_is_not_generated() -> None:
    node = maker().node(Lit(Sort.NUMBER, SPAN, 3))
    assert node.is_constant
    assert node.value(None) == 3


FOLDS = {
    "most(number)": Sort.NUMBER,
    "least(number)": Sort.NUMBER,
    "sum(number)": Sort.NUMBER,
    "any(truth)": Sort.TRUTH,
    "all(truth)": Sort.TRUTH,
    "union(hexes)": Sort.HEXES,
    "each(hexes)": Sort.GROUPS,
}


@pytest.mark.parametrize("word", FOLDS)
@given(xs=st.lists(st.integers(-5, 5)), ys=st.sets(st.integers(-5, 5)))
def test_a_loop_keeps_what_a_word_makes_of_a_list(word: str, xs: list[int], ys: set[int]) -> None:
    some = Call(Sort.TRUTH, SPAN, "<(number,number)", (var("x"), var("n", Sort.NUMBER)))
    for test in (None, some):
        fold = Fold(FOLDS[word], SPAN, word, "x", var("xs"), test, var("x"))
        for values in (tuple(xs), tuple(ys)):
            assert answers(fold, xs=values, n=2) is not None


@pytest.mark.parametrize(("word", "asked"), [("any(truth)", "none"), ("all(truth)", "any")])
def test_a_loop_ends_where_its_value_is_decided(word: str, asked: str) -> None:
    body = Call(Sort.TRUTH, SPAN, f"{asked}(hexes)", (var("x"),))
    fold = Fold(Sort.TRUTH, SPAN, word, "x", var("xs"), body, body)
    loop = Fold(Sort.TRUTH, SPAN, word, "x", var("xs"), None, body)
    assert "break" in maker().source(loop).text
    for xs in ((), (0,), (3,), (0, 3), (3, 0), (3, 3), (0, 0)):
        assert answers(loop, xs=xs) is (any if word.startswith("any") else all)(
            bool(x) is (asked == "any") for x in xs
        )
        answers(fold, xs=xs)


def test_a_loop_in_which_something_is_counted_goes_on_to_its_end() -> None:
    """What was counted earned the gold, and is shown: it must not depend on the evaluator."""
    counted = Call(Sort.NUMBER, SPAN, "count(hexes)", (var("x"),))
    body = Call(Sort.TRUTH, SPAN, "<(number,number)", (counted, var("n", Sort.NUMBER)))
    fold = Fold(Sort.TRUTH, SPAN, "any(truth)", "x", var("xs"), None, body)
    assert "break" not in maker().source(fold).text
    assert answers(fold, xs=(1, 3, 7), n=2) is True
