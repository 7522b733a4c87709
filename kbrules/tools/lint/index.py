"""Trees laid out flat: every part of the declarations by its kind, walked through once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from kbrules.lang import tree
from kbrules.text import Span

__all__ = ["Index", "inside"]

Part = TypeVar("Part")

_LEAVES = (str, int, Span, type(None))


@dataclass(frozen=True, slots=True)
class Index:
    """The parts of trees by class, each with the declaration it stands in, as written."""

    parts: dict[type, list[Any]] = field(default_factory=dict)
    owners: dict[int, tree.Declaration] = field(default_factory=dict)

    @classmethod
    def of(cls, declarations: Iterable[tree.Declaration]) -> Index:
        """The index of some declarations."""
        index = cls()
        for declaration in declarations:
            for part in inside(declaration):
                index.parts.setdefault(type(part), []).append(part)
                index.owners[id(part)] = declaration
        return index

    def of_kind(self, kind: type[Part]) -> Iterator[Part]:
        """The parts of exactly one class, in the order written."""
        yield from cast(list[Part], self.parts.get(kind, []))

    def owner(self, part: object) -> tree.Declaration:
        """The declaration a part stands in; KeyError for one that is not in the index."""
        return self.owners[id(part)]


def inside(part: object) -> Iterator[Any]:
    """A part of a tree and every part in it, however deep, outer ones first."""
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, _LEAVES):
            continue
        if isinstance(each, tuple):
            waiting.extend(reversed(each))
            continue
        yield each
        names = each.__dataclass_fields__  # type: ignore[attr-defined]
        waiting.extend(getattr(each, name) for name in reversed(names))
