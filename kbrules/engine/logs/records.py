"""Lines of a log parsed: JSON objects whose members have their spans.

What is not as a log has it is a finding at the very place; never an exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.engine.logs.files import MAX_LENGTH
from kbrules.text import Source, Span

_BLANK = re.compile(r"[ \t]*")


def _refused(constant: str) -> None:
    raise ValueError(f"`{constant}` is no value of a log")


_DECODER = json.JSONDecoder(parse_constant=_refused)

Check = tuple[str, Callable[[Any], bool]]  # what it must be, in words; and whether it is


@dataclass(frozen=True, slots=True)
class Record:
    """One line: the members of its object, and the span of each value."""

    span: Span
    data: Mapping[str, Any]
    spans: Mapping[str, Span]

    def at(self, key: str) -> Span:
        """The span of the value of a key; the whole line if there is none."""
        return self.spans.get(key, self.span)


class _InvalidLine(Exception):
    """Carries the column, from 0, and what is wrong there."""


def log_error(span: Span, message: str, help: str = "") -> Diagnostic:
    """The finding that a log cannot be read."""
    return Diagnostic("KB510", span, message, help)


def parse_record(source: Source, line: int) -> Record | Diagnostic:
    """The record in a line of a source, counted from 1."""
    text = source.line_text(line)
    start = source.offset(line, 1)
    whole = source.span(start, start + len(text))
    if len(text) > MAX_LENGTH:
        return log_error(
            source.span(start, start + 1), f"line {line} is longer than {MAX_LENGTH} letters"
        )
    data: dict[str, Any] = {}
    spans: dict[str, Span] = {}
    try:
        for key, value, first, last in _members(text):
            span = source.span(start + first, start + last)
            if key in data:
                return log_error(span, f"{quoted(key)} stands twice")
            data[key], spans[key] = value, span
    except _InvalidLine as error:
        column, message = error.args
        at = source.span(start + column, start + column + 1)
        return log_error(at, f"line {line} is not one JSON object: {message}")
    return Record(whole, data, spans)


def _members(text: str) -> Iterator[tuple[str, Any, int, int]]:
    """The members of the object a text is: key, value, and from where to where the value goes."""
    at = _expect(text, 0, "{")
    is_first = True
    while _peek(text, at) != "}":
        at = _skip(text, at if is_first else _expect(text, at, ","))
        key, at = _value(text, at)
        if not isinstance(key, str):
            raise _InvalidLine(at - 1, "a key is a text in quotes")
        first = _skip(text, _expect(text, at, ":"))
        value, at = _value(text, first)
        yield key, value, first, at
        is_first = False
    at = _skip(text, _expect(text, at, "}"))
    if at < len(text):
        raise _InvalidLine(at, "nothing may follow the closing bracket")


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _peek(text: str, at: int) -> str:
    at = _skip(text, at)
    return text[at : at + 1]


def _expect(text: str, at: int, sign: str) -> int:
    """The place behind a sign that must come next."""
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise _InvalidLine(at, f"here `{sign}` is missing")
    return at + 1


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _InvalidLine(error.pos, error.msg.lower()) from None
    except ValueError as error:
        raise _InvalidLine(at, str(error)) from None
    except RecursionError:
        raise _InvalidLine(at, "it is nested too deeply") from None


def invalid_members(
    record: Record, checks: Mapping[str, Check], optional: Set[str] = frozenset()
) -> Iterator[Diagnostic]:
    """What is missing from a record, what does not belong there, and what has the wrong form.

    Optional keys may be missing.
    """
    for key, (wanted, holds) in checks.items():
        if key not in record.data:
            if key in optional:
                continue
            yield log_error(record.span, f"the line lacks the key {quoted(key)}", f"it is {wanted}")
        elif not holds(record.data[key]):
            yield log_error(record.at(key), f"{quoted(key)} must be {wanted}")
    for key in record.data:
        if key not in checks:
            hint = did_you_mean(key, checks)
            yield log_error(record.at(key), f"{quoted(key)} is no key of such a line", hint)
