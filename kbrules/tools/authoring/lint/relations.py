"""How two expressions are related, by what is written alone: equal, one inside the other, disjoint.

An intersection is split into what a hex must be in and what it must not be in.
"""

from __future__ import annotations

from kbrules.lang import typed as core
from kbrules.lang.evaluation import DIFFERENCE, INTERSECTION, UNION
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort

Key = tuple[object, ...]


def key(expr: core.Expr | None) -> Key:
    """The key of a typed expression; those of equal keys have equal values everywhere."""
    match expr:
        case None:
            return ()
        case core.Lit(sort=sort, value=value):
            return "lit", sort, value
        case core.Var(name=name):
            return "var", name
        case core.Call(word=word, arguments=arguments):
            return _call(word, tuple(map(key, arguments)))
        case core.Conditional(condition=condition, value=value, other=other):
            return "choice", key(condition), key(value), key(other)
        case core.Fold(word=word, variable=variable, domain=domain, condition=tested, body=body):
            return "fold", word, variable, key(domain), key(tested), key(body)


_COMMUTATIVE_WORDS = {
    INTERSECTION, UNION, "+(number,number)", "*(number,number)", "and(truth,truth)",
    "or(truth,truth)", "=(number,number)", "!=(number,number)",
}  # fmt: skip


def _call(word: str, arguments: tuple[Key, ...]) -> Key:
    if word in _COMMUTATIVE_WORDS:
        arguments = tuple(sorted(arguments, key=repr))
    return word, *arguments


_COMMUTATIVE = {"&", "|", "+", "*", "=", "!=", "and", "or"}


def tree_key(part: object) -> Key:
    """What a part of a tree says: equal keys were written alike, but for blanks and brackets."""
    match part:
        case tree.Operator(symbol=symbol, operands=operands):
            keys = tuple(map(tree_key, operands))
            return symbol, *(sorted(keys, key=repr) if symbol in _COMMUTATIVE else keys)
        case tree.Word(text=text) | tree.Name(text=text):
            return "name", text
        case tree.Number(value=value) | tree.Truth(value=value):
            return "value", value
        case tuple():
            return tuple(map(tree_key, part))
        case str() | int() | None:
            return (part,)
        case _:
            fields = part.__dataclass_fields__  # type: ignore[attr-defined]
            skipped = ("span", "head")
            values = (getattr(part, name) for name in fields if name not in skipped)
            return type(part).__name__, *map(tree_key, values)


# Sets of hexes

Conditions = tuple[list[core.Expr], list[core.Expr]]

_KINDS = {"terrain(terrain)", "place(place)"}
# Sets that lie in another one by the meaning of the words.
_SUPERSETS = {
    "mine()": "occupied()",
    "mine(piece)": "mine()",
    "pieces(player)": "occupied()",
    "pieces(piece)": "occupied()",
    "neutral()": "occupied()",
}


def necessary_conditions(expr: core.Expr) -> Conditions:
    """What a hex of a set must be in, and what it must not be in."""
    if isinstance(expr, core.Call) and expr.word == INTERSECTION:
        (first_in, first_out), (second_in, second_out) = map(necessary_conditions, expr.arguments)
        return first_in + second_in, first_out + second_out
    if isinstance(expr, core.Call) and expr.word == DIFFERENCE:
        inside, outside = necessary_conditions(expr.arguments[0])
        return inside, [*outside, *_alternatives(expr.arguments[1])]
    return [expr], []


def _alternatives(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Call) and expr.word == UNION:
        return [part for argument in expr.arguments for part in _alternatives(argument)]
    return [expr]


def why_disjoint(call: core.Call) -> str:
    """Why an intersection or difference has no hex; empty if it may have one."""
    if call.word not in (INTERSECTION, DIFFERENCE):
        return ""
    inside, outside = necessary_conditions(call)
    for required in inside:
        if any(is_subset(required, other) for other in outside):
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


def is_subset(expr: core.Expr, other: core.Expr) -> bool:
    """Whether every hex of a set is in another one, by what is written alone."""
    if key(expr) == key(other) or (isinstance(other, core.Call) and other.word == "board()"):
        return True
    if isinstance(other, core.Call) and other.word == UNION:
        return any(is_subset(expr, part) for part in other.arguments)
    if isinstance(other, core.Call) and other.word == INTERSECTION:
        return all(is_subset(expr, part) for part in other.arguments)
    if not isinstance(expr, core.Call):
        return False
    if expr.word == UNION:
        return all(is_subset(part, other) for part in expr.arguments)
    if expr.word == INTERSECTION:
        return any(is_subset(part, other) for part in expr.arguments)
    if expr.word == DIFFERENCE:
        return is_subset(expr.arguments[0], other)
    superset = _SUPERSETS.get(expr.word)
    return (
        superset is not None
        and isinstance(other, core.Call)
        and _is_subset_word(superset, other.word)
    )


def _is_subset_word(word: str, target: str) -> bool:
    return word == target or (word in _SUPERSETS and _is_subset_word(_SUPERSETS[word], target))
