"""Which lines of a declaration a parser error is about, and how much of them to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lark.exceptions import UnexpectedCharacters
from lark.indenter import DedentError

from kbrules.lang.syntax.chunk import code_only


@dataclass(frozen=True, slots=True)
class ErrorLocation:
    """Lines `first` to `last`, counted from 0, and what is wrong there.

    `kind` is "character" or "token" (something that cannot stand there), "end" (the line stops too
    early), "open" (a bracket is not closed), "empty" (its block is missing), "indent" (the line
    below stands too far right) or "dedent" (it fits no block). `at` is the place in the text,
    `indent` where a stand-in for the lines is put (of "dedent", 0 for none), `has_block` whether
    lines belong to it.
    """

    kind: str
    at: int
    first: int
    last: int
    indent: int
    has_block: bool


def locate_error(error: Any, text: str) -> ErrorLocation:
    """Whom to blame for a parser error on a text."""
    lines = text.split("\n")
    if isinstance(error, DedentError):
        return _dedent(lines)
    at, kind = _place(error, text)
    logical_lines = _LogicalLines(lines)
    line = text.count("\n", 0, at)
    still_open = logical_lines.open_before(line if at < len(text) else len(lines))
    if still_open is not None:
        return _location("open", at, still_open, logical_lines)
    if kind in ("token", "end") and expected_tokens(error) == {"_INDENT"}:
        line = previous_code_line(lines, line) if kind == "token" else line
        kind = "empty"
    if not is_code(lines[line]):
        line = previous_code_line(lines, line)
    return _location(kind, at, line, logical_lines)


def expected_tokens(error: Any) -> frozenset[str]:
    """The kinds of tokens the parser would have taken instead."""
    if isinstance(error, UnexpectedCharacters):
        return frozenset()
    return frozenset(str(name) for name in (error.accepts or error.expected or ()))


def _place(error: Any, text: str) -> tuple[int, str]:
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or 0, "character"
    token = error.token
    if token.type == "$END" or (token.type == "_DEDENT" and not token):
        return len(text), "end"
    at = int(token.start_pos or 0)
    if token.type == "_INDENT":
        return at, "indent"
    return at, "end" if token.type in ("_NL", "_DEDENT") else "token"


def _location(kind: str, at: int, line: int, logical_lines: _LogicalLines) -> ErrorLocation:
    first, last = logical_lines.around(line)
    if kind == "token" and logical_lines.lines[line].lstrip().startswith("|"):
        last = _end_of_drawing(logical_lines.lines, line)
    indent = indent_of(logical_lines.lines[first])
    below = _next_code(logical_lines.lines, last)
    has_block = below is not None and indent_of(logical_lines.lines[below]) > indent
    return ErrorLocation(kind, at, first, last, indent, has_block)


def _end_of_drawing(lines: Sequence[str], line: int) -> int:
    while line + 1 < len(lines) and lines[line + 1].lstrip().startswith("|"):
        line += 1
    return line


class _LogicalLines:
    """Lines joined where a bracket is open, as far as the indentation lets them be one sentence."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._start: list[int] = []
        self._unclosed: set[int] = set()
        depth, start = 0, 0
        for number, line in enumerate(lines):
            if depth and _begins_anew(line, lines[start]):
                self._unclosed.add(start)
                depth = 0
            if not depth:
                start = number
            self._start.append(start)
            depth = max(0, depth + _opened(line, depth))
        if depth:
            self._unclosed.add(start)

    def around(self, line: int) -> tuple[int, int]:
        """The first and the last line of the sentence a line belongs to."""
        first = last = self._start[line]
        while last + 1 < len(self.lines) and self._start[last + 1] == first:
            last += 1
        return first, last

    def open_before(self, line: int) -> int | None:
        """The first sentence that ends before a line with a bracket still open."""
        return min((n for n in self._unclosed if self.around(n)[1] < line), default=None)


def _begins_anew(line: str, first: str) -> bool:
    return is_code(line) and line.lstrip()[0] != ")" and indent_of(line) <= indent_of(first)


def _opened(line: str, depth: int) -> int:
    if not depth and line.lstrip().startswith("|"):
        return 0
    code = code_only(line)
    return code.count("(") - code.count(")")


def _dedent(lines: Sequence[str]) -> ErrorLocation:
    """The first line whose indentation matches no open block, and those like it below."""
    open_ = [0]
    for number, line in enumerate(lines):
        if not is_code(line):
            continue
        width = indent_of(line)
        levels = tuple(open_)
        if width > open_[-1]:
            open_.append(width)
        while width < open_[-1]:
            open_.pop()
        if width != open_[-1]:
            at = sum(len(each) + 1 for each in lines[:number]) + width
            last = _last_like(lines, number, levels)
            return ErrorLocation("dedent", at, number, last, _inside(lines, number), False)
    return ErrorLocation("dedent", 0, 0, 0, 0, False)


def _inside(lines: Sequence[str], line: int) -> int:
    """The indentation of a stand-in that keeps the block above from being empty; 0 if it is not."""
    above = lines[previous_code_line(lines, line)]
    indent = indent_of(above) + 1
    return indent if opens_block(above) and indent < len(lines[line]) else 0


def _last_like(lines: Sequence[str], first: int, levels: tuple[int, ...]) -> int:
    own = indent_of(lines[first])
    last, opens = first, opens_block(lines[first])
    for number in range(first + 1, len(lines)):
        if not is_code(lines[number]):
            continue
        width = indent_of(lines[number])
        if width != own and not (width > own and (opens or width not in levels)):
            break
        last = number
        opens = opens_block(lines[number]) if width == own else opens
    return last


def is_code(line: str) -> bool:
    """Whether anything but blanks and a comment stands in a line."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def indent_of(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" "))


def opens_block(line: str) -> bool:
    """Whether a line ends with a colon."""
    return code_only(line).rstrip().endswith(":")


def previous_code_line(lines: Sequence[str], line: int) -> int:
    """The nearest line above that is more than blanks and comment; else the first."""
    line -= 1
    while line > 0 and not is_code(lines[line]):
        line -= 1
    return max(line, 0)


def _next_code(lines: Sequence[str], line: int) -> int | None:
    return next((n for n in range(line + 1, len(lines)) if is_code(lines[n])), None)
