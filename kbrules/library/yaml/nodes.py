"""YAML events to nodes: a stack of what is open, the limits, and what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.library.reading import character_name
from kbrules.library.yaml.document import Entry, Node, RefusedNode, Scalar, YamlList, YamlTable
from kbrules.library.yaml.scalars import RefusedScalar, resolve
from kbrules.text import Source, Span, unseen

DEPTH = 32  # lists and tables within each other
NODES = 20_000
FINDINGS = 50
_MERGE = "<<"
_ALONE = "take the line `---` away, or make it a file of its own"
_FLAT = "close brackets, or indent less"


@dataclass(slots=True)
class _OpenList:
    start: int
    items: list[Node] = field(default_factory=list)

    def close(self, end: int) -> Node:
        return YamlList(self.start, end, tuple(self.items))


@dataclass(slots=True)
class _OpenTable:
    start: int
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Node | None = None

    def close(self, end: int) -> Node:
        return YamlTable(self.start, end, self.entries)


class NodeBuilder:
    """Takes events one by one; `take` says whether to go on, `root` gives the node in the end."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self._open: list[_OpenList | _OpenTable] = []
        self._root: Node | None = None
        self._nodes = 0
        self._documents = 0

    def root(self) -> Node:
        """The whole; an empty text is an empty value."""
        return self._root or Scalar(0, 0, None)

    def take(self, event: Any) -> bool:
        """Add an event; False when a limit is passed and the rest should not be read."""
        start, end = event.start_mark.index, event.end_mark.index
        match type(event).__name__:
            case "DocumentStartEvent":
                return self._document(event, start)
            case "MappingStartEvent" | "SequenceStartEvent":
                return self._begin(event, start, end)
            case "MappingEndEvent" | "SequenceEndEvent":
                self._add(self._open.pop().close(end))
                return True
            case "ScalarEvent":
                self._add(self._scalar(event, start, end))
            case "AliasEvent":
                self._refuse(start, end, "aliases")
                self._add(RefusedNode(start, end))
            case _:  # the stream and the document begin or end
                return True
        return self._within_limits(start, end)

    def _within_limits(self, start: int, end: int) -> bool:
        self._nodes += 1
        if self._nodes <= NODES:
            return len(self.diagnostics) < FINDINGS
        self._say("KB406", start, end, f"the file holds more than {NODES} values", "split it")
        return False

    def _document(self, event: Any, start: int) -> bool:
        self._documents += 1
        if self._documents > 1:
            message = "a file holds one document, here begins another"
            self._say("KB405", start, start + 3, message, _ALONE)
            return False
        if event.version or event.tags:
            at = re.search("^%", self.source.text, re.MULTILINE)
            begin = at.start() if at else start
            self._refuse(begin, begin + 1, "directives")
        return True

    def _begin(self, event: Any, start: int, end: int) -> bool:
        if len(self._open) >= DEPTH:
            message = f"lists and tables are nested more than {DEPTH} deep"
            self._say("KB406", start, end, message, _FLAT)
            return False
        start += self._properties(event, start)
        is_table = type(event).__name__ == "MappingStartEvent"
        self._open.append(_OpenTable(start) if is_table else _OpenList(start))
        return self._within_limits(start, end)

    def _scalar(self, event: Any, start: int, end: int) -> Node:
        start += self._properties(event, start)
        style: str = event.style or ""
        hidden = next(unseen(event.value), None)
        if hidden is not None:
            name = character_name(event.value[hidden])
            self._say("KB004", start, end, f"the invisible character {name} is not allowed")
            return RefusedNode(start, end)
        # A key is text whatever it looks like.
        if style or self._at_key():
            return Scalar(start, end, event.value, style)
        value = resolve(event.value)
        if isinstance(value, RefusedScalar):
            self._say("KB403", start, end, value.message, value.help)
            return RefusedNode(start, end)
        return Scalar(start, end, value)

    def _properties(self, event: Any, start: int) -> int:
        """Refuse an anchor or tag; the number of characters it takes in front of the value."""
        if event.anchor is None and event.tag is None:
            return 0
        written = re.compile(r"(?:[&!]\S*\s*)*").match(self.source.text, start)
        length = len(written.group()) if written else 0
        self._refuse(start, start + length, "tags" if event.anchor is None else "anchors")
        return length

    def _at_key(self) -> bool:
        return bool(self._open) and _awaits_key(self._open[-1])

    def _add(self, node: Node) -> None:
        parent = self._open[-1] if self._open else None
        if isinstance(parent, _OpenList):
            parent.items.append(node)
        elif parent is None:
            self._root = node
        elif parent.key is None:
            parent.key = node
        else:
            self._pair(parent, parent.key, node)
            parent.key = None

    def _pair(self, table: _OpenTable, key: Node, value: Node) -> None:
        if not isinstance(key, Scalar):
            if not isinstance(key, RefusedNode):
                self._refuse(key.start, key.end, "lists and tables as keys")
            return
        name = str(key.value)
        if name == _MERGE and not key.style:
            self._refuse(key.start, key.end, "merge keys")
        elif name in table.entries:
            first = table.entries[name].key
            message = f"the key {quoted(name)} is given twice"
            label = Label(self._span(first.start, first.end), "first given here")
            where = self._span(key.start, key.end)
            self.diagnostics.append(Diagnostic("KB404", where, message, labels=(label,)))
        else:
            table.entries[name] = Entry(key, value)

    def _refuse(self, start: int, end: int, what: str) -> None:
        self._say("KB405", start, end, f"{what} are not used in data files", "write the value out")

    def _say(self, code: str, start: int, end: int, message: str, help: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, self._span(start, end), message, help))

    def _span(self, start: int, end: int) -> Span:
        """Without the blanks and line ends the parser counts to a value."""
        text = self.source.text[start:end].rstrip()
        return self.source.span(start, start + len(text))


def _awaits_key(parent: _OpenList | _OpenTable) -> bool:
    return isinstance(parent, _OpenTable) and parent.key is None
