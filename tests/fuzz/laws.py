"""What every finding must be like, and how much work a file may make.

No exception but a coded one; a code, a place within the file and words in every finding; the same
findings when the same file is read again; work that is bounded.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from traceback import extract_tb
from types import FrameType
from typing import Any, TypeVar
from zlib import crc32

from kbrules.diagnostics import (
    Diagnostic,
    RulesError,
    record_of,
    render_concise,
    render_full,
    render_github,
)
from kbrules.messages import CODES
from kbrules.text import Span
from tests.fuzz.reading import findings_of
from tests.fuzz.seeds import Seed

INTERNAL = "KB901"
AGAIN = 8
"""One file in so many is read a second time, with its work counted."""
MOST_CALLS = 40_000_000
"""Calls of functions that reading a file may make; the most any good file makes is a fiftieth."""
WATCHDOG = 120
"""Seconds of processor time after which a file is given up: for what no count stops."""

Value = TypeVar("Value")


class Overrun(BaseException):
    """More work than a file may make; no handler of exceptions takes it."""


def fault_of(seed: Seed, data: bytes) -> str:
    """Which law these bytes break in the place of a seed, as short as that can be said; or none."""
    try:
        with watchdog():
            findings = findings_of(seed, data)
            _check(findings)
            if crc32(data) % AGAIN == 0:
                again = counted(lambda: findings_of(seed, data), MOST_CALLS)
                assert [*map(record_of, again)] == [*map(record_of, findings)], "not twice"
    except (Exception, Overrun) as fault:
        return _signature(fault)
    return ""


def codes_of(seed: Seed, data: bytes) -> set[str]:
    """The codes that are told."""
    return {finding.code for finding in findings_of(seed, data)}


def _signature(fault: BaseException) -> str:
    """What a fault is called, the same for all files that show it."""
    frame = extract_tb(fault.__traceback__)[-1]
    where = f"{frame.filename.rpartition('/')[2]}:{frame.name}"
    if isinstance(fault, RulesError):
        return f"not told but raised in {where}"
    if isinstance(fault, AssertionError):
        return f"{fault}".split("\n")[0] or f"assert in {where}"
    return f"{type(fault).__name__} in {where}"


def _check(findings: Sequence[Diagnostic]) -> None:
    for finding in findings:
        assert finding.code in CODES, f"the code {finding.code}"
        assert finding.code != INTERNAL, f"internal: {finding.message}"
        assert finding.message.strip(), "without words"
        _in_its_source(finding.span)
        for other in (*finding.labels, *finding.fix):
            _in_its_source(other.span)
        assert render_full(finding).startswith(render_concise(finding))
        assert "\n" not in render_concise(finding) and render_github([finding]).isprintable()


def _in_its_source(span: Span) -> None:
    source = span.source
    assert 0 <= span.start <= span.end <= len(source.whole_text), "outside of its file"
    assert 1 <= span.line <= span.end_line <= source.line_count, "on no line of its file"
    width = len(source.line_text(span.line))
    assert 1 <= span.column <= width + 2, "in no column of its line"


@contextmanager
def watchdog() -> Iterator[None]:
    """Gives up after much processor time."""

    def give_up(*_: object) -> None:
        raise Overrun(f"more than {WATCHDOG} s")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, WATCHDOG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def counted(do: Callable[[], Value], most: int) -> Value:
    """What something returns; Overrun if it calls more functions."""
    left = most

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal left
        left -= event == "call"
        if left < 0:
            sys.setprofile(None)
            raise Overrun(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return do()
    finally:
        sys.setprofile(before)
