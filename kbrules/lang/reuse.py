"""Declarations of an earlier text of a file, taken over where a later one has the same."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from typing import Any

from kbrules.lang.chunk import Chunk
from kbrules.lang.tree import Declaration
from kbrules.text import Source, Span

__all__ = ["KnownDeclarations"]

Key = tuple[str, tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True, eq=False)
class KnownDeclarations:
    """The declarations of the text of a file that were read without findings.

    After `turn`, those that have not been asked for since the last one are forgotten.
    """

    _before: dict[Key, tuple[int, Declaration]] = field(default_factory=dict)
    _now: dict[Key, tuple[int, Declaration]] = field(default_factory=dict)

    def of(self, chunk: Chunk) -> Declaration | None:
        """The declaration of a chunk, with spans in its source; None if it is not known."""
        key = _key(chunk)
        known = self._now.get(key) or self._before.get(key)
        if known is None:
            return None
        start, declaration = known
        self._now[key] = known
        moved: Declaration = _moved(declaration, chunk.source, chunk.shifts[0] - start)
        return moved

    def add(self, chunk: Chunk, declaration: Declaration) -> None:
        """Keep the declaration of a chunk."""
        self._now[_key(chunk)] = chunk.shifts[0], declaration

    def turn(self) -> None:
        """Another text begins."""
        self._before, self._now = self._now, {}


def _key(chunk: Chunk) -> Key:
    first = chunk.shifts[0]
    return chunk.text, chunk.stops, tuple(shift - first for shift in chunk.shifts)


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
