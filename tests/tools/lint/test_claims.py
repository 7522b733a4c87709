"""What lints claim of expressions is true in every position that can be had of them.

Expressions are made at random from the words of a small game, told about, and evaluated.
"""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from kbrules.diagnostics import Diagnostic
from kbrules.game.view import View
from kbrules.lang.typed import Expr, Sort, parts_of
from kbrules.library.load import Loaded, load, load_all
from kbrules.library.store import Files, parsed
from kbrules.text import Source
from kbrules.tools.lint.algebra import is_subset
from kbrules.tools.lint.constant import Bounds, constant_parts
from kbrules.tools.lint.fixing import apply_fixes
from kbrules.tools.lint.run import LINTS
from kbrules.tools.lint.subject import Subject
from kbrules.tools.sampling import samples
from tests.tools.lint.written import folder

BOX = """\
format: 1
id: dale
title: The Dale
players: {least: 2, most: 3}
table: {rows: 1, columns: 1}
section: {rows: 5, columns: 6}
terrains:
  heath: {letter: H, tags: [dry]}
  moor: {letter: M, tags: [dry]}
  lake: {letter: L}
places:
  mill: {letter: W, tags: [special]}
pieces:
  hut: {letter: h, supply: 9}
  wall: {letter: l, supply: 4, neutral: true}
sections:
  north:
    rows: |
      H H H L L M
       H H W L M M
      M M L L H H
       M W M L H H
      M M H H H H
"""
FILES = Files()
OF_EXPRESSIONS = ("KB713", "KB714", "KB716", "KB717", "KB718", "KB719", "KB720", "KB721")

number = st.integers(0, 7).map(str)
leaf = st.sampled_from(
    ["mine", "theirs", "empty", "occupied", "edge", "board", "heath", "moor", "lake", "mill",
     "special", "dry", "pieces(hut)", "mine(hut)", "neutral"]
)  # fmt: skip


def _sets(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(inner, st.sampled_from("&|-"), inner).map(lambda t: f"({' '.join(t)})")
    called = st.builds("{}({})".format, st.sampled_from(["adjacent", "inside", "foremost"]), inner)
    touching = st.builds(
        "touching({}, {} {})".format, inner, st.sampled_from(["at least", "exactly"]), number
    )
    return st.one_of(joined, called, touching, st.builds("within({}, {})".format, inner, number))


hexes = st.recursive(leaf, _sets, max_leaves=6)


def _sums(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({' '.join(t)})")


amount = st.recursive(
    st.one_of(number, st.builds("count({})".format, hexes), st.just("supply(hut)")), _sums
)
asked = st.builds("{}({})".format, st.sampled_from(["any", "none"]), hexes)
compared = st.tuples(amount, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), amount)


def _truths(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(inner, st.sampled_from(["and", "or"]), inner)
    return st.one_of(joined.map(lambda t: f"({' '.join(t)})"), inner.map(lambda t: f"not ({t})"))


truth = st.recursive(st.one_of(asked, compared.map(" ".join)), _truths, max_leaves=4)


@cache
def home() -> Path:
    """The folder of the game, for as long as the tests run."""
    path = Path(mkdtemp(prefix="kbrules-"))
    atexit.register(rmtree, path)
    return folder(path, "", BOX)


@cache
def views() -> tuple[View, ...]:
    """The table of some positions as each player sees it."""
    found = list(samples(load(folders=[home()]), 24, seed=5))
    return tuple(
        View(each.game.board, each.state, player, each.game.plan, {})
        for each in found
        for player in range(len(each.state.seats))
    )


def read(expression: str) -> tuple[Loaded, Source]:
    source = Source("probe.kb", f'define probe "Probe.":\n    {expression}\n')
    loaded = load_all([], [home()], [parsed(source)], FILES)
    assert loaded.findings == (), [each.message for each in loaded.findings]
    return loaded, source


def subject_of(loaded: Loaded) -> Subject:
    return Subject(loaded, FILES, lambda name: name == "probe.kb")


def told(subject: Subject) -> list[Diagnostic]:
    return [each for code in OF_EXPRESSIONS for each in LINTS[code].find(subject)]


def body(loaded: Loaded) -> Expr:
    assert loaded.checked is not None
    return loaded.checked.scope.names.definitions["probe"].body


def values(loaded: Loaded, expr: Expr) -> list[Any]:
    assert loaded.ruleset is not None
    found = [(loaded.ruleset.evaluate(expr, view), view) for view in views()]
    # The name of a terrain alone stands for its hexes wherever hexes are wanted.
    is_terrain = expr.sort is Sort.TERRAIN
    return [view.board.kinds[value] if is_terrain else value for value, view in found]


def size(expr: Expr, value: Any) -> int:
    return int(value).bit_count() if expr.sort is Sort.HEXES else int(value)


@settings(max_examples=40)
@given(st.one_of(truth, hexes, amount))
def test_values_lie_within_their_bounds(expression: str) -> None:
    loaded, _ = read(expression)
    bounds = Bounds(loaded.catalog)
    waiting = [body(loaded)]
    while waiting:
        expr = waiting.pop()
        waiting += parts_of(expr)
        if expr.sort in (Sort.HEXES, Sort.NUMBER, Sort.TRUTH):
            low, high = bounds.of(expr)
            sizes = {size(expr, value) for value in values(loaded, expr)}
            assert low <= min(sizes) and max(sizes) <= high, expr.span.text


@settings(max_examples=40)
@given(st.one_of(truth, hexes))
def test_what_never_changes_never_changes(expression: str) -> None:
    loaded, _ = read(expression)
    known = constant_parts(subject_of(loaded))
    for expr, value in known.conditions:
        assert set(values(loaded, expr)) == {value}, expr.span.text
    for expr in known.sets:
        assert not any(values(loaded, expr)), expr.span.text


@pytest.mark.parametrize("word", ["mine", "mine(hut)", "pieces(me)", "pieces(wall)", "neutral"])
@pytest.mark.parametrize("other", ["mine", "occupied", "pieces(hut)", "neutral", "board", "edge"])
def test_words_lie_in_one_another_as_is_said(word: str, other: str) -> None:
    loaded, _ = read(f"{word} & {other}")
    a, b = parts_of(body(loaded))
    pairs = [*zip(values(loaded, a), values(loaded, b), strict=True)]
    assert not is_subset(a, b) or all(x & ~y == 0 for x, y in pairs)


@settings(max_examples=40)
@given(hexes, hexes)
def test_what_lies_inside_lies_inside(inner: str, outer: str) -> None:
    loaded, _ = read(f"({inner}) & ({outer})")
    a, b = parts_of(body(loaded))
    if is_subset(a, b):
        pairs = zip(values(loaded, a), values(loaded, b), strict=True)
        assert all(x & ~y == 0 for x, y in pairs), (inner, outer)


TRICKY = [
    "any(mine) and not none(mine & edge) or count(heath) > 0",
    "not not (any(mine) or none(edge)) or not not any(mine)",
    "(any(mine)) and (any(mine)) and not none(mine)",
    "not (not any(mine)) and (any(mine) or not not any(edge))",
    "count(mine & edge & mine) > 0 and count(mine | (edge | mine)) * 1 > 2",
    "count(touching((mine | edge), at least 1)) + 0 > 3 and (any(mine)) and any(mine)",
    "none(mine - edge & mine) and count((mine)) = 0 and count(edge) = 0",
]


def fixes_keep(expression: str) -> int:
    """How many fixes were made; what they leave has the values that it had before."""
    loaded, source = read(expression)
    wanted = [each for each in told(subject_of(loaded)) if each.fix]
    if not wanted:
        return 0
    better = apply_fixes(source, wanted).partition("\n")[2].strip()
    mended, _ = read(better)
    if body(mended).sort != body(loaded).sort:  # a place stands for its hexes where those are due
        mended, _ = read(f"{better} & board")
    assert values(loaded, body(loaded)) == values(mended, body(mended)), (expression, better)
    return len(wanted)


@settings(max_examples=60)
@given(st.one_of(truth, hexes, amount))
@example("(mill & mill)")
def test_a_fix_keeps_every_value(expression: str) -> None:
    fixes_keep(expression)


@pytest.mark.parametrize("expression", TRICKY)
def test_a_fix_keeps_every_value_of_what_is_tricky(expression: str) -> None:
    assert fixes_keep(expression) > 0
