"""The mutation points of a declaration: where something else could stand, and what putting it there
makes of the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from kbrules.lang.syntax import tree

Setter = Callable[[Any], tree.Declaration]
LEFT_OUT: tuple[()] = ()
"""What is put where something is left out: instead of one of several."""
_IGNORED = (tree.Wording, tree.Example, tree.Note)  # what is there for people, and what tests


@dataclass(frozen=True, slots=True, eq=False)
class MutationPoint:
    """A part of a declaration; `put` makes the declaration with other parts in its stead.

    `field` is the field of `parent` in which it stands, `number` its place among several there,
    or -1. What is put is one node or None, and a tuple of nodes where there may be several.
    """

    node: Any
    parent: Any
    field: str
    number: int
    put: Setter


def mutation_points(declaration: tree.Declaration) -> Iterator[MutationPoint]:
    """All places, outer ones first, in the order of the text."""
    yield MutationPoint(declaration, None, "", -1, lambda new: new)
    yield from _points_in(declaration, lambda new: new)


def _points_in(node: Any, put: Setter) -> Iterator[MutationPoint]:
    for name in (field.name for field in fields(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from _points_of_items(node, name, value, put)
        elif _is_part(value):
            yield from _with_inner_points(
                MutationPoint(value, node, name, -1, _field_setter(node, name, put))
            )


def _points_of_items(
    node: Any, name: str, parts: tuple[Any, ...], put: Setter
) -> Iterator[MutationPoint]:
    set_field = _field_setter(node, name, put)
    for number, part in enumerate(parts):
        if _is_part(part):
            yield from _with_inner_points(
                MutationPoint(part, node, name, number, _item_setter(parts, number, set_field))
            )


def _with_inner_points(point: MutationPoint) -> Iterator[MutationPoint]:
    yield point
    yield from _points_in(point.node, point.put)


def _is_part(value: object) -> bool:
    return (
        is_dataclass(value)
        and type(value).__module__ == tree.__name__
        and (not isinstance(value, _IGNORED))
    )


def _field_setter(node: Any, name: str, put: Setter) -> Setter:
    return lambda new: put(replace(node, **{name: new}))


def _item_setter(parts: tuple[Any, ...], number: int, put: Setter) -> Setter:
    def set_item(new: Any) -> tree.Declaration:
        items = new if isinstance(new, tuple) else (new,)
        return put((*parts[:number], *items, *parts[number + 1 :]))

    return set_item
