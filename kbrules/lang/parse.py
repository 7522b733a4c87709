"""Source to syntax trees, with one diagnostic for each mistake and nothing lost behind it."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from kbrules.diagnostics import Diagnostic
from kbrules.lang.build import Builder
from kbrules.lang.complain import complain, complain_dedent
from kbrules.lang.split import Chunk, split
from kbrules.lang.tree import Declaration
from kbrules.text import Source

HOLE = "\x1a"
MAX_FINDINGS = 20


class _Indents(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["CALLED", "LPAR"]  # noqa: RUF012 (the base class declares lists)
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@lru_cache(maxsize=1)
def grammar() -> Lark:
    """The LALR parser of one declaration, built once per process."""
    text = files("kbrules.lang").joinpath("kb.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=_Indents(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def parse(source: Source) -> tuple[list[Declaration], list[Diagnostic]]:
    """The declarations of a rule file, in order, and what could not be read of it."""
    chunks, findings = split(source)
    declarations: list[Declaration] = []
    for chunk in chunks:
        declaration, problems = _parse_chunk(chunk)
        findings += problems
        if declaration is not None:
            declarations.append(declaration)
    return declarations, findings


def _parse_chunk(chunk: Chunk) -> tuple[Declaration | None, list[Diagnostic]]:
    findings: list[Diagnostic] = []
    text = chunk.text if chunk.text.endswith("\n") else chunk.text + "\n"
    while len(findings) < MAX_FINDINGS:
        try:
            parsed = grammar().parse(text)
            return Builder(chunk.source, chunk.offset).transform(parsed), findings
        except (UnexpectedInput, DedentError) as error:
            line = _line_of(error, text)
            findings.append(_diagnose(error, chunk, text, line))
            if line == 0:
                return None, findings
            text = _with_hole(text, line)
    return None, findings


def _line_of(error: Any, text: str) -> int:
    """The 0-based line to blame; for a line indented without reason, the one before it."""
    lines = text.split("\n")
    if isinstance(error, UnexpectedCharacters):
        return int(error.line) - 1
    if isinstance(error, UnexpectedToken):
        return _token_line(error.token, lines)
    return _dedent_line(lines)


def _token_line(token: Token, lines: list[str]) -> int:
    if token.type == "_INDENT":
        line = _line_at(token, lines)
        return _before(lines, line)
    if token.type in ("_DEDENT", "$END"):
        return _last(lines)
    return int(token.line or 1) - 1


def _line_at(token: Token, lines: list[str]) -> int:
    line = int(token.end_line or token.line or 1) - 1
    while line < len(lines) - 1 and not lines[line].strip():
        line += 1
    return line


def _before(lines: list[str], line: int) -> int:
    line -= 1
    while line > 0 and (not lines[line].strip() or lines[line].lstrip().startswith("#")):
        line -= 1
    return max(line, 0)


def _last(lines: list[str]) -> int:
    return _before(lines, len(lines))


def _dedent_line(lines: list[str]) -> int:
    """The first line whose indentation matches no open block."""
    open_ = [0]
    for number, line in enumerate(lines):
        width = len(line) - len(line.lstrip(" "))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if width > open_[-1]:
            open_.append(width)
        while width < open_[-1]:
            open_.pop()
        if width != open_[-1]:
            return number
    return _last(lines)


def _diagnose(error: Any, chunk: Chunk, text: str, line: int) -> Diagnostic:
    if isinstance(error, DedentError):
        return complain_dedent(chunk, text, line)
    return complain(error, chunk, text, line)


def _with_hole(text: str, line: int) -> str:
    """The text with one line made silent, of the same length so that places stay true."""
    lines = text.split("\n")
    indent, width = _indent_for(lines, line)
    deeper = line + 1 < len(lines) and _next_indent(lines, line) > indent
    hole = " " * indent + HOLE + (":" if deeper else "")
    lines[line] = hole.ljust(width)
    return "\n".join(lines)


def _indent_for(lines: list[str], line: int) -> tuple[int, int]:
    """The indentation to give a hole: its own, unless it matches no block above it."""
    width = len(lines[line])
    own = width - len(lines[line].lstrip(" "))
    above = lines[_before(lines, line)]
    before = len(above) - len(above.lstrip(" "))
    expected = before + 4 if above.split("#")[0].rstrip().endswith(":") else before
    return (own if own <= expected else expected), max(width, expected + 2)


def _next_indent(lines: list[str], line: int) -> int:
    for following in lines[line + 1 :]:
        if following.strip() and not following.lstrip().startswith("#"):
            return len(following) - len(following.lstrip(" "))
    return 0
