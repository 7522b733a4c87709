"""YAML data that remembers where each value was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kbrules.text import Source, Span

Value = str | int | float | bool | None
Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value; `style` is empty for plain text, else the quote or block sign."""

    start: int
    end: int
    value: Value
    style: str = ""


@dataclass(frozen=True, slots=True)
class YamlList:
    """A list of values."""

    start: int
    end: int
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class YamlTable:
    """Keys with their values, in the order written; every key is text, as in JSON."""

    start: int
    end: int
    entries: dict[str, Entry]


@dataclass(frozen=True, slots=True)
class RefusedNode:
    """A value that was refused; it is silent, so that one mistake gives one finding."""

    start: int
    end: int


Node = Scalar | YamlList | YamlTable | RefusedNode


@dataclass(frozen=True, slots=True)
class NodeLocation:
    """Where a walk along a `loc` ended: the path that exists, its key if it has one, its node."""

    path: Loc
    key: Scalar | None
    node: Node


@dataclass(frozen=True, slots=True)
class Document:
    """Plain data (`data`: dict, list, str, int, float, bool, None) and the places of its parts."""

    source: Source
    root: Node
    data: Any

    def span_at(self, loc: Loc, key: bool = False) -> Span:
        """The span of the value at `loc`, or of its key; of the nearest part that exists.

        A part of `loc` that is not in the data is passed over. A block of several lines gives
        its first line.
        """
        place = self.place(loc)
        if key and place.key is not None:
            return self.source.span(place.key.start, place.key.end)
        return self._span(place.node)

    def line_spans(self, loc: Loc) -> tuple[Span, ...]:
        """One span for each line of the text at `loc`, so that a letter in it can be marked.

        Exact for `|` blocks and for text without escapes on one line; else the whole value.
        """
        node = self.place(loc).node
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            return ()
        lines = node.value.splitlines() or [""]
        if node.style == "|":
            first = self.source.position(node.start)[0] + 1
            return tuple(self._block_line(first + i, line) for i, line in enumerate(lines))
        start = node.start + (node.style in ("'", '"'))
        if self.source.text.startswith(node.value, start):
            return (self.source.span(start, start + len(node.value)),)
        return (self._span(node),) * len(lines)

    def _block_line(self, line: int, text: str) -> Span:
        """What the indentation takes from a line is missing in front of its text."""
        indent = len(self.source.line_text(line)) - len(text)
        return self.source.at(line, indent + 1, len(text))

    def place(self, loc: Loc) -> NodeLocation:
        """The nearest place along `loc`, passing over parts that are not in the data."""
        place = NodeLocation((), None, self.root)
        for part in loc:
            place = _step(place, part) or place
        return place

    def _span(self, node: Node) -> Span:
        start, text = node.start, self.source.text[node.start : node.end]
        if isinstance(node, YamlList | YamlTable) and text[:1] not in ("[", "{"):
            text = text.partition("\n")[0]
        return self.source.span(start, start + len(text.rstrip()))


def _step(place: NodeLocation, part: str | int) -> NodeLocation | None:
    node = place.node
    if isinstance(node, YamlList) and isinstance(part, int) and 0 <= part < len(node.items):
        return NodeLocation((*place.path, part), None, node.items[part])
    if isinstance(node, YamlTable) and str(part) in node.entries:
        entry = node.entries[str(part)]
        return NodeLocation((*place.path, str(part)), entry.key, entry.value)
    return None


def plain(node: Node) -> Any:
    """The data of a node without its places; a hole is None."""
    if isinstance(node, YamlTable):
        return {key: plain(entry.value) for key, entry in node.entries.items()}
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else None


def has_holes(node: Node) -> bool:
    """Whether anything in the node was refused."""
    if isinstance(node, YamlTable):
        return any(has_holes(entry.value) for entry in node.entries.values())
    if isinstance(node, YamlList):
        return any(has_holes(item) for item in node.items)
    return isinstance(node, RefusedNode)
