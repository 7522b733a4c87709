"""Operators and folds: set algebra, sums, comparisons, and words over `... for x in ...`."""

from __future__ import annotations

from functools import reduce
from operator import or_

from kbrules.lang.typed import Sort
from kbrules.primitives.registry import fold, operator

MAX_NUMBER = 1_000_000
"""No number of the language is larger, whatever is multiplied."""


def bounded(value: int) -> int:
    """The value kept within MAX_NUMBER either way, so that no rule makes numbers grow for ever."""
    return max(-MAX_NUMBER, min(MAX_NUMBER, value))


def narrowed(of: int, to: int) -> int:
    """What of a set lies in another, or all of it if nothing does; `prefer` means it, no word."""
    return of & to or of


_HEXES, _GROUPS, _NUMBER, _TRUTH = Sort.HEXES, Sort.GROUPS, Sort.NUMBER, Sort.TRUTH

for _symbol, _sort, _result, _code, _page in (
    ("&", _HEXES, _HEXES, lambda a, b: a & b, "Hexes in both sets."),
    ("|", _HEXES, _HEXES, lambda a, b: a | b, "Hexes in one set or the other."),
    (
        "-", _HEXES, _HEXES, lambda a, b: a & ~b,
        "Hexes of the first set that are not in the second.",
    ),
    ("-", _NUMBER, _NUMBER, lambda a, b: bounded(a - b), "The difference."),
    ("-", _NUMBER, _NUMBER, lambda a: -a, "The number with its sign turned."),
    ("+", _NUMBER, _NUMBER, lambda a, b: bounded(a + b), "The sum."),
    ("*", _NUMBER, _NUMBER, lambda a, b: bounded(a * b), "The product."),
    (
        "/", _NUMBER, _NUMBER, lambda a, b: a // b if b else 0,
        "The quotient rounded down; dividing by 0 gives 0.",
    ),
    ("=", _NUMBER, _TRUTH, lambda a, b: a == b, "Whether two numbers are equal."),
    ("!=", _NUMBER, _TRUTH, lambda a, b: a != b, "Whether two numbers differ."),
    ("<", _NUMBER, _TRUTH, lambda a, b: a < b, "Whether the first is smaller."),
    ("<=", _NUMBER, _TRUTH, lambda a, b: a <= b, "Whether the first is not larger."),
    (">", _NUMBER, _TRUTH, lambda a, b: a > b, "Whether the first is larger."),
    (">=", _NUMBER, _TRUTH, lambda a, b: a >= b, "Whether the first is not smaller."),
    ("=", _HEXES, _TRUTH, lambda a, b: a == b, "Whether two sets are equal."),
):  # fmt: skip
    operator(_symbol, _sort, _result, _code, _page)

for _sort, _things in (
    (Sort.PLAYER, "two players {} the same"),
    (Sort.TERRAIN, "two terrains {} the same"),
    (Sort.PIECE, "two pieces {} of the same kind"),
    (Sort.TILE, "two tiles {} of the same kind"),
    (Sort.PLACE, "two places {} of the same kind"),
    (Sort.CARD, "two cards {} the same"),
):
    operator("=", _sort, _TRUTH, lambda a, b: a == b, f"Whether {_things.format('are')}.")
    operator("!=", _sort, _TRUTH, lambda a, b: a != b, f"Whether {_things.format('are not')}.")

for _symbol, _sort, _result, _code, _page in (
    ("and", _TRUTH, _TRUTH, lambda a, b: a and b, "Whether both hold."),
    ("or", _TRUTH, _TRUTH, lambda a, b: a or b, "Whether one of them holds."),
    ("not", _TRUTH, _TRUTH, lambda a: not a, "Whether it does not hold."),
    ("at least", _NUMBER, Sort.RANGE, lambda n: (n, MAX_NUMBER), "That many or more."),
    ("at most", _NUMBER, Sort.RANGE, lambda n: (0, n), "That many or fewer."),
    ("exactly", _NUMBER, Sort.RANGE, lambda n: (n, n), "That many."),
):
    operator(_symbol, _sort, _result, _code, _page)


for _example, _sort, _result, _code, _page in (
    (
        "most(count(mine & row) for row in rows)", _NUMBER, _NUMBER,
        lambda values: max(values, default=0), "The largest value, 0 when there is none.",
    ),
    (
        "least(count(mine & sector) for sector in sectors)", _NUMBER, _NUMBER,
        lambda values: min(values, default=0), "The smallest value, 0 when there is none.",
    ),
    (
        "sum(count(mine & row) for row in rows)", _NUMBER, _NUMBER,
        lambda values: bounded(sum(values)), "The values added up.",
    ),
    (
        "any(count(mine & row) > 3 for row in rows)", _TRUTH, _TRUTH,
        any, "Whether it holds for one of them.",
    ),
    (
        "all(any(mine & sector) for sector in sectors)", _TRUTH, _TRUTH,
        all, "Whether it holds for all of them.",
    ),
    (
        "count(any(mine & sector) for sector in sectors)", _TRUTH, _NUMBER,
        sum, "For how many of them it holds.",
    ),
    (
        "union(group for group in groups(mine) if count(group) > 2)", _HEXES, _HEXES,
        lambda values: reduce(or_, values, 0), "The hexes of all of them.",
    ),
    (
        "each(row & mine for row in rows)", _HEXES, _GROUPS,
        tuple, "The sets themselves, as groups.",
    ),
):  # fmt: skip
    fold(_example, _sort, _result, _code, _page)
