"""The answers to an editor or a page, as plain values, and what is at a place of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypeVar

from kbrules.diagnostics import CodedError
from kbrules.text import Source, Span

# The answers: texts, numbers and lists of them, no more, so that any transport can hand them over.
#
# Offsets count characters of a text with line feeds as line ends and without a byte order mark.
# A place is where its author wrote something, never in what a table makes of it.


_FIELD = re.compile(r"\$\{[0-9]+:([^}]*)\}|\$[0-9]+")
MAX_VALUE = 2_000_000
"""Characters of a text, and the largest number, in a request."""
Value = TypeVar("Value")


class Refused(CodedError):
    """A request that is not answered: why, what to do instead, and a code."""

    def __init__(self, message: str, help: str = "", code: str = "KB009") -> None:
        super().__init__(message, help)
        self.code = code


def value_of(params: Mapping[str, Any], name: str, kind: type[Value], default: Value) -> Value:
    """Return a value of a request. Raises Refused if it is of another kind."""
    value = params.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused(f"`{name}` must be of the kind {kind.__name__}")
    if kind is int and not 0 <= value <= MAX_VALUE:  # type: ignore[operator]
        raise Refused(f"`{name}` must be from 0 to {MAX_VALUE}")
    return value


def text_of(params: Mapping[str, Any], name: str, default: str = "") -> str:
    """Return a text of a request. Raises Refused if it is none, or too long."""
    text = value_of(params, name, str, default)
    if len(text) > MAX_VALUE:
        raise Refused(f"`{name}` has {len(text)} characters", f"at most {MAX_VALUE} are taken")
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise Refused(f"`{name}` has half a character")
    return text


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of a file, from `start` up to, not including, `end`. `file` is a path."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A piece of a file that is to be replaced by a text."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a finding names, with a word on it."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong at a place, how sure that is, and what fixes it."""

    place: Place
    code: str
    severity: str
    message: str
    help: str = ""
    claim: str = ""
    labels: tuple[Label, ...] = ()
    fix: tuple[TextEdit, ...] = ()


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with some edits of it, which do not overlap."""
    for edit in sorted(edits, key=lambda edit: (edit.place.start, edit.place.end), reverse=True):
        text = text[: edit.place.start] + edit.text + text[edit.place.end :]
    return text


def shortened(text: str, most: int) -> str:
    """Return a text, its end left out where it has more than so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def place_in(file: Path, span: Span) -> Place:
    """Return the place of a span of a file, where its author wrote it."""
    return Place(str(file), *span.source.written(span.start, span.end))


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """An example or scenario that was run: `found` says what was found if it does not hold.

    `id` is that of `kbrules test`. `picture` is the board as text; empty if there is none.
    `findings` are where the expectations are written.
    """

    id: str
    title: str
    place: Place
    holds: bool
    found: str = ""
    picture: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Hover:
    """What is known of the word at a place, in Markdown."""

    place: Place
    markdown: str


class CompletionKind(StrEnum):
    """What a proposal is."""

    WORD = "word"
    STEP = "step"
    KEYWORD = "keyword"
    SORT = "sort"
    EVENT = "event"
    VARIABLE = "variable"
    DECLARED = "declared"
    THING = "thing"
    HEX = "hex"
    KEY = "key"
    VALUE = "value"
    SNIPPET = "snippet"


@dataclass(frozen=True, slots=True)
class Completion:
    """A proposal: `text` takes the place of what is typed.

    `detail` is a signature or a few words, `markdown` a page. The text of a snippet has places to
    fill in, written `${1:name}`; its lines are indented as they are to stand. Proposals come best
    first.
    """

    label: str
    kind: CompletionKind
    text: str
    detail: str = ""
    markdown: str = ""
    is_snippet: bool = False

    @property
    def plain_text(self) -> str:
        """The text for an editor without snippets."""
        return _FIELD.sub(lambda found: found[1] or "", self.text) if self.is_snippet else self.text


@dataclass(frozen=True, slots=True)
class Completions:
    """What may be written at a place, best first; all of it takes the place of one word."""

    place: Place
    proposals: tuple[Completion, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to write a word: its label, the place of each parameter in the label, its page."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    markdown: str = ""


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The ways to write the word around a place, which of them fits, and which argument it is."""

    shapes: tuple[Shape, ...]
    active: int
    parameter: int


class SymbolKind(StrEnum):
    """What a symbol is."""

    RULE = "rule"
    DEFINE = "define"
    STEPS = "steps"
    OPTION = "option"
    MEMORY = "memory"
    EXAMPLE = "example"
    SCENARIO = "scenario"
    TABLE = "table"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something that is declared: all of it, its name, and what lies in it."""

    name: str
    kind: SymbolKind
    place: Place
    name_place: Place
    detail: str = ""
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class SemanticToken:
    """A part of one line and what it is.

    `kind` is a value of `TokenKind` or of `Sort`; a declared name is told by `is_declaration`.
    """

    start: int
    end: int
    kind: str
    is_declaration: bool = False


@dataclass(frozen=True, slots=True)
class FoldingRange:
    """Lines, from 1, of which all but the first can be hidden; comments fold as such."""

    first_line: int
    last_line: int
    is_comment: bool = False


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A few words that are shown at a place and are not in the text."""

    offset: int
    text: str
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class CodeAction:
    """Something that can be done here: its edits, and the codes of the findings that it fixes.

    `payment_of` is a card of which a scenario is to be made; its edits take long to work out.
    """

    title: str
    edits: tuple[TextEdit, ...]
    codes: tuple[str, ...] = ()
    is_preferred: bool = False
    payment_of: str = ""

    @property
    def is_fix(self) -> bool:
        """Return whether it fixes a finding."""
        return bool(self.codes)


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above an example, a scenario or a card: what came of it.

    `test` is the id of the example or scenario; `card` that of a card.
    """

    place: Place
    title: str
    test: str = ""
    holds: bool | None = None
    card: str = ""


# The answers for browsers, which count units of UTF-16 from the beginning of a text.


def to_browser(text: str, at: int) -> int:
    """Return the place of a character as a browser counts."""
    return at + sum(character > "\uffff" for character in text[:at])


def from_browser(text: str, at: int) -> int:
    """Return the character at a place as a browser counts; the next one within a pair."""
    if text.isascii():
        return min(max(at, 0), len(text))
    units = 0
    for index, character in enumerate(text):
        if units >= at:
            return index
        units += 1 + (character > "\uffff")
    return len(text)


class BrowserUnits:
    """Answers as a page takes them: tables of JSON, in which files have the names of the page.

    text_of: the text of a file by its path; name_of: what the page calls it, empty for a file that
    the page does not show.
    """

    def __init__(self, text_of: Callable[[str], str], name_of: Callable[[str], str]) -> None:
        self._text_of, self._name_of = text_of, name_of

    def table(self, value: Any) -> Any:
        """Return a value as JSON: `path`, `from` and `to` of its place are in the table itself."""
        if isinstance(value, Place):
            return self.place(value)
        if is_dataclass(value):
            found: dict[str, Any] = {}
            for each in fields(value):
                inner = self.table(getattr(value, each.name))
                found |= inner if each.name == "place" else {each.name: inner}
            return found
        if isinstance(value, dict):
            return {self.table(key): self.table(each) for key, each in value.items()}
        return [*map(self.table, value)] if isinstance(value, list | tuple) else value

    def place(self, place: Place) -> dict[str, Any]:
        """Return a place as the page counts; one of a file that it does not show has no text."""
        name = self._name_of(place.file)
        text = self._text_of(place.file) if name else ""
        start, end = (to_browser(text, at) if name else 0 for at in (place.start, place.end))
        return {"path": name, "from": start, "to": max(start, end)}


# What stands at a place of a rule text, told from the text alone: a half-typed one has no tree.


Zone = Literal["code", "comment", "text", "drawing"]
_WORD = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
_SIGN = re.compile(r"!=|<=|>=|[-+*/&|=<>]")
_QUOTED = re.compile(r'"[^"\n]*"?|#[^\n]*')
_HEADING = re.compile(r"^(?=[^\s#])", re.MULTILINE)


def word_at(source: Source, offset: int) -> Span:
    """The word around a place, or that ends there; empty if there is none."""
    start = source.offset(source.position(offset)[0], 1)
    line = source.line_text(source.position(offset)[0])
    at = offset - start
    for found in _WORD.finditer(line):
        if found.start() <= at <= found.end():
            return source.span(start + found.start(), start + found.end())
    return source.span(offset, offset)


def sign_at(source: Source, offset: int) -> Span:
    """The operator at a place; empty if there is none."""
    found = _SIGN.match(source.text, max(offset, 0))
    return source.span(offset, found.end() if found else offset)


def line_before(source: Source, offset: int) -> str:
    """The text of a line up to a place in it."""
    start = source.offset(source.position(offset)[0], 1)
    return source.text[start:offset]


def zone_at(source: Source, offset: int) -> Zone:
    """Whether code stands at a place, a comment, a text in quotes, or a row of a drawing."""
    before = line_before(source, offset)
    if before.lstrip(" \t").startswith("|"):
        return "drawing"
    for found in _QUOTED.finditer(before):
        if found[0].startswith("#"):
            return "comment"
        if found.end() == len(before) and (len(found[0]) == 1 or not found[0].endswith('"')):
            return "text"
    return "code"


def declaration_at(source: Source, offset: int) -> Span:
    """The declaration around a place: from a heading at the margin to the next one."""
    start, end = 0, len(source.text)
    for found in _HEADING.finditer(source.text):
        if found.start() <= offset:
            start = found.start()
        else:
            end = found.start()
            break
    return source.span(start, end)
