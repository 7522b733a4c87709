"""Operands: what the typed core has, against the tree of the same text walked by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kbrules.lang.syntax import tree
from kbrules.lang.typed import Call
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.lint.boards import expressions_of
from kbrules.tools.tracing import (
    Operand,
    Place,
    children,
    operands_of,
    operator_kind,
    operators_of,
    place_of,
)

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
