"""A rule file cut into declarations, so that one mistake cannot hide its neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax import build, tree
from kbrules.text import Source, Span

MAX_DECLARATIONS = 2_000
MAX_PARENTHESES = 64
MAX_OPERATORS = 100
MAX_INDENT = 96
DECLARING = ("define", "steps", "option", "memory")
"""The words that begin a declaration which is not a rule of some kind."""
BLOCKS = (
    "when", "whenever", "for", "if", "otherwise", "repeat", "up", "may", "either", "or", "required",
    "action", "before", "setup", "turn", "finish", "example", "table",
)  # fmt: skip
"""The words that begin a sentence with lines of its own."""
STATEMENTS = (
    "permit", "forbid", "prefer", "waive", "deny", "increase", "decrease", "gold", "win",
    "question", "title", "source", *BLOCKS,
)  # fmt: skip
"""The words that begin a sentence inside a declaration, never a declaration."""

_BODY_LINE = re.compile(rf'["|]|(?:{"|".join(STATEMENTS)})\b')
_FIRST = re.compile(r"^[^\S\n]*(?=[^\s#])", re.MULTILINE)
_HEADING = re.compile(rf"^(?=[^ \t#)\n])(?=[^\n]*\S)(?!{_BODY_LINE.pattern})", re.MULTILINE)
_BODY = 4
# What counts for depth: text, comments and drawings hide what they hold.
_SIGNS = re.compile(
    r'(?P<noise>"[^"\n]*"|#[^\n]*)|(?P<drawing>^ *\|[^\n]*)|(?P<paren>[()])'
    r"|(?P<operator>[-+*/&|=<>]|\b(?:not|and|or|exactly|at|if)\b)|(?P<end>\n)",
    re.MULTILINE,
)


class SourcePiece(NamedTuple):
    """The text of a declaration as it was written, and the offset at which it begins."""

    start: int
    text: str


def split(source: Source) -> tuple[list[build.Chunk], list[Diagnostic]]:
    """Cut at every line that starts a declaration; refuse what no parser should be given.

    A chunk that is refused has no text left but its heading. Findings are about tabs (KB104),
    depth (KB106), lines that lack their indentation or their declaration (KB103), and files
    of more declarations than anybody writes (KB003).
    """
    pieces, findings = pieces_of(source)
    chunks: list[build.Chunk] = []
    for piece in pieces:
        chunk, problems = chunk_of_piece(source, piece)
        findings += problems
        if chunk is not None:
            chunks.append(chunk)
    return chunks, findings


def pieces_of(source: Source) -> tuple[list[SourcePiece], list[Diagnostic]]:
    """The text of each declaration; a stray line stays with the declaration above it.

    The finding is about one declaration too many.
    """
    text = source.text
    first = _FIRST.search(text)
    if first is None:
        return [], []
    headings = _HEADING.finditer(text, first.end() + 1)
    starts = [first.start(), *(each.start() for each in headings)]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    pieces = [SourcePiece(at, text[at:end]) for at, end in zip(starts, ends, strict=True)]
    findings: list[Diagnostic] = []
    if len(pieces) > MAX_DECLARATIONS:
        span = lines_of(pieces[MAX_DECLARATIONS])[0].content(source)
        message = f"a file has at most {MAX_DECLARATIONS} declarations"
        findings.append(Diagnostic("KB003", span, message, "split it"))
    return pieces[:MAX_DECLARATIONS], findings


def lines_of(piece: SourcePiece) -> list[build.Line]:
    """The lines of a piece."""
    lines: list[build.Line] = []
    at = piece.start
    for text in piece.text.split("\n"):
        lines.append(build.Line(at, text))
        at += len(text) + 1
    return lines


def chunk_of_piece(
    source: Source, piece: SourcePiece
) -> tuple[build.Chunk | None, list[Diagnostic]]:
    """The chunk of a piece, none of lines before all declarations, and what is wrong with it.

    It depends on the text of the piece alone, but for the offset at which it begins.
    """
    lines = lines_of(piece)
    outside = _outside_declaration(source, lines[0])
    if outside is not None:
        return None, [outside]
    unindented = _unindented_lines(lines)
    findings = _tabs(source, lines)
    if unindented:
        help_ = "indent what belongs to a declaration by four blanks"
        message = "this line belongs to the declaration above, but is not indented"
        span = lines[min(unindented)].content(source)
        findings.append(Diagnostic("KB103", span, message, help_))
    chunk = build.chunk_of(source, lines, unindented)
    problem = _too_deep(chunk)
    if problem is None:
        return chunk, findings
    heading = replace(build.chunk_of(source, lines[:1], {}), is_refused=True)
    return heading, [*findings, problem]


def _outside_declaration(source: Source, line: build.Line) -> Diagnostic | None:
    """A line before all declarations that begins none."""
    span = source.span(line.start, line.start + len(line.text.rstrip()))
    help_ = "begin with a declaration in the first column, such as `rule name:`"
    if line.text[0] in " \t":
        message = "this line is indented but belongs to nothing"
        return Diagnostic("KB103", line.content(source), message, help_)
    if _BODY_LINE.match(line.text):
        return Diagnostic("KB103", span, "this line belongs to no declaration", help_)
    return None


def _tabs(source: Source, lines: list[build.Line]) -> list[Diagnostic]:
    """The first tab of a declaration, not those in text or comments."""
    for line in lines:
        at = build.code_only(line.text).find("\t")
        if at >= 0:
            span = source.span(line.start + at, line.start + at + 1)
            help_ = "indent with blanks, four for each level"
            message = "a tab stands here, and its width is anybody's guess"
            return [Diagnostic("KB104", span, message, help_)]
    return []


def _unindented_lines(lines: list[build.Line]) -> dict[int, int]:
    """The lines that are to be read as if they stood further right, and by how much."""
    at_edge = [n for n, line in enumerate(lines) if n and _is_at_edge(line)]
    if not at_edge:
        return {}
    rest = range(at_edge[0], len(lines))
    if not any(
        build.is_code(line.text) and build.indent_of(line.text) for line in lines[1 : at_edge[0]]
    ):
        return dict.fromkeys(rest, _BODY)
    moved: dict[int, int] = {}
    in_block = 0
    for number in rest:
        if _is_at_edge(lines[number]):
            above = next(n for n in range(number - 1, -1, -1) if build.is_code(lines[n].text))
            indent = build.indent_of(lines[above].text) + moved.get(above, 0)
            opens = build.opens_block(lines[above].text)
            moved[number] = indent + _BODY if opens else max(indent, _BODY)
            in_block = moved[number] if build.opens_block(lines[number].text) else 0
        elif in_block:
            moved[number] = in_block
    return moved


def _is_at_edge(line: build.Line) -> bool:
    return build.is_code(line.text) and line.text[0] not in " \t)"


def _too_deep(chunk: build.Chunk) -> Diagnostic | None:
    """The place where a chunk gets too far right, or its expressions too deep."""
    far = re.search(rf"^ {{{MAX_INDENT + 1},}}(\S+)", chunk.text, re.MULTILINE)
    if far is not None:
        message = f"this line is indented by more than {MAX_INDENT} blanks"
        return _deep(chunk, far.span(1), message)
    parentheses = operators = 0  # those open, and since the last line end outside of them
    for found in _SIGNS.finditer(chunk.text):
        kind = found.lastgroup
        if kind == "paren":
            parentheses = max(0, parentheses + (1 if found.group() == "(" else -1))
        elif kind == "operator" or (kind == "drawing" and parentheses):
            operators += 1
        elif kind == "end" and not parentheses:
            operators = 0
        if parentheses > MAX_PARENTHESES:
            message = f"more than {MAX_PARENTHESES} parentheses are open here"
            return _deep(chunk, found.span(), message)
        if operators > MAX_OPERATORS:
            message = f"more than {MAX_OPERATORS} signs and words join one expression"
            return _deep(chunk, found.span(), message)
    return None


def _deep(chunk: build.Chunk, place: tuple[int, int], message: str) -> Diagnostic:
    help_ = "give a part of it a name with `define`"
    start, end = place
    start += len(chunk.text[start:end]) - len(chunk.text[start:end].lstrip(" "))
    return Diagnostic("KB106", chunk.span(start, end), message, help_)


# Declarations of an earlier text of a file, taken over where a later one has the same.


class ReadDeclaration(NamedTuple):
    """A declaration as it was read first, in the source and at the offset of that time."""

    declaration: tree.Declaration
    start: int

    def moved(self, source: Source, start: int) -> tree.Declaration:
        """The declaration in a source, where it begins at an offset."""
        by = start - self.start
        if by == 0 and self.declaration.span.source is source:
            return self.declaration
        moved: tree.Declaration = _moved(self.declaration, source, by)
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
