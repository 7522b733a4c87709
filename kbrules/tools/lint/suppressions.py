"""Warnings that an author knows better about: `# kb: ignore[KB703] reason` in the file itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kbrules.diagnostics import Diagnostic, Edit, did_you_mean, quoted
from kbrules.messages import CODES
from kbrules.text import Source, Span
from kbrules.tools.lint.subject import LINTS

_SIGN = "kb:"
_COMMENT = re.compile(r'"[^"\n]*"|(?P<comment>#[ ]*kb:[^\n]*)')
_IGNORE = re.compile(r"#[ ]*kb:\s*ignore\[(?P<names>[^\]\n]*)\](?P<reason>.*)")
_USAGE = "write `# kb: ignore[KB703] reason`"
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
        is_here = place.source is self.span.source and place.line in self.lines
        return is_here and finding.code in self.codes


def suppressions_of(source: Source) -> list[Suppression]:
    """The suppressions in a text, rules or data, from top to bottom."""
    if _SIGN not in source.text:
        return []
    return [_suppression(source, comment) for comment in _comments(source)]


def _comments(source: Source) -> Iterator[re.Match[str]]:
    """The comments that speak to us; a `#` in a text or a drawing is none."""
    for comment in _COMMENT.finditer(source.text):
        line = source.line_text(source.position(comment.start())[0])
        if comment["comment"] is not None and not line.lstrip().startswith("|"):
            yield comment


def _suppression(source: Source, comment: re.Match[str]) -> Suppression:
    match = _IGNORE.match(comment["comment"])
    listed = match["names"].split(",") if match else ()
    names = tuple(name.strip() for name in listed if name.strip())
    codes = tuple(code for code in map(_code_of, names) if code)
    span = source.span(comment.start(), comment.start() + len(comment["comment"].rstrip()))
    reason = match["reason"].strip() if match else ""
    return Suppression(span, codes, names, reason, _lines(source, span.line))


def _code_of(name: str) -> str:
    """The code of a lint by its number or short name, or nothing."""
    if name.upper() in LINTS:
        return name.upper()
    return next((code for code in LINTS if CODES[code].slug == name.casefold()), "")


def _lines(source: Source, line: int) -> range:
    """The lines that a comment on a line speaks of."""
    if not source.line_text(line).lstrip().startswith("#"):
        return range(line, line + 1)
    lines = _code_lines(source)
    at = bisect_right(lines, line)
    return _block(source, lines[at]) if at < len(lines) else range(0)


@lru_cache(maxsize=8)
def _code_lines(source: Source) -> tuple[int, ...]:
    """The lines of a source that are neither empty nor a comment."""
    return tuple(line for line in range(1, source.line_count + 1) if _is_code_line(source, line))


@lru_cache(maxsize=64)  # many comments may stand before one block
def _block(source: Source, first: int) -> range:
    """The lines from one on to the last that is indented below it."""
    indent, last = _indent(source, first), first
    while last < source.line_count and (
        not _is_code_line(source, last + 1) or _indent(source, last + 1) > indent
    ):
        last += 1
    return range(first, last + 1)


def _is_code_line(source: Source, line: int) -> bool:
    text = source.line_text(line).strip()
    return bool(text) and not text.startswith("#")


def _indent(source: Source, line: int) -> int:
    text = source.line_text(line)
    return len(text) - len(text.lstrip())


def suppressed(
    findings: Iterable[Diagnostic], sources: Sequence[Source], run_codes: Collection[str]
) -> list[Diagnostic]:
    """The findings that no comment suppresses, and what is wrong with the comments.

    A comment without effect is reported only if its code is among those `judged`.
    """
    suppressions = [each for source in sources for each in suppressions_of(source)]
    remaining = []
    for finding in findings:
        covering = [each for each in suppressions if each.covers(finding)]
        for each in covering:
            each.used.add(finding.code)
        remaining += [] if covering else [finding]
    return [*remaining, *(found for each in suppressions for found in _problems(each, run_codes))]


def _problems(suppression: Suppression, run_codes: Collection[str]) -> Iterator[Diagnostic]:
    if not suppression.names:
        message = "this comment does not say what to ignore"
        yield Diagnostic(UNKNOWN, suppression.span, message, _USAGE)
        return
    for name in suppression.names:
        code = _code_of(name)
        if not code:
            yield _unknown(suppression, name)
        elif code in run_codes and code not in suppression.used:
            yield _unused(suppression, name, code)
    if not suppression.reason:
        message, help_ = (
            "this suppression gives no reason",
            "say behind the bracket why it is meant so",
        )
        yield Diagnostic(NO_REASON, suppression.span, message, help_)


def _unknown(suppression: Suppression, name: str) -> Diagnostic:
    span = _place_of(suppression, name)
    if any(name.casefold() in (code.casefold(), entry.slug) for code, entry in CODES.items()):
        message = f"{quoted(name)} cannot be suppressed"
        return Diagnostic(UNKNOWN, span, message, "only warnings can be, so mend what it finds")
    names = [*LINTS, *(CODES[code].slug for code in LINTS)]
    help_ = did_you_mean(name, names, "`kbrules explain` lists the codes")
    return Diagnostic(UNKNOWN, span, f"there is no code {quoted(name)}", help_)


def _unused(suppression: Suppression, name: str, code: str) -> Diagnostic:
    message = f"{quoted(name)} is suppressed here, but finds nothing"
    place = _place_of(suppression, name)
    fix = () if place.source.name.endswith(".yaml") else (Edit(_to_delete(suppression, place), ""),)
    return Diagnostic(UNUSED, place, message, "take it out of the comment", fix=fix)


def _to_delete(suppression: Suppression, place: Span) -> Span:
    """What goes with a name that is of no use: its comma, or the whole comment with its line."""
    text, start, end = place.source.text, place.start, place.end
    if len(suppression.names) > 1:
        comma_after = re.compile(r"\s*,\s*").match(text, end)
        comma_before = re.search(r"\s*,\s*$", text[:start])
        return place.source.span(
            comma_before.start() if comma_before and not comma_after else start,
            comma_after.end() if comma_after else end,
        )
    start, end = suppression.span.start, suppression.span.end
    blank = len(text[:start]) - len(text[:start].rstrip(" "))
    is_alone = text[: start - blank].endswith("\n") or start == blank
    return place.source.span(start - blank, end + (is_alone and end < len(text)))


def _place_of(suppression: Suppression, name: str) -> Span:
    span = suppression.span
    start = span.start + span.text.find(name)
    return span.source.span(start, start + len(name))
