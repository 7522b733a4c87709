"""A trace changes no value, and says of each part what a slow walk finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from kbrules.game.view import View
from kbrules.lang.evaluation import UNION, Evaluator
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Call, Conditional, Expr, Fold, Lit, Sort, parts_of
from kbrules.library.load import Loaded, load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.lint.boards import expressions_of
from kbrules.tools.tracing import (
    Key,
    Operand,
    Place,
    Trace,
    TracingLinker,
    children,
    key_of,
    operands_of,
    operator_kind,
    operators_of,
    place_of,
)
from tests.tools.lint.test_claims import body, hexes, read, truth, views

SOME = slice(0, 12)


class Whole(Trace):
    """A trace in which every operand is asked."""

    evaluates_all = True


def evaluated(loaded: Loaded, expr: Expr, trace: Trace) -> None:
    """Ask for an expression in every view, plain and traced."""
    assert loaded.ruleset is not None
    plain = Evaluator(loaded.ruleset.evaluate.implementations)
    traced = TracingLinker(loaded.ruleset, trace)(expr, {})
    for view in views()[SOME]:
        assert traced.value(view) == plain(expr, view)


def inside(expr: Expr) -> Iterator[Expr]:
    """An expression and its parts, but for loops and choices, of which not all is asked."""
    yield expr
    if not isinstance(expr, Fold | Conditional):
        for part in parts_of(expr):
            yield from inside(part)


def walked(loaded: Loaded, expr: Expr) -> dict[Key, Counter[bool]]:
    """How often each part is something or nothing, each asked for by itself."""
    assert loaded.ruleset is not None
    found: dict[Key, Counter[bool]] = defaultdict(Counter)
    plain = Evaluator(loaded.ruleset.evaluate.implementations)
    for part in inside(expr):
        if not isinstance(part, Lit):
            for view in views()[SOME]:
                found[key_of(part)][bool(plain(part, view))] += 1
    return found


@settings(max_examples=60)
@given(st.one_of(hexes, truth))
@example("(any(heath) or any(lake)) and any(mine - (lake & mine))")
def test_every_part_is_seen_as_it_is(expression: str) -> None:
    loaded, _ = read(expression)
    expr, trace = body(loaded), Whole()
    evaluated(loaded, expr, trace)
    seen = walked(loaded, expr)
    for key, record in trace.expressions.items():
        assert (record.yes, record.no) == (bool(seen[key][True]), bool(seen[key][False])), key


@settings(max_examples=60)
@given(st.lists(hexes, min_size=2, max_size=4), st.sampled_from("&|"))
@example(["mine", "occupied", "board"], "&")
@example(["mine", "mine & heath"], "|")
def test_an_operand_is_idle_if_nothing_changes_without_it(parts: list[str], sign: str) -> None:
    loaded, _ = read(f" {sign} ".join(f"({part})" for part in parts))
    expr, trace = body(loaded), Whole()
    evaluated(loaded, expr, trace)
    assert isinstance(expr, Call)
    (found,) = [o for o in trace.operands.values() if o.call is expr] or [None]
    assert found is not None and len(found.parts) >= len(parts)
    for part, record in zip(found.parts, found.records, strict=True):
        without = [each for each in found.parts if each is not part]
        changes = any(
            together(loaded, expr, found.parts, view) != together(loaded, expr, without, view)
            for view in views()[SOME]
        )
        assert (part not in found.idle) is changes, record.place


def together(loaded: Loaded, expr: Call, parts: Any, view: View) -> int:
    """What some operands come to, one after the other."""
    assert loaded.ruleset is not None
    plain = Evaluator(loaded.ruleset.evaluate.implementations)
    full = view.board.grid.full
    whole = 0 if operator_kind(expr.word) == UNION else full
    for part in parts:
        value = plain(part.expr, view) if part.expr.sort is Sort.HEXES else 0
        value = full & ~value if part.is_taken_away else value
        whole = whole | value if operator_kind(expr.word) == UNION else whole & value
    return whole


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("mine & heath - edge & dry", ["mine", "heath", "edge & dry"]),
        ("mine & (heath & edge)", ["mine", "heath & edge"]),
        ("mine | (heath | edge)", ["mine", "heath", "edge"]),
        ("mine & heath | edge", ["mine & heath", "edge"]),
        ("any(mine) and (any(heath) and any(edge))", ["any(mine)", "any(heath)", "any(edge)"]),
        ("any(mine) and any(heath) or any(edge)", ["any(mine) and any(heath)", "any(edge)"]),
    ],
)
def test_operands_are_those_an_author_reads(expression: str, parts: list[str]) -> None:
    loaded, _ = read(expression)
    trace = Whole()
    evaluated(loaded, body(loaded), trace)
    found = next(iter(trace.operands.values()))
    assert [part.expr.span.text for part in found.parts] == parts


def test_what_is_not_asked_is_not_seen() -> None:
    """Without `evaluates_all` the second of two conditions waits for the first."""
    loaded, _ = read("any(edge & lake & heath) and any(mine)")
    trace = Trace()
    evaluated(loaded, body(loaded), trace)
    seen = trace.take()
    assert seen and trace.take() == {}
    _, second = parts_of(body(loaded))
    assert (second.span.source.name, second.span.start, second.span.end) not in seen


FAMILY = {"&": "cut", "-": "cut", "|": "join", "and": "every", "or": "some"}
BOX = "format: 1\nid: vale\ntitle: The Vale\nneeds: [base]\ncards: [nested]\n"
NESTED = """\
card nested "Nested":
    "Gold for hexes that are put together in many ways."
    gold 1 per hex in (mine | edge | (grass | canyon | desert)) - (water - edge) & board
    gold 2 if (count(mine) > 1 and count(edge) > 1) and (count(mine) > 2 and count(mine) > 3)
    gold 3 if count(mine) > 1 or (count(mine) > 2 or count(mine) > 3)
"""
Named = list[tuple[Place, bool]]


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("vale")
    (folder / "expansion.yaml").write_text(BOX, encoding="utf-8")
    (folder / "vale.kb").write_text(NESTED, encoding="utf-8")
    return load("base", "nomads", "crossroads", folders=[folder])


def written(item: object) -> Iterator[tree.Operator]:
    """Every binary operator of a piece of syntax."""
    if isinstance(item, tree.Operator) and len(item.operands) == 2:
        yield item
    for _, part in children(item):
        yield from written(part)


def flat(node: tree.Operator) -> Named:
    """The operands of an operator by its text alone."""
    found: Named = []
    for index, operand in enumerate(node.operands):
        family = FAMILY[node.symbol]
        same = isinstance(operand, tree.Operator) and FAMILY.get(operand.symbol) == family
        if same and (index == 0 or family != "cut"):
            found += flat(operand)
        else:
            found.append((place_of(operand.span), index == 1 and node.symbol == "-"))
    return found


def named(parts: Iterator[Operand]) -> Named:
    return [(place_of(part.expr.span), part.is_taken_away) for part in parts]


def test_operands_are_those_of_the_text(ruleset: Ruleset) -> None:
    nodes = {place_of(node.span): node for node in written(tuple(ruleset.declarations))}
    places = operators_of(ruleset.declarations)
    seen = opened = 0
    for call in (expr for rule in ruleset.rules for expr in expressions_of(rule)):
        node = nodes.get(place_of(call.span))
        if not isinstance(call, Call) or not operator_kind(call.word) or node is None:
            continue
        assert named(operands_of(call, places)) == flat(node), call.span.text
        seen, opened = seen + 1, opened + (len(flat(node)) > 2)
    assert seen > 20
    assert opened >= 3
