"""The canonical text of a rule file with its comments, which the trees do not hold.

A comment never leaves its declaration: the one it stands in, or else the one below it. On lines of
its own it stays above the sentence that follows; behind a sentence it stays there if it is alone
there and fits, and goes above the sentence if not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kbrules.lang.formatting.file import OutputLine, are_adjacent, output_lines
from kbrules.lang.formatting.pretty import STEP, WIDTH
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.chunk import code_only
from kbrules.lang.syntax.parse import parse
from kbrules.text import Source, Span

_TEXT_OR_COMMENT = re.compile(r'"[^"\n]*"|(?P<comment>#[^\n]*)')


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its sign and its offset.

    `indent` counts the blanks before it on a line of its own; it is -1 behind something else.
    """

    text: str
    start: int
    indent: int

    @property
    def is_alone(self) -> bool:
        """Whether nothing else stands on its line."""
        return self.indent >= 0


def comments_of(source: Source, drawings: Sequence[Span] = ()) -> list[Comment]:
    """The comments of a source from top to bottom; a `#` in a text or a drawing is none."""
    found = (
        _comment(source.text, each.start("comment"), each["comment"])
        for each in _TEXT_OR_COMMENT.finditer(source.text)
        if each["comment"] is not None
    )
    return [each for each in found if not _is_drawn(source.text, each, drawings)]


def _comment(text: str, start: int, comment: str) -> Comment:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return Comment(comment.rstrip(), start, -1 if before.strip() else len(before))


def _is_drawn(text: str, comment: Comment, drawings: Sequence[Span]) -> bool:
    """Whether a sign belongs to a drawing, whose lines begin with a bar."""
    line = text[text.rfind("\n", 0, comment.start) + 1 : comment.start]
    is_bar = line.lstrip().startswith("|")
    return is_bar and any(span.start <= comment.start < span.end for span in drawings)


def formatted(source: Source) -> str:
    """The canonical text of a rule file, with its comments.

    ValueError if the file cannot be read without findings, or its blocks are nested too deep.
    """
    declarations, findings = parse(source)
    if findings:
        raise ValueError("what could not be read cannot be written")
    drawings = [span for each in declarations for span in _drawings(each)]
    comments = comments_of(source, drawings)
    page = _CommentWriter(source.text)
    for each in declarations:
        end = _end(source.text, each)
        page.above([c for c in comments if c.start < each.span.start], each)
        inside = [c for c in comments if c.start > each.span.start and _is_inside(c, each, end)]
        page.declaration(each, inside)
        comments = [c for c in comments if c.start > each.span.start and c not in inside]
    page.above(comments, None)
    return "".join(f"{line}\n" for line in page.lines)


def _drawings(node: tree.Declaration | tree.Statement) -> Iterator[Span]:
    """The drawings in it, however deep."""
    if isinstance(node, tree.Example) and node.drawing is not None:
        yield node.drawing
    if isinstance(node, tree.Rule) and node.table is not None:
        yield node.table.span
    body = getattr(node, "body", ())
    for statement in body if isinstance(body, tuple) else ():
        yield from _drawings(statement)


def _end(text: str, declaration: tree.Declaration) -> int:
    """Where the last line of a declaration ends that is more than a comment."""
    written = text[declaration.span.start : declaration.span.end]
    own = _TEXT_OR_COMMENT.sub(_blank_comment, written).rstrip()
    line_end = text.find("\n", declaration.span.start + len(own))
    return len(text) if line_end < 0 else line_end


def _blank_comment(found: re.Match[str]) -> str:
    return " " * len(found.group()) if found["comment"] else found.group()


def _is_inside(comment: Comment, declaration: tree.Declaration, end: int) -> bool:
    """Whether a comment behind the beginning of a declaration belongs to it, not to the next."""
    is_below = end < comment.start < declaration.span.end
    return comment.start < end or (is_below and comment.indent > 0)


@dataclass(slots=True)
class _CommentWriter:
    """The lines written so far, and the declaration and comment written last."""

    source: str
    lines: list[str] = field(default_factory=list)
    _last: tree.Declaration | None = None
    _is_comment_last: bool = False

    def above(self, comments: Sequence[Comment], following: tree.Declaration | None) -> None:
        """Write the comments above a declaration, or at the end of the file."""
        close = are_adjacent(self._last, following)
        for comment in comments:
            is_first = not self._is_comment_last
            self._blank_line(self._has_blank_line_before(comment.start) or (is_first and not close))
            self.lines.append(comment.text)
            self._is_comment_last = True

    def declaration(self, declaration: tree.Declaration, inside: Sequence[Comment]) -> None:
        """Write a declaration with the comments in it."""
        if self._is_comment_last:
            self._blank_line(self._has_blank_line_before(declaration.span.start))
        else:
            self._blank_line(not are_adjacent(self._last, declaration))
        self.lines += _merged(self.source, list(output_lines(declaration)), inside)
        self._last, self._is_comment_last = declaration, False

    def _blank_line(self, is_wanted: bool) -> None:
        if is_wanted and self.lines:
            self.lines.append("")

    def _has_blank_line_before(self, start: int) -> bool:
        """Whether the line above the one at a place is empty."""
        line = self.source.rfind("\n", 0, start) + 1
        above = self.source[: max(line - 1, 0)].rpartition("\n")[2]
        return line > 0 and not above.strip()


def _merged(
    source: str, written: Sequence[OutputLine], comments: Sequence[Comment]
) -> Iterator[str]:
    """The lines of some rows with the comments among them.

    Rows may be written in another order than they had: a comment moves with the row below it.
    """
    had = sorted(written, key=lambda row: row.start)
    blocks: dict[int, list[str]] = {}
    below: list[Comment] = []
    for number, row in enumerate(had):
        end = had[number + 1].start if number + 1 < len(had) else len(source)
        before, own = below, [c for c in comments if row.start < c.start < end]
        above, behind, below = _around(source, row, own)
        if len(behind) != 1 or not _fits(row, behind[0]):
            above, behind = sorted([*above, *behind], key=lambda c: c.start), []
        indent = " " * _indent(row)
        blocks[row.start] = [indent + comment.text for comment in (*before, *above)]
        blocks[row.start].append("  ".join([row.text, *(comment.text for comment in behind)]))
    for row in written:
        yield from blocks[row.start]
    last = _indent(written[-1]) if len(written) > 1 else STEP
    yield from (" " * last + comment.text for comment in below)


def _around(
    source: str, row: OutputLine, comments: Sequence[Comment]
) -> tuple[list[Comment], list[Comment], list[Comment]]:
    """Which comments go above a row, behind it and below it."""
    behind = [c for c in comments if not c.is_alone]
    alone = [c for c in comments if c.is_alone]
    above = [c for c in alone if _is_open(source[row.start : c.start])]
    return above, behind, [c for c in alone if c not in above]


def _is_open(text: str) -> bool:
    """Whether a sentence goes on, since a parenthesis is open; one that is drawn opens nothing."""
    code = code_only(text)
    return not text.startswith("|") and code.count("(") > code.count(")")


def _indent(row: OutputLine) -> int:
    return len(row.text) - len(row.text.lstrip(" "))


def _fits(row: OutputLine, comment: Comment) -> bool:
    """Whether a comment can stand behind a row."""
    return "\n" not in row.text and len(row.text) + 2 + len(comment.text) <= WIDTH
