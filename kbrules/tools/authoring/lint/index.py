"""An index of tree nodes: every part of the declarations by its kind, found in one walk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kbrules.lang import typed as core
from kbrules.lang.syntax import tree
from kbrules.text import Span


def nodes_by_class(declarations: Iterable[tree.Declaration]) -> dict[type, list[Any]]:
    """The parts of declarations by their class, in the order written."""
    nodes: dict[type, list[Any]] = {}
    for part in walk(tuple(declarations)):
        nodes.setdefault(type(part), []).append(part)
    return nodes


def walk(part: object) -> Iterator[Any]:
    """A part of a tree or of a typed rule, and every part in it, however deep, outer ones first."""
    yield from _walk_until(part, frozenset())


def outermost(part: object, kinds: frozenset[type]) -> Iterator[Any]:
    """The parts of some kinds that lie in no other part of those kinds."""
    return (each for each in _walk_until(part, kinds) if type(each) in kinds)


def statements_of(rule: core.Rule) -> tuple[object, ...]:
    """All that a typed rule says, but for its examples."""
    parts = rule.norms, rule.changes, rule.awards, rule.wins
    return *parts, rule.triggers, rule.whenevers, rule.actions, rule.phases


def _walk_until(part: object, leaves: frozenset[type]) -> Iterator[Any]:
    """A part and the parts in it, without looking into those of some kinds."""
    stack = [part]
    while stack:
        each = stack.pop()
        kind = type(each)
        if kind is tuple:
            stack.extend(reversed(each))  # type: ignore[call-overload]
            continue
        fields = _FIELDS.get(kind)
        if fields is None:
            fields = _FIELDS[kind] = _fields_of(kind)
        if fields is not _NO_FIELDS:
            yield each
            if kind not in leaves:
                stack.extend(getattr(each, name) for name in fields)


EXPRESSIONS: frozenset[type] = frozenset(
    {core.Lit, core.Var, core.Call, core.Fold, core.Conditional}
)
_NO_FIELDS: tuple[str, ...] = ("no part of a tree",)
_FIELDS: dict[type, tuple[str, ...]] = {}
_LEAF_TYPES = {"Span", "str", "int", "bool", "Sort", "bool | int", "Span | None", "str | None"}


def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a class that may hold further parts, last one first."""
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is None or kind is Span:
        return _NO_FIELDS
    return tuple(name for name, field in reversed(fields.items()) if field.type not in _LEAF_TYPES)
