"""Every place of a declaration at which something else could stand, and what putting it there
makes of the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from kbrules.lang import tree

__all__ = ["NOTHING", "Place", "places"]

Put = Callable[[Any], tree.Declaration]
Made = TypeVar("Made")
NOTHING: tuple[()] = ()
"""What is put where something is left out: instead of one of several."""
_NEVER = (tree.Wording, tree.Example, tree.Note)  # what is said for people, and what tests


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A part of a declaration; `put` makes the declaration with other parts in its stead.

    `field` is the field of `parent` in which it stands, `number` its place among several there,
    or -1. What is put is one node or None, and a tuple of nodes where there may be several.
    """

    node: Any
    parent: Any
    field: str
    number: int
    put: Put


def places(declaration: tree.Declaration) -> Iterator[Place]:
    """All places, outer ones first, in the order of the text."""
    yield Place(declaration, None, "", -1, lambda new: new)
    yield from _inside(declaration, lambda new: new)


def _inside(node: Any, put: Put) -> Iterator[Place]:
    for name in (field.name for field in fields(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from _several(node, name, value, put)
        elif _is_part(value):
            yield from _one(Place(value, node, name, -1, _putting(node, name, put)))


def _several(node: Any, name: str, parts: tuple[Any, ...], put: Put) -> Iterator[Place]:
    whole = _putting(node, name, put)
    for number, part in enumerate(parts):
        if _is_part(part):
            yield from _one(Place(part, node, name, number, _among(parts, number, whole)))


def _one(place: Place) -> Iterator[Place]:
    yield place
    yield from _inside(place.node, place.put)


def _is_part(value: object) -> bool:
    return (
        is_dataclass(value)
        and type(value).__module__ == tree.__name__
        and (not isinstance(value, _NEVER))
    )


def _putting(node: Any, name: str, put: Put) -> Put:
    return lambda new: put(replace(node, **{name: new}))


def _among(parts: tuple[Any, ...], number: int, put: Put) -> Put:
    def puts(new: Any) -> tree.Declaration:
        instead = new if isinstance(new, tuple) else (new,)
        return put((*parts[:number], *instead, *parts[number + 1 :]))

    return puts
