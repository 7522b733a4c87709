"""The answers that an editor is given, as plain values, and what stands at a place of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from kbrules.diagnostics import Diagnostic, Edit
from kbrules.text import Source, Span

# The answers that an editor is given, as plain values.
#
# Every span lies in the text as it is written, never in what a table makes of it; offsets count
# characters of `Workspace.text`, which has line feeds as line ends and no byte order mark.


_PLACE = re.compile(r"\$\{[0-9]+:([^}]*)\}|\$[0-9]+")
Edits = Mapping[Path, tuple[Edit, ...]]
"""What is to be replaced in which file; the edits of a file do not overlap."""


def edited(source: Source, edits: Iterable[Edit]) -> str:
    """The text of a source with some edits of it, which do not overlap."""
    text = source.text
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


class ServiceError(Exception):
    """Something is not done: `reason` says why, as a sentence for the author."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """An example or scenario that was run: `found` says what was found if it does not hold.

    `id` is that of `kbrules test`. `picture` is the board as text; empty if there is none.
    `findings` lie where the expectations are written.
    """

    id: str
    title: str
    span: Span
    holds: bool
    found: str = ""
    picture: str = ""
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Hover:
    """What is known of the word at a place, in Markdown."""

    span: Span
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
    """A proposal: `text` takes the place of `span`.

    `detail` is a signature or a few words, `markdown` a page. The text of a snippet has places to
    fill in, written `${1:name}`; its lines are indented as they are to stand. Proposals come best
    first.
    """

    label: str
    kind: CompletionKind
    span: Span
    text: str
    detail: str = ""
    markdown: str = ""
    is_snippet: bool = False

    @property
    def plain_text(self) -> str:
        """The text for an editor without snippets."""
        return _PLACE.sub(lambda found: found[1] or "", self.text) if self.is_snippet else self.text


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


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file."""

    path: Path
    span: Span


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
    path: Path
    span: Span
    name_span: Span
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
    """Something that can be done here: its edits, and the findings that it mends.

    `payment_of` is a card of which a scenario is to be made; its edits take long to work out.
    """

    title: str
    edits: Edits
    findings: tuple[Diagnostic, ...] = ()
    is_preferred: bool = False
    payment_of: str = ""

    @property
    def is_fix(self) -> bool:
        """Whether it mends a finding."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above an example, a scenario or a card: what came of it.

    `test` is the id of the example or scenario, empty for a card.
    """

    span: Span
    title: str
    test: str = ""
    holds: bool | None = None


# What stands at a place of a rule text, told from the text alone: a half-typed one has no tree.


Zone = Literal["code", "comment", "text", "drawing"]
_WORD = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
_SIGN = re.compile(r"!=|<=|>=|[-+*/&|=<>]")
_QUOTED = re.compile(r'"[^"\n]*"?|#[^\n]*')
_HEADING = re.compile(r"^(?=[^\s#])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """The text of a declaration, and the offset in the file at which it begins."""

    text: str
    start: int


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


def declaration_at(source: Source, offset: int) -> DeclarationText:
    """The declaration around a place: from a heading at the margin to the next one."""
    text, start, end = source.text, 0, len(source.text)
    for found in _HEADING.finditer(text):
        if found.start() <= offset:
            start = found.start()
        else:
            end = found.start()
            break
    return DeclarationText(text[start:end], start)
