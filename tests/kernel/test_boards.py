"""What a board decides alone is found, in definitions written out and in folds as well."""

from __future__ import annotations

from typing import Any

import pytest

from kbrules.kernel.lowering.expressions import depends_on_board_only
from kbrules.lang.typed import Call, Expr, Fold, Lit, Sort, Var
from kbrules.text import Span

NOWHERE = Span.none("a test")
BOARD = Call(Sort.HEXES, NOWHERE, "board()", (), fixed=True)
MINE = Call(Sort.HEXES, NOWHERE, "mine()", ())
PART = Var(Sort.HEXES, NOWHERE, "part")


def call(word: str, *arguments: Expr) -> Call:
    return Call(Sort.HEXES, NOWHERE, word, arguments)


def union(body: Expr, domain: Any = BOARD) -> Fold:
    return Fold(Sort.HEXES, NOWHERE, "union(hexes)", "part", domain, None, body)


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (BOARD, True),
        (MINE, False),
        (PART, False),
        (call("adjacent(hexes)", BOARD), True),
        (call("adjacent(hexes)", MINE), False),
        (call("-(hexes,hexes)", BOARD, call("adjacent(hexes)", BOARD)), True),
        (call("open(verb)", Lit(Sort.VERB, NOWHERE, "build")), False),
        (union(call("adjacent(hexes)", PART)), True),
        (union(call("&(hexes,hexes)", PART, MINE)), False),
        (union(PART, MINE), False),
        (Lit(Sort.HEXES, NOWHERE, 0), False),
    ],
)
def test_what_a_board_decides_alone(expr: Expr, wanted: bool) -> None:
    assert depends_on_board_only(expr) is wanted
