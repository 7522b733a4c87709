"""Sets of hexes that can have nothing in common, by what their words mean.

An intersection is taken apart into what a hex must be in and what it must not be in.
"""

from __future__ import annotations

from kbrules.lang import core
from kbrules.lang.sorts import Sort
from kbrules.tools.authoring.lint.sameness import key

__all__ = ["Must", "are_disjoint", "is_inside", "why_disjoint"]

Must = tuple[list[core.Expr], list[core.Expr]]

_BOTH, _WITHOUT, _EITHER = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
_KINDS = {"terrain(terrain)", "place(place)"}
# Sets that lie in another one by the meaning of the words.
_LIES_IN = {
    "mine()": "occupied()",
    "mine(piece)": "mine()",
    "pieces(player)": "occupied()",
    "pieces(piece)": "occupied()",
    "neutral()": "occupied()",
}


def necessary_conditions(expr: core.Expr) -> Must:
    """What a hex of a set must be in, and what it must not be in."""
    if isinstance(expr, core.Call) and expr.word == _BOTH:
        (a_in, a_out), (b_in, b_out) = map(necessary_conditions, expr.arguments)
        return a_in + b_in, a_out + b_out
    if isinstance(expr, core.Call) and expr.word == _WITHOUT:
        inside, outside = necessary_conditions(expr.arguments[0])
        return inside, [*outside, *_alternatives(expr.arguments[1])]
    return [expr], []


def _alternatives(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Call) and expr.word == _EITHER:
        return [part for argument in expr.arguments for part in _alternatives(argument)]
    return [expr]


def are_disjoint(call: core.Call) -> bool:
    """Whether an intersection or difference has no hex on any board."""
    return bool(why_disjoint(call))


def why_disjoint(call: core.Call) -> str:
    """Why an intersection or difference has no hex; empty if it may have one."""
    if call.word not in (_BOTH, _WITHOUT):
        return ""
    inside, outside = necessary_conditions(call)
    for must in inside:
        if any(is_inside(must, other) for other in outside):
            return "all that is in the set is taken away"
    kinds = {key(each): each for each in inside if _is_kind(each)}
    if len(kinds) > 1:
        return "a hex is of one kind only"
    return ""


def _is_kind(expr: core.Expr) -> bool:
    """Whether a set is all hexes of one known terrain or kind of place."""
    if not isinstance(expr, core.Call) or expr.word not in _KINDS:
        return False
    of = expr.arguments[0]
    return isinstance(of, core.Lit) and of.sort in (Sort.TERRAIN, Sort.PLACE)


def is_inside(expr: core.Expr, other: core.Expr) -> bool:
    """Whether every hex of a set is in another one, by what is written alone."""
    if key(expr) == key(other) or (isinstance(other, core.Call) and other.word == "board()"):
        return True
    if isinstance(other, core.Call) and other.word == _EITHER:
        return any(is_inside(expr, part) for part in other.arguments)
    if isinstance(other, core.Call) and other.word == _BOTH:
        return all(is_inside(expr, part) for part in other.arguments)
    if not isinstance(expr, core.Call):
        return False
    if expr.word == _EITHER:
        return all(is_inside(part, other) for part in expr.arguments)
    if expr.word == _BOTH:
        return any(is_inside(part, other) for part in expr.arguments)
    if expr.word == _WITHOUT:
        return is_inside(expr.arguments[0], other)
    lies_in = _LIES_IN.get(expr.word)
    return lies_in is not None and isinstance(other, core.Call) and _reaches(lies_in, other.word)


def _reaches(word: str, wanted: str) -> bool:
    return word == wanted or (word in _LIES_IN and _reaches(_LIES_IN[word], wanted))
