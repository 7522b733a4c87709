"""Declarations of an earlier text of a file, taken over where a later one has the same."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from kbrules.lang.syntax.tree import Declaration
from kbrules.text import Source, Span


class ReadDeclaration(NamedTuple):
    """A declaration as it was read first, in the source and at the offset of that time."""

    declaration: Declaration
    start: int

    def moved(self, source: Source, start: int) -> Declaration:
        """The declaration in a source, where it begins at an offset."""
        by = start - self.start
        if by == 0 and self.declaration.span.source is source:
            return self.declaration
        moved: Declaration = _moved(self.declaration, source, by)
        return moved


@dataclass(slots=True, eq=False)
class KnownDeclarations:
    """The declarations of the text of a file that were read without findings.

    After `turn`, those that have not been requested since the last one are forgotten.
    """

    _before: dict[str, ReadDeclaration] = field(default_factory=dict)
    _now: dict[str, ReadDeclaration] = field(default_factory=dict)

    def of(self, text: str) -> ReadDeclaration | None:
        """The declaration that has just this text; None if it is not known."""
        known = self._now.get(text) or self._before.get(text)
        if known is not None:
            self._now[text] = known
        return known

    def add(self, text: str, known: ReadDeclaration) -> None:
        """Add the declaration of a text."""
        self._now[text] = known

    def turn(self) -> None:
        """Another text begins."""
        self._before, self._now = self._now, {}


def _moved(node: Any, source: Source, by: int) -> Any:
    """A tree in another source, and further on."""
    kind = node.__class__
    if kind is Span:
        return Span(source, node.start + by, node.end + by)
    if kind is tuple:
        return tuple([_moved(each, source, by) for each in node])
    names = _names(kind)
    if not names:
        return node
    return kind(*[_moved(getattr(node, name), source, by) for name in names])


@lru_cache(maxsize=64)
def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a node; none of a text or a number."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
