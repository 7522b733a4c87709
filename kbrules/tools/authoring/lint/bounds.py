"""What an expression can be at least and at most, whatever the board and the position.

A number is between two numbers. A truth is 0 or 1. Of sets and groups it is how many there are in
them. Everything said here is on the safe side: what is not known could be anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kbrules.game.catalog import Catalog
from kbrules.lang import core
from kbrules.lang.sorts import ELEMENT, Sort
from kbrules.tools.authoring.lint.disjoint import are_disjoint
from kbrules.tools.authoring.lint.sameness import key

__all__ = ["AROUND", "MOST", "Bounds", "Interval"]

Interval = tuple[int, int]
MOST = 1_000_000
AROUND = 6  # neighbours of a hex
_UNKNOWN = {Sort.TRUTH: (0, 1), Sort.NUMBER: (-MOST, MOST)}
_NOTHING = (0, 0)
# Words that give hexes or groups only if their first set has any.
_EMPTY_OF_EMPTY = (
    "adjacent", "straight", "slide", "next_in", "reach", "inside", "alike", "connected", "linked",
    "groups", "lines", "parts", "ends", "largest", "smallest", "touching", "within",
)  # fmt: skip


@dataclass(slots=True)
class Bounds:
    """The bounds of typed expressions; what several share is looked at once.

    is_restored: whether a step puts pieces into supplies, which may then be as large as you like.
    """

    catalog: Catalog
    is_restored: bool = False
    _known: dict[int, tuple[core.Expr, Interval]] = field(default_factory=dict)

    def of(self, expr: core.Expr) -> Interval:
        """The least and the most an expression can be."""
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = expr, self._find(expr)
        return found[1]

    def _find(self, expr: core.Expr) -> Interval:
        match expr:
            case core.Lit(sort=Sort.NUMBER | Sort.TRUTH, value=value):
                return int(value), int(value)
            case core.Lit(sort=sort, value=value) if sort in ELEMENT and not value:
                return _NOTHING
            case core.Call():
                return self._call(expr)
            case core.Conditional(condition=condition, value=value, other=other):
                return self._choice(condition, self.of(value), self.of(other))
            case core.Fold():
                return self._fold(expr)
            case _:
                return _unknown(expr.sort)

    def _choice(self, condition: core.Expr, value: Interval, other: Interval) -> Interval:
        low, high = self.of(condition)
        if low == high:
            return value if low else other
        return min(value[0], other[0]), max(value[1], other[1])

    def _call(self, call: core.Call) -> Interval:
        name = call.word.partition("(")[0]
        if call.word in _SUMS:
            return _SUMS[call.word](*map(self.of, call.arguments))
        if call.word in _COMPARISONS:
            if key(call.arguments[0]) == key(call.arguments[1]):
                return _COMPARISONS[call.word]((0, 0), (0, 0))
            return _COMPARISONS[call.word](*map(self.of, call.arguments))
        if call.word in _SETS:
            return self._sets(call)
        if name == "touching":
            return self._touching(*call.arguments)
        if name in _EMPTY_OF_EMPTY and self.of(call.arguments[0])[1] == 0:
            return _NOTHING
        return self._word(name, call)

    def _word(self, name: str, call: core.Call) -> Interval:
        match name:
            case "count":
                return self.of(call.arguments[0])
            case "any":
                low, high = self.of(call.arguments[0])
                return min(low, 1), min(high, 1)
            case "none":
                low, high = self.of(call.arguments[0])
                return int(high == 0), int(low == 0)
            case "foremost":
                low, high = self.of(call.arguments[0])
                return min(low, 1), min(high, 1)
            case "most" | "least":
                (low, high), (other_low, other_high) = map(self.of, call.arguments)
                best = max if name == "most" else min
                return best(low, other_low), best(high, other_high)
            case "supply" if isinstance(call.arguments[0], core.Lit):
                return 0, MOST if self.is_restored else self._supply(call.arguments[0].value)
            case "quantity" | "option":
                return _unknown(call.sort)
            case _ if call.sort is Sort.NUMBER:
                return 0, MOST
            case _:
                return _unknown(call.sort)

    def _supply(self, piece: int) -> int:
        return self.catalog.pieces[piece].supply

    def _sets(self, call: core.Call) -> Interval:
        if are_disjoint(call):
            return _NOTHING
        (low, high), (other_low, other_high) = map(self.of, call.arguments)
        match call.word[0]:
            case "&":
                return 0, min(high, other_high)
            case "|":
                return max(low, other_low), _kept(high + other_high)
            case _:
                return max(0, low - other_high), high

    def _touching(self, of: core.Expr, how_many: core.Expr) -> Interval:
        if not isinstance(how_many, core.Call):
            return 0, MOST
        low, high = self.of(how_many.arguments[0])
        name = how_many.word.partition("(")[0]
        least = 0 if name == "at most" else low
        most = MOST if name == "at least" else high
        too_many = least > AROUND or least > self.of(of)[1] or most < least or most < 0
        return _NOTHING if too_many else (0, MOST)

    def _fold(self, fold: core.Fold) -> Interval:
        name = fold.word.partition("(")[0]
        over, (low, high) = self.of(fold.domain), self.of(fold.body)
        never = over[1] == 0 or (fold.condition is not None and self.of(fold.condition)[1] == 0)
        if never:
            return (1, 1) if name == "all" else _NOTHING
        match name:
            case "any":
                return 0, high
            case "all":
                return low, 1
            case "most" | "least":
                return min(low, 0), max(high, 0)
            case "sum":
                return (0 if low >= 0 else -MOST), (0 if high <= 0 else MOST)
            case "each":
                return 0, over[1]
            case "count":
                return 0, over[1] * high
            case _:
                return 0, (0 if high == 0 else MOST)


def _unknown(sort: Sort) -> Interval:
    return _UNKNOWN.get(sort, (0, MOST))


def _kept(value: int) -> int:
    return max(-MOST, min(MOST, value))


def _plus(a: Interval, b: Interval) -> Interval:
    return _kept(a[0] + b[0]), _kept(a[1] + b[1])


def _minus(a: Interval) -> Interval:
    return -a[1], -a[0]


def _times(a: Interval, b: Interval) -> Interval:
    corners = [_kept(x * y) for x in a for y in b]
    return min(corners), max(corners)


def _over(a: Interval, b: Interval) -> Interval:
    if b[0] == b[1]:
        ends = [x // b[0] for x in a] if b[0] else [0]
        return min(ends), max(ends)
    return (0, a[1]) if a[0] >= 0 and b[0] >= 0 else (-MOST, MOST)


_SUMS: dict[str, Callable[..., Interval]] = {
    "+(number,number)": _plus,
    "-(number,number)": lambda a, b: _plus(a, _minus(b)),
    "-(number)": _minus,
    "*(number,number)": _times,
    "/(number,number)": _over,
    "and(truth,truth)": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "or(truth,truth)": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "not(truth)": lambda a: (1 - a[1], 1 - a[0]),
}


def _below(a: Interval, b: Interval) -> Interval:
    return int(a[1] < b[0]), int(a[0] < b[1])


def _not_above(a: Interval, b: Interval) -> Interval:
    return int(a[1] <= b[0]), int(a[0] <= b[1])


def _same(a: Interval, b: Interval) -> Interval:
    return int(a == b and a[0] == a[1]), int(a[0] <= b[1] and b[0] <= a[1])


_COMPARISONS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "<(number,number)": _below,
    ">(number,number)": lambda a, b: _below(b, a),
    "<=(number,number)": _not_above,
    ">=(number,number)": lambda a, b: _not_above(b, a),
    "=(number,number)": _same,
    "!=(number,number)": lambda a, b: _SUMS["not(truth)"](_same(a, b)),
}
_SETS = {"&(hexes,hexes)", "|(hexes,hexes)", "-(hexes,hexes)"}
