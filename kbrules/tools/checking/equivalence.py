"""Whether rule sets, or parts of them, mean the same beyond doubt: their typed core is equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from kbrules.lang.typed import Call
from kbrules.library.ruleset import Ruleset

_IGNORED = ("span", "spans", "examples", "title", "wording")
"""What is no part of the meaning."""
_COMMUTATIVE = ("&", "|", "and", "or", "+", "*", "=", "!=")
"""Operators of which the operands may change places."""


Accepts = Callable[[Any, Any], bool]
"""Whether two nodes may stand for each other though their fields differ."""


def are_equivalent(one: Ruleset, other: Ruleset) -> bool:
    """Whether rules, options, memories and marks say the same, operands in any order."""
    return (
        one.options == other.options
        and one.memories == other.memories
        and are_equal(one.rules, other.rules, _are_swapped)
        and are_equal(tuple(one.marks.values()), tuple(other.marks.values()), _are_swapped)
    )


def are_equal(one: Any, other: Any, accepts: Accepts = lambda one, other: False) -> bool:
    """Whether two values of a rule set or a box are equal but for texts and places."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        keys = one.keys()
        return keys == other.keys() and all(are_equal(one[k], other[k], accepts) for k in keys)
    if isinstance(one, tuple | list):
        items = zip(one, other, strict=False)
        return len(one) == len(other) and all(are_equal(*pair, accepts) for pair in items)
    kind: Any = type(one)  # a type is hashable, whatever its values are
    names = _fields(kind)
    if names is None:
        return bool(one == other)
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    return all(are_equal(*pair, accepts) for pair in pairs) or accepts(one, other)


def _are_swapped(one: Any, other: Any) -> bool:
    """Whether two calls differ in the order of two operands only, and that does not matter."""
    if not isinstance(one, Call) or one.word != other.word:
        return False
    if one.word.partition("(")[0] not in _COMMUTATIVE:
        return False
    return are_equal(one.arguments, other.arguments[::-1], _are_swapped)


@cache
def _fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a kind of node that are part of its meaning; None for any other value."""
    if not is_dataclass(kind):
        return None
    return tuple(f.name for f in fields(kind) if f.compare and f.name not in _IGNORED)
