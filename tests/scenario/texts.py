"""Scenario texts for tests; what stands between `«` and `»` is where a finding must point."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.case import read_cases_of
from kbrules.scenario.items import run_case
from kbrules.scenario.outcome import Outcome
from kbrules.scenario.shelf import Shelf, Shelves
from kbrules.text import Source

SHELVES = Shelves()
BOARD = """\
board:
  drawing: |
    G  Ga Ga Ga G  C  C
     C  C  1  C  C  C  Cb
    D  D  D  D  D  D  D
     W  W  W  W  D  D  2
    K  G  G  G  G  C  C
  legend: {"1": tavern, "2": paddock}
"""
HEAD = "format: 1\ntitle: it\n" + BOARD


def shelf() -> Shelf:
    found, findings = SHELVES.of(("base",))
    assert found is not None, findings
    return found


def unmarked(text: str) -> tuple[Source, tuple[int, int] | None]:
    """The text without marks, and the span that was marked."""
    start, end = text.find("«"), text.find("»")
    plain = text.replace("«", "").replace("»", "")
    return Source("it.scenario.yaml", plain), ((start, end - 1) if start >= 0 else None)


def outcome(text: str) -> Outcome:
    """What comes of the one scenario in a text, which must be readable."""
    source, _ = unmarked(text)
    cases, findings = read_cases_of(source)
    assert findings == []
    (case,) = cases
    return run_case(shelf(), case)


def finding(text: str) -> Diagnostic:
    """The one finding about a text, be it read or run; it must point at the marked part."""
    source, marked = unmarked(text)
    cases, found = read_cases_of(source)
    if not found:
        (case,) = cases
        found = list(run_case(shelf(), case).diagnostics)
    (only,) = found
    assert marked is not None, only
    at = (only.span.start, only.span.end)
    assert at == marked, f"{only.code} {only.message} at {only.span.text!r}"
    return only
