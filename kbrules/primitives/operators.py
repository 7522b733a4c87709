"""Operators and folds: set algebra, sums, comparisons, and words over `... for x in ...`."""

from __future__ import annotations

from typing import Any

from kbrules.primitives.registry import (
    Card,
    Groups,
    Hexes,
    Number,
    PieceKind,
    Place,
    Player,
    Range,
    Terrain,
    TileKind,
    Truth,
    fold,
    operator,
)

MAX_NUMBER = 1_000_000
"""No number of the language is larger, whatever is multiplied."""


def bounded(value: int) -> int:
    """The value kept within MAX_NUMBER either way, so that no rule makes numbers grow for ever."""
    return max(-MAX_NUMBER, min(MAX_NUMBER, value))


@operator("&")
def _intersection(a: Hexes, b: Hexes) -> Hexes:
    """Hexes in both sets."""
    return a & b


@operator("|")
def _union(a: Hexes, b: Hexes) -> Hexes:
    """Hexes in one set or the other."""
    return a | b


@operator("-")
def _difference(a: Hexes, b: Hexes) -> Hexes:
    """Hexes of the first set that are not in the second."""
    return a & ~b


def narrowed(of: int, to: int) -> int:
    """What of a set lies in another, or all of it if nothing does; `prefer` means it, no word."""
    return of & to or of


@operator("-")
def _subtract(a: Number, b: Number) -> Number:
    """The difference."""
    return bounded(a - b)


@operator("-")
def _negate(a: Number) -> Number:
    """The number with its sign turned."""
    return -a


@operator("+")
def _add(a: Number, b: Number) -> Number:
    """The sum."""
    return bounded(a + b)


@operator("*")
def _multiply(a: Number, b: Number) -> Number:
    """The product."""
    return bounded(a * b)


@operator("/")
def _divide(a: Number, b: Number) -> Number:
    """The quotient rounded down; dividing by 0 gives 0."""
    return a // b if b else 0


@operator("=")
def _equal(a: Number, b: Number) -> Truth:
    """Whether two numbers are equal."""
    return a == b


@operator("!=")
def _not_equal(a: Number, b: Number) -> Truth:
    """Whether two numbers differ."""
    return a != b


@operator("<")
def _less_than(a: Number, b: Number) -> Truth:
    """Whether the first is smaller."""
    return a < b


@operator("<=")
def _less_or_equal(a: Number, b: Number) -> Truth:
    """Whether the first is not larger."""
    return a <= b


@operator(">")
def _greater_than(a: Number, b: Number) -> Truth:
    """Whether the first is larger."""
    return a > b


@operator(">=")
def _greater_or_equal(a: Number, b: Number) -> Truth:
    """Whether the first is not smaller."""
    return a >= b


@operator("=")
def _same_hexes(a: Hexes, b: Hexes) -> Truth:
    """Whether two sets are equal."""
    return a == b


def _register_equality(sort: Any, things: str) -> None:
    """Register `=` and `!=` of a sort. things: what they tell, as in `two cards are the same`."""

    def same(a: int, b: int) -> bool:
        return a == b

    def other(a: int, b: int) -> bool:
        return a != b

    for symbol, code, claim in (
        ("=", same, things),
        ("!=", other, things.replace("are", "are not")),
    ):
        code.__annotations__ = {"a": sort, "b": sort, "return": Truth}
        code.__doc__ = f"Whether {claim}."
        operator(symbol)(code)


_register_equality(Player, "two players are the same")
_register_equality(Terrain, "two terrains are the same")
_register_equality(PieceKind, "two pieces are of the same kind")
_register_equality(TileKind, "two tiles are of the same kind")
_register_equality(Place, "two places are of the same kind")
_register_equality(Card, "two cards are the same")


@operator("and")
def _and(a: Truth, b: Truth) -> Truth:
    """Whether both hold."""
    return a and b


@operator("or")
def _or(a: Truth, b: Truth) -> Truth:
    """Whether one of them holds."""
    return a or b


@operator("not")
def _not(a: Truth) -> Truth:
    """Whether it does not hold."""
    return not a


@operator("at least")
def _at_least(n: Number) -> Range:
    """That many or more."""
    return (n, MAX_NUMBER)


@operator("at most")
def _at_most(n: Number) -> Range:
    """That many or fewer."""
    return (0, n)


@operator("exactly")
def _exactly(n: Number) -> Range:
    """That many."""
    return (n, n)


@fold("most(count(mine & row) for row in rows)")
def most(values: Number) -> Number:
    """The largest value, 0 when there is none."""
    return max(values, default=0)  # type: ignore[call-overload, no-any-return]


@fold("least(count(mine & sector) for sector in sectors)")
def least(values: Number) -> Number:
    """The smallest value, 0 when there is none."""
    return min(values, default=0)  # type: ignore[call-overload, no-any-return]


@fold("sum(count(mine & row) for row in rows)")
def sum_(values: Number) -> Number:
    """The values added up."""
    return bounded(sum(values))  # type: ignore[call-overload]


@fold("any(count(mine & row) > 3 for row in rows)")
def any_(values: Truth) -> Truth:
    """Whether it holds for one of them."""
    return any(values)  # type: ignore[arg-type]


@fold("all(any(mine & sector) for sector in sectors)")
def all_(values: Truth) -> Truth:
    """Whether it holds for all of them."""
    return all(values)  # type: ignore[arg-type]


@fold("count(any(mine & sector) for sector in sectors)")
def count(values: Truth) -> Number:
    """For how many of them it holds."""
    return sum(values)  # type: ignore[call-overload, no-any-return]


@fold("union(group for group in groups(mine) if count(group) > 2)")
def union(values: Hexes) -> Hexes:
    """The hexes of all of them."""
    joined = 0
    for mask in values:  # type: ignore[attr-defined]
        joined |= mask
    return joined


@fold("each(row & mine for row in rows)")
def each(values: Hexes) -> Groups:
    """The sets themselves, as groups."""
    return tuple(values)  # type: ignore[arg-type]
