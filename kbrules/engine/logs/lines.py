"""Lines of a log taken apart: JSON objects whose members know where they stand.

What is not as a log has it is a finding at the very place; never an exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.text import Source, Span

__all__ = ["LONGEST", "Check", "Record", "bad", "read_record", "wrong_members"]

LONGEST = 64 * 1024  # characters of one line
_BLANK = re.compile(r"[ \t]*")


def _refused(constant: str) -> None:
    raise ValueError(f"`{constant}` is no value of a log")


_DECODER = json.JSONDecoder(parse_constant=_refused)

Check = tuple[str, Callable[[Any], bool]]  # what it must be, in words; and whether it is


@dataclass(frozen=True, slots=True)
class Record:
    """One line: the members of its object, and where the value of each stands."""

    span: Span
    data: Mapping[str, Any]
    places: Mapping[str, Span]

    def at(self, key: str) -> Span:
        """Where the value of a key stands; the whole line if there is none."""
        return self.places.get(key, self.span)


class _Slip(Exception):
    """Carries the column, from 0, and what is wrong there."""


def bad(span: Span, message: str, help: str = "") -> Diagnostic:
    """The finding that a log cannot be read."""
    return Diagnostic("KB510", span, message, help)


def read_record(source: Source, line: int) -> Record | Diagnostic:
    """The record in a line of a source, counted from 1."""
    text = source.line_text(line)
    start = source.offset(line, 1)
    whole = source.span(start, start + len(text))
    if len(text) > LONGEST:
        return bad(source.span(start, start + 1), f"line {line} is longer than {LONGEST} letters")
    data: dict[str, Any] = {}
    places: dict[str, Span] = {}
    try:
        for key, value, first, last in _members(text):
            if key in data:
                return bad(source.span(start + first, start + last), f"{quoted(key)} stands twice")
            data[key], places[key] = value, source.span(start + first, start + last)
    except _Slip as slip:
        column, message = slip.args
        at = source.span(start + column, start + column + 1)
        return bad(at, f"line {line} is not one JSON object: {message}")
    return Record(whole, data, places)


def _members(text: str) -> Iterator[tuple[str, Any, int, int]]:
    """The members of the object a text is: key, value, and from where to where the value goes."""
    at = _after(text, 0, "{")
    is_first = True
    while _peek(text, at) != "}":
        at = _skip(text, at if is_first else _after(text, at, ","))
        key, at = _value(text, at)
        if not isinstance(key, str):
            raise _Slip(at - 1, "a key is a text in quotes")
        first = _skip(text, _after(text, at, ":"))
        value, at = _value(text, first)
        yield key, value, first, at
        is_first = False
    at = _skip(text, _after(text, at, "}"))
    if at < len(text):
        raise _Slip(at, "nothing may follow the closing bracket")


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _peek(text: str, at: int) -> str:
    at = _skip(text, at)
    return text[at : at + 1]


def _after(text: str, at: int, sign: str) -> int:
    """The place behind a sign that must come next."""
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise _Slip(at, f"here `{sign}` is missing")
    return at + 1


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _Slip(error.pos, error.msg.lower()) from None
    except ValueError as error:
        raise _Slip(at, str(error)) from None
    except RecursionError:
        raise _Slip(at, "it is nested too deeply") from None


def wrong_members(
    record: Record, checks: Mapping[str, Check], spare: Set[str] = frozenset()
) -> Iterator[Diagnostic]:
    """What is missing from a record, what does not belong there, and what has the wrong form.

    Keys that can be spared may be missing.
    """
    for key, (wanted, holds) in checks.items():
        if key not in record.data:
            if key in spare:
                continue
            yield bad(record.span, f"the line lacks the key {quoted(key)}", f"it is {wanted}")
        elif not holds(record.data[key]):
            yield bad(record.at(key), f"{quoted(key)} must be {wanted}")
    for key in record.data:
        if key not in checks:
            near = suggest(key, checks)
            hint = f"did you mean {quoted(near)}?" if near else ""
            yield bad(record.at(key), f"{quoted(key)} is no key of such a line", hint)
