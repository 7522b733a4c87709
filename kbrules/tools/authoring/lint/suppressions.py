"""Warnings that an author knows better about: `# kb: ignore[KB703] reason` in the file itself.

Behind a line the comment speaks of that line. On a line of its own it speaks of the declaration,
sentence or key that begins on the next line, with all that is indented below it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kbrules.codes import CODES
from kbrules.diagnostics import Diagnostic, Edit, quoted, suggest
from kbrules.text import Source, Span
from kbrules.tools.authoring.lint.registry import LINTS

__all__ = ["Suppression", "suppressed", "suppressions_of"]

_SIGN = "kb:"
_COMMENT = re.compile(r'"[^"\n]*"|(?P<comment>#[ ]*kb:[^\n]*)')
_SAID = re.compile(r"#[ ]*kb:\s*ignore\[(?P<names>[^\]\n]*)\](?P<reason>.*)")
_HOW = "write `# kb: ignore[KB703] reason`"
NO_REASON, UNKNOWN, UNUSED = "KB701", "KB702", "KB700"


@dataclass(slots=True)
class Suppression:
    """A comment that suppresses codes on some lines; `used` are those that had something to do."""

    span: Span
    codes: tuple[str, ...]
    names: tuple[str, ...]
    reason: str
    lines: range
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Diagnostic) -> bool:
        """Whether it speaks of a finding."""
        place = finding.span
        here = place.source is self.span.source and place.line in self.lines
        return here and finding.code in self.codes


def suppressions_of(source: Source) -> list[Suppression]:
    """The suppressions in a text, rules or data, from top to bottom."""
    if _SIGN not in source.text:
        return []
    return [_read(source, found) for found in _comments(source)]


def _comments(source: Source) -> Iterator[re.Match[str]]:
    """The comments that speak to us; a `#` in a text or a drawing is none."""
    for found in _COMMENT.finditer(source.text):
        if found["comment"] is not None and not _is_drawn(source, found.start()):
            yield found


def _is_drawn(source: Source, at: int) -> bool:
    line, _ = source.position(at)
    return source.line_text(line).lstrip().startswith("|")


def _read(source: Source, found: re.Match[str]) -> Suppression:
    said = _SAID.match(found["comment"])
    written = said["names"].split(",") if said else ()
    names = tuple(name.strip() for name in written if name.strip())
    codes = tuple(code for code in map(_code_of, names) if code)
    span = source.span(found.start(), found.start() + len(found["comment"].rstrip()))
    reason = said["reason"].strip() if said else ""
    return Suppression(span, codes, names, reason, _lines(source, span.line))


def _code_of(name: str) -> str:
    """The code of a lint by its number or short name, or nothing."""
    wanted = name.casefold()
    return next((code for code in LINTS if wanted in (code.casefold(), CODES[code].slug)), "")


def _lines(source: Source, line: int) -> range:
    """The lines that a comment on a line speaks of."""
    if not source.line_text(line).lstrip().startswith("#"):
        return range(line, line + 1)
    said = _said_lines(source)
    at = bisect_right(said, line)
    return _block(source, said[at]) if at < len(said) else range(0)


@lru_cache(maxsize=8)
def _said_lines(source: Source) -> tuple[int, ...]:
    """The lines of a source that are neither empty nor a comment."""
    return tuple(line for line in range(1, source.line_count + 1) if _says(source, line))


@lru_cache(maxsize=64)  # many comments may stand before one block
def _block(source: Source, first: int) -> range:
    """The lines from one on to the last that is indented below it."""
    indent, last = _indent(source, first), first
    while last < source.line_count and (
        not _says(source, last + 1) or _indent(source, last + 1) > indent
    ):
        last += 1
    return range(first, last + 1)


def _says(source: Source, line: int) -> bool:
    text = source.line_text(line).strip()
    return bool(text) and not text.startswith("#")


def _indent(source: Source, line: int) -> int:
    text = source.line_text(line)
    return len(text) - len(text.lstrip())


def suppressed(
    findings: Iterable[Diagnostic], sources: Sequence[Source], judged: Collection[str]
) -> list[Diagnostic]:
    """The findings that no comment suppresses, and what is wrong with the comments.

    A comment that had nothing to do is told of only if its code is among those `judged`.
    """
    written = [each for source in sources for each in suppressions_of(source)]
    kept = [finding for finding in findings if not _is_covered(finding, written)]
    return kept + [problem for each in written for problem in _problems(each, judged)]


def _is_covered(finding: Diagnostic, written: Iterable[Suppression]) -> bool:
    covering = [each for each in written if each.covers(finding)]
    for each in covering:
        each.used.add(finding.code)
    return bool(covering)


def _problems(each: Suppression, judged: Collection[str]) -> Iterator[Diagnostic]:
    if not each.names:
        yield Diagnostic(UNKNOWN, each.span, "this comment does not say what to ignore", _HOW)
        return
    for name in each.names:
        code = _code_of(name)
        if not code:
            yield _unknown(each, name)
        elif code in judged and code not in each.used:
            yield _unused(each, name, code)
    if not each.reason:
        message = "this suppression gives no reason"
        yield Diagnostic(NO_REASON, each.span, message, "say behind the bracket why it is meant so")


def _unknown(each: Suppression, name: str) -> Diagnostic:
    span = _place_of(each, name)
    if any(name.casefold() in (code.casefold(), entry.slug) for code, entry in CODES.items()):
        message = f"{quoted(name)} cannot be suppressed"
        return Diagnostic(UNKNOWN, span, message, "only warnings can be, so mend what it finds")
    near = suggest(name, [*LINTS, *(CODES[code].slug for code in LINTS)])
    help_ = f"did you mean {quoted(near)}?" if near else "`kbrules explain` lists the codes"
    return Diagnostic(UNKNOWN, span, f"there is no code {quoted(name)}", help_)


def _unused(each: Suppression, name: str, code: str) -> Diagnostic:
    message = f"{quoted(name)} is suppressed here, but finds nothing"
    place = _place_of(each, name)
    fix = () if place.source.name.endswith(".yaml") else (Edit(_to_delete(each, place), ""),)
    return Diagnostic(UNUSED, place, message, "take it out of the comment", fix=fix)


def _to_delete(each: Suppression, place: Span) -> Span:
    """What goes with a name that is of no use: its comma, or the whole comment with its line."""
    text, start, end = place.source.text, place.start, place.end
    if len(each.names) > 1:
        behind = re.compile(r"\s*,\s*").match(text, end)
        before = re.search(r"\s*,\s*$", text[:start])
        return place.source.span(
            before.start() if before and not behind else start, behind.end() if behind else end
        )
    start, end = each.span.start, each.span.end
    blank = len(text[:start]) - len(text[:start].rstrip(" "))
    is_alone = text[: start - blank].endswith("\n") or start == blank
    return place.source.span(start - blank, end + (is_alone and end < len(text)))


def _place_of(each: Suppression, name: str) -> Span:
    at = each.span.text.find(name)
    return each.span.source.span(each.span.start + at, each.span.start + at + len(name))
