"""Scenario texts for tests; what stands between `«` and `»` is where a finding must point."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.library.store import Files
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.report import ScenarioOutcome
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache, rules_of
from kbrules.text import Source

READ = Files()
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


def game_cache() -> RulesetCache:
    return rules_of(READ, ("base",))


def unmarked(text: str) -> tuple[Source, tuple[int, int] | None]:
    """The text without marks, and the span that was marked."""
    start, end = text.find("«"), text.find("»")
    plain = text.replace("«", "").replace("»", "")
    return Source("it.scenario.yaml", plain), ((start, end - 1) if start >= 0 else None)


def outcome(text: str) -> ScenarioOutcome:
    """What comes of the one scenario in a text, which must be readable."""
    source, _ = unmarked(text)
    cases, findings = parse_scenarios(source)
    assert findings == []
    (case,) = cases
    return run_scenario(game_cache(), case)


def finding(text: str) -> Diagnostic:
    """The one finding about a text, be it read or run; it must point at the marked part."""
    source, marked = unmarked(text)
    cases, found = parse_scenarios(source)
    if not found:
        (case,) = cases
        found = list(run_scenario(game_cache(), case).diagnostics)
    (only,) = found
    assert marked is not None, only
    at = (only.span.start, only.span.end)
    assert at == marked, f"{only.code} {only.message} at {only.span.text!r}"
    return only
