"""A rule file cut into declarations, so that one mistake cannot hide its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kbrules.diagnostics import Diagnostic
from kbrules.lang.chunk import Chunk, Line, chunk_of
from kbrules.text import Source

MAX_DECLARATIONS = 2_000
MAX_PARENTHESES = 64
MAX_OPERATORS = 100
MAX_INDENT = 96
BLOCKS = (
    "when",
    "whenever",
    "for",
    "if",
    "otherwise",
    "repeat",
    "up",
    "may",
    "either",
    "or",
    "required",
    "action",
    "before",
    "setup",
    "turn",
    "finish",
    "example",
    "table",
)
"""The words that begin a sentence with lines of its own."""
STATEMENTS = (
    "permit",
    "forbid",
    "prefer",
    "waive",
    "deny",
    "increase",
    "decrease",
    "gold",
    "win",
    "question",
    "title",
    "source",
    *BLOCKS,
)
"""The words that begin a sentence inside a declaration, never a declaration."""

_BODY_LINE = re.compile(rf'["|]|(?:{"|".join(STATEMENTS)})\b')
_BODY = 4
# What counts for depth: text, comments and drawings hide what they hold.
_SIGNS = re.compile(
    r'(?P<noise>"[^"\n]*"|#[^\n]*)|(?P<drawing>^ *\|[^\n]*)|(?P<paren>[()])'
    r"|(?P<operator>[-+*/&|=<>]|\b(?:not|and|or|exactly|at|if)\b)|(?P<end>\n)",
    re.MULTILINE,
)


def split(source: Source) -> tuple[list[Chunk], list[Diagnostic]]:
    """Cut at every line that starts a declaration; refuse what no parser should be given.

    A chunk that is refused has no text left but its heading. Findings are about tabs (KB104),
    depth (KB106), lines that lack their indentation or their declaration (KB103), and files
    of more declarations than anybody writes (KB003).
    """
    chunks: list[Chunk] = []
    findings: list[Diagnostic] = []
    for number, lines in enumerate(_line_groups(source.text)):
        if number == MAX_DECLARATIONS:
            message = f"a file has at most {MAX_DECLARATIONS} declarations"
            findings.append(Diagnostic("KB003", lines[0].content(source), message, "split it"))
            break
        chunk, problems = _chunk(source, lines)
        findings += problems
        if chunk is not None:
            chunks.append(chunk)
    return chunks, findings


def _line_groups(text: str) -> Iterator[list[Line]]:
    """The lines of each declaration; a stray line stays with the declaration above it."""
    piece: list[Line] = []
    at = 0
    for written in text.split("\n"):
        begins = bool(written.strip()) and written[0] not in " \t#)"
        if begins and piece and not _BODY_LINE.match(written):
            yield piece
            piece = []
        if piece or (written.strip() and not written.lstrip().startswith("#")):
            piece.append(Line(at, written))
        at += len(written) + 1
    if piece:
        yield piece


def _chunk(source: Source, lines: list[Line]) -> tuple[Chunk | None, list[Diagnostic]]:
    outside = _outside_declaration(source, lines[0])
    if outside is not None:
        return None, [outside]
    unindented = _unindented_lines(lines)
    findings = [*_tabs(source, lines), *_not_indented(source, lines, unindented)]
    chunk = chunk_of(source, lines, unindented)
    problem = _too_deep(chunk)
    if problem is None:
        return chunk, findings
    heading = replace(chunk_of(source, lines[:1], {}), is_refused=True)
    return heading, [*findings, problem]


def _outside_declaration(source: Source, line: Line) -> Diagnostic | None:
    """A line before all declarations that begins none."""
    span = source.span(line.start, line.start + len(line.text.rstrip()))
    help_ = "begin with a declaration in the first column, such as `rule name:`"
    if line.text[0] in " \t":
        message = "this line is indented but belongs to nothing"
        return Diagnostic("KB103", line.content(source), message, help_)
    if _BODY_LINE.match(line.text):
        return Diagnostic("KB103", span, "this line belongs to no declaration", help_)
    return None


def _tabs(source: Source, lines: list[Line]) -> list[Diagnostic]:
    """The first tab of a declaration, not those in text or comments."""
    for line in lines:
        at = re.sub(r'"[^"]*"|#.*', lambda found: " " * len(found.group()), line.text).find("\t")
        if at >= 0:
            span = source.span(line.start + at, line.start + at + 1)
            help_ = "indent with blanks, four for each level"
            message = "a tab stands here, and its width is anybody's guess"
            return [Diagnostic("KB104", span, message, help_)]
    return []


def _unindented_lines(lines: list[Line]) -> dict[int, int]:
    """The lines that are to be read as if they stood further right, and by how much."""
    at_edge = [n for n, line in enumerate(lines) if n and _is_at_edge(line)]
    if not at_edge:
        return {}
    rest = range(at_edge[0], len(lines))
    if not any(line.is_code and line.indent for line in lines[1 : at_edge[0]]):
        return dict.fromkeys(rest, _BODY)
    moved: dict[int, int] = {}
    in_block = 0
    for number in rest:
        if _is_at_edge(lines[number]):
            moved[number] = _assumed_indent(lines, number, moved)
            in_block = moved[number] if lines[number].opens_block else 0
        elif in_block:
            moved[number] = in_block
    return moved


def _assumed_indent(lines: list[Line], number: int, moved: dict[int, int]) -> int:
    """The indentation that goes with the line above."""
    above = next(n for n in range(number - 1, -1, -1) if lines[n].is_code)
    indent = lines[above].indent + moved.get(above, 0)
    return indent + _BODY if lines[above].opens_block else max(indent, _BODY)


def _is_at_edge(line: Line) -> bool:
    return line.is_code and line.text[0] not in " \t)"


def _not_indented(
    source: Source, lines: list[Line], unindented: dict[int, int]
) -> list[Diagnostic]:
    if not unindented:
        return []
    help_ = "indent what belongs to a declaration by four blanks"
    message = "this line belongs to the declaration above, but is not indented"
    return [Diagnostic("KB103", lines[min(unindented)].content(source), message, help_)]


def _too_deep(chunk: Chunk) -> Diagnostic | None:
    far = re.search(rf"^ {{{MAX_INDENT + 1},}}(\S+)", chunk.text, re.MULTILINE)
    if far is not None:
        message = f"this line is indented by more than {MAX_INDENT} blanks"
        return _deep(chunk, far.span(1), message)
    return _Depth().of(chunk)


@dataclass(slots=True)
class _Depth:
    """Open parentheses, and operators since the last line end outside of them."""

    parentheses: int = 0
    operators: int = 0

    def of(self, chunk: Chunk) -> Diagnostic | None:
        """The place where a chunk gets too deep."""
        for found in _SIGNS.finditer(chunk.text):
            kind = found.lastgroup
            if kind == "paren":
                self._parenthesis(found.group())
            elif kind == "operator" or (kind == "drawing" and self.parentheses):
                self.operators += 1
            elif kind == "end" and not self.parentheses:
                self.operators = 0
            if self.parentheses > MAX_PARENTHESES:
                message = f"more than {MAX_PARENTHESES} parentheses are open here"
                return _deep(chunk, found.span(), message)
            if self.operators > MAX_OPERATORS:
                message = f"more than {MAX_OPERATORS} signs and words join one expression"
                return _deep(chunk, found.span(), message)
        return None

    def _parenthesis(self, sign: str) -> None:
        self.parentheses = self.parentheses + 1 if sign == "(" else max(0, self.parentheses - 1)


def _deep(chunk: Chunk, place: tuple[int, int], message: str) -> Diagnostic:
    help_ = "give a part of it a name with `define`"
    start, end = place
    start += len(chunk.text[start:end]) - len(chunk.text[start:end].lstrip(" "))
    return Diagnostic("KB106", chunk.span(start, end), message, help_)
