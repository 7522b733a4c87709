"""YAML as data that remembers where each value was written, read within limits.

`read_yaml` returns a `Document` or findings and raises no exception. The parser yields one event
after the other, with its places, and reading stops at the first that goes too far: no hostile
file gets to spend time or depth. The composer of ruamel is not used, because it follows aliases
without keeping their places, and because a text that breaks would hide what was found before.
Values are made here, not by the parser: there are no dates or other surprises to construct.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.library.reading import character_name, unseen_characters
from kbrules.text import Source, Span, unseen

LIMIT = 128 * 1024  # bytes; read in about a second
DEPTH = 32  # lists and tables within each other
NODES = 20_000
FINDINGS = 50

Value = str | int | float | bool | None
Loc = tuple[str | int, ...]


# Nodes


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


def plain(node: Node) -> Any:
    """Return the data of a node without its places; what was refused is None."""
    if isinstance(node, YamlTable):
        return {key: plain(entry.value) for key, entry in node.entries.items()}
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else None


def has_holes(node: Node) -> bool:
    """Return whether anything in the node was refused."""
    if isinstance(node, YamlTable):
        return any(has_holes(entry.value) for entry in node.entries.values())
    if isinstance(node, YamlList):
        return any(has_holes(item) for item in node.items)
    return isinstance(node, RefusedNode)


# Places


class NodeLocation(NamedTuple):
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

    def place(self, loc: Loc) -> NodeLocation:
        """Return the nearest place along `loc`, skipping parts that are not in the data."""
        place = NodeLocation((), None, self.root)
        for part in loc:
            node = place.node
            if isinstance(node, YamlList) and isinstance(part, int) and 0 <= part < len(node.items):
                place = NodeLocation((*place.path, part), None, node.items[part])
            elif isinstance(node, YamlTable) and str(part) in node.entries:
                entry = node.entries[str(part)]
                place = NodeLocation((*place.path, str(part)), entry.key, entry.value)
        return place

    def span_at(self, loc: Loc, key: bool = False) -> Span:
        """Return the span of the value at `loc`, or of its key; of the nearest part that exists.

        A part of `loc` that is not in the data is skipped. A block of several lines gives its
        first line.
        """
        place = self.place(loc)
        if key and place.key is not None:
            return self.source.span(place.key.start, place.key.end)
        return self._span(place.node)

    def line_spans(self, loc: Loc) -> tuple[Span, ...]:
        """Return one span for each line of the text at `loc`, so that a letter can be marked.

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
        # What the indentation takes from a line is missing in front of its text.
        indent = len(self.source.line_text(line)) - len(text)
        return self.source.at(line, indent + 1, len(text))

    def _span(self, node: Node) -> Span:
        start, text = node.start, self.source.text[node.start : node.end]
        if isinstance(node, YamlList | YamlTable) and text[:1] not in ("[", "{"):
            text = text.partition("\n")[0]
        return self.source.span(start, start + len(text.rstrip()))


# Reading


def read_yaml(source: Source) -> tuple[Document | None, list[Diagnostic]]:
    """Return the data of a YAML text and all that is wrong with it.

    The data is there whenever the text could be read to its end, even if parts were refused:
    such parts are holes, about which `validate` keeps silent.
    """
    if found := _unreadable(source):
        return None, found
    composer = _Composer(source)
    try:
        root = composer.document()
    except _Stopped as stopped:
        return None, sorted([*composer.diagnostics, *stopped.args])
    return Document(source, root, plain(root)), sorted(composer.diagnostics)


def _unreadable(source: Source) -> list[Diagnostic]:
    size = len(source.text)
    if size > LIMIT or len(source.text.encode("utf-8", "replace")) > LIMIT:
        start = source.span(0, 0)
        message = f"the data is larger than {LIMIT // 1024} KiB"
        return [Diagnostic("KB003", start, message, "split it into several files")]
    return unseen_characters(source)


class _Stopped(Exception):
    """The rest of a text is not read; the argument, if there is one, says why."""


_ALONE = "take the line `---` away, or make it a file of its own"
_FLAT = "close brackets, or indent less"


class _Composer:
    """Turns the events of a text into nodes; `diagnostics` are of what it refused."""

    def __init__(self, source: Source) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._source = source
        self._events = _events(source)
        self._nodes = 0

    def document(self) -> Node:
        """Return the node of the only document; an empty text is an empty value."""
        root: Node | None = None
        for event in self._events:
            match type(event).__name__:
                case "DocumentStartEvent":
                    self._begin_document(event, is_first=root is None)
                case "StreamStartEvent" | "DocumentEndEvent" | "StreamEndEvent":
                    pass
                case _:
                    root = self._node(event)
        return root or Scalar(0, 0, None)

    def _begin_document(self, event: Any, is_first: bool) -> None:
        start = event.start_mark.index
        if not is_first:
            message = "a file holds one document, here begins another"
            raise self._stopped("KB405", start, start + 3, message, _ALONE)
        if event.version or event.tags:
            at = re.search("^%", self._source.text, re.MULTILINE)
            begin = at.start() if at else start
            self._refuse(begin, begin + 1, "directives")

    def _node(self, event: Any, depth: int = 0, is_key: bool = False) -> Node:
        """Return the node that begins with an event, within so many lists and tables."""
        start, end = event.start_mark.index, event.end_mark.index
        match type(event).__name__:
            case "AliasEvent":
                self._refuse(start, end, "aliases")
                self._count(start, end)
                return RefusedNode(start, end)
            case "ScalarEvent":
                scalar = self._scalar(event, start, end, is_key)
                self._count(start, end)
                return scalar
        if depth == DEPTH:
            message = f"lists and tables are nested more than {DEPTH} deep"
            raise self._stopped("KB406", start, end, message, _FLAT)
        start += self._properties(event, start)
        self._count(start, end)
        read = self._table if type(event).__name__ == "MappingStartEvent" else self._list
        return read(start, depth + 1)

    def _list(self, start: int, depth: int) -> YamlList:
        items = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self._node(event, depth))
        return YamlList(start, event.end_mark.index, tuple(items))

    def _table(self, start: int, depth: int) -> YamlTable:
        entries: dict[str, Entry] = {}
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            key = self._node(event, depth, is_key=True)
            self._enter(entries, key, self._node(next(self._events), depth))
        return YamlTable(start, event.end_mark.index, entries)

    def _enter(self, entries: dict[str, Entry], key: Node, value: Node) -> None:
        if isinstance(key, RefusedNode):
            return
        if not isinstance(key, Scalar):
            return self._refuse(key.start, key.end, "lists and tables as keys")
        name = str(key.value)
        if name == "<<" and not key.style:
            self._refuse(key.start, key.end, "merge keys")
        elif name in entries:
            first = entries[name].key
            label = Label(self._span(first.start, first.end), "first given here")
            message = f"the key {quoted(name)} is given twice"
            where = self._span(key.start, key.end)
            self._report(Diagnostic("KB404", where, message, labels=(label,)))
        else:
            entries[name] = Entry(key, value)

    def _scalar(self, event: Any, start: int, end: int, is_key: bool) -> Node:
        start += self._properties(event, start)
        text, style = event.value, event.style or ""
        hidden = next(unseen(text), None)
        if hidden is not None:
            name = character_name(text[hidden])
            self._say("KB004", start, end, f"the invisible character {name} is not allowed")
            return RefusedNode(start, end)
        # A key is text whatever it looks like.
        if style or is_key:
            return Scalar(start, end, text, style)
        message, help = _why_refused(text)
        if message:
            self._say("KB403", start, end, message, help)
            return RefusedNode(start, end)
        return Scalar(start, end, _value_of(text))

    def _properties(self, event: Any, start: int) -> int:
        """Refuse an anchor or tag; return how many characters it takes in front of the value."""
        if event.anchor is None and event.tag is None:
            return 0
        written = re.compile(r"(?:[&!]\S*\s*)*").match(self._source.text, start)
        length = len(written.group()) if written else 0
        self._refuse(start, start + length, "tags" if event.anchor is None else "anchors")
        return length

    def _count(self, start: int, end: int) -> None:
        self._nodes += 1
        if self._nodes > NODES:
            message = f"the file holds more than {NODES} values"
            raise self._stopped("KB406", start, end, message, "split it")

    def _refuse(self, start: int, end: int, what: str) -> None:
        self._say("KB405", start, end, f"{what} are not used in data files", "write the value out")

    def _stopped(self, code: str, start: int, end: int, message: str, help: str) -> _Stopped:
        return _Stopped(Diagnostic(code, self._span(start, end), message, help))

    def _say(self, code: str, start: int, end: int, message: str, help: str = "") -> None:
        self._report(Diagnostic(code, self._span(start, end), message, help))

    def _report(self, found: Diagnostic) -> None:
        self.diagnostics.append(found)
        if len(self.diagnostics) == FINDINGS:
            raise _Stopped

    def _span(self, start: int, end: int) -> Span:
        """Return a span without the blanks and line ends the parser counts to a value."""
        text = self._source.text[start:end].rstrip()
        return self._source.span(start, start + len(text))


# What a single unquoted word means: text, unless it is plainly a number, a truth or nothing.
# Stricter than YAML: what other readers would take for a date, a special number or a number in
# disguise is refused, so that no value is other than it looks.

_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,5})")
_DECIMAL = re.compile(r"-?[0-9]{1,6}\.[0-9]{1,6}")
_DIGITS = re.compile(r"-?[0-9]{7,}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?")
_DISGUISED = re.compile(
    r"[-+]?(0[xob][0-9a-fA-F_]+|[0-9][0-9_]*|[0-9_]*\.[0-9_]*([eE][-+]?[0-9]+)?"
    r"|[0-9]+[eE][-+]?[0-9]+|\.(inf|Inf|INF)|\.(nan|NaN|NAN))"
)
_QUOTE = "put it in quotes if it is text"


def _value_of(text: str) -> Value:
    """Return the value an unquoted word stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _why_refused(text: str) -> tuple[str, str]:
    """Return why an unquoted word is not taken, and what to write instead; empty if it is."""
    if _DIGITS.fullmatch(text):
        return f"the number {quoted(text)} has more than 6 digits", _QUOTE
    if _DATE.fullmatch(text):
        return f"{quoted(text)} looks like a date, and dates are not used here", _QUOTE
    is_number = _WHOLE.fullmatch(text) or _DECIMAL.fullmatch(text)
    if not is_number and _DISGUISED.fullmatch(text) and text not in ("-", "+", "."):
        help = f"{_QUOTE}; as a number write digits only, such as `12`"
        return f"{quoted(text)} is not how a number is written here", help
    return "", ""


# The parser, and its errors in our words


def _events(source: Source) -> Iterator[Any]:
    """Yield what the parser reads; stop with a finding where it gives up."""
    from ruamel.yaml import YAML

    try:
        yield from YAML(typ="safe", pure=True).parse(source.text)
    except Exception as error:  # on hostile text the parser may also fail in ways of its own
        raise _Stopped(_parser_finding(source, error)) from error


@dataclass(frozen=True, slots=True)
class _ProblemWording:
    """Our words for a problem of the parser; they are marked where it was noticed or began."""

    problem: str
    message: str
    help: str = ""
    at_beginning: bool = False
    code: str = "KB401"


_QUOTES = "put the text in quotes if the sign belongs to it"
_INDENT = "check its indentation, or put the whole text in quotes"
_WORDINGS = (
    _ProblemWording("unexpected end of stream", "this quote is not closed", at_beginning=True),
    _ProblemWording("unexpected document separator", "this quote is not closed", at_beginning=True),
    _ProblemWording("but got '<stream end>'", "this bracket is not closed", at_beginning=True),
    _ProblemWording("',' or ']'", "a comma or `]` is missing before this"),
    _ProblemWording("',' or '}'", "a comma or `}` is missing before this"),
    _ProblemWording("'\\t' that cannot", "a tab cannot indent a line", "use blanks"),
    _ProblemWording("that cannot start", "a value cannot begin with this sign", _QUOTES),
    _ProblemWording("mapping values are not", "this `:` does not follow a key", _QUOTES),
    _ProblemWording(
        "expected ':'", "no `:` follows this key", "is a quote missing?", at_beginning=True
    ),
    _ProblemWording("<block end>", "this does not fit the lines above", _INDENT),
    _ProblemWording(
        "sequence entries are not", "a list cannot begin here", "check its indentation"
    ),
    _ProblemWording("escape", "this escape is not known", "write a backslash as `\\\\`"),
    _ProblemWording("expected a comment or a line", "only a comment may follow here"),
    _ProblemWording("alphabetic or numeric", "a name must follow `&` or `*`", _QUOTES),
    _ProblemWording("document start", "the data has ended before this"),
    _ProblemWording("found '<stream end>'", "the data ends here, but a bracket is still open"),
    _ProblemWording("node content", "a value is missing before this"),
    _ProblemWording("chomping", "only a line end may follow `|` or `>`"),
    _ProblemWording("end marker", "the data has ended before this"),
    _ProblemWording("tag handle", "tags are not used in data files", "drop it", code="KB405"),
)
_GENERAL = _ProblemWording("", "this cannot be read as YAML", "look at the line before, too")


def _parser_finding(source: Source, error: Exception) -> Diagnostic:
    """Return our words for what the parser raised, at the one character complained about."""
    problem = str(getattr(error, "problem", None) or "")
    wording = next((each for each in _WORDINGS if each.problem in problem), _GENERAL)
    # Some errors have only the mark of where they began.
    marks = [getattr(error, name, None) for name in ("problem_mark", "context_mark")]
    if wording.at_beginning:
        marks.reverse()
    start = getattr(marks[0] or marks[1], "index", len(source.text))
    span = source.span(start, start + 1)
    return Diagnostic(wording.code, span, wording.message, wording.help)
