"""Every clause of the shipped boxes is reached by some scenario, and most go both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.reading import data_root
from kbrules.scenario.collection import collect
from kbrules.scenario.running import run_all
from kbrules.tools.coverage import ClauseVerdict, CoverageRun, coverage_report
from kbrules.tools.reports.report import as_text

BOTH_WAYS = 95.0
FEN = Path(__file__).parents[1] / "house/fen"
PATHS = [data_root("rules"), Path(__file__).parent, FEN]  # only the Fen has halves to choose anew


@pytest.mark.slow
def test_every_clause_is_reached_and_most_go_both_ways() -> None:
    watched = CoverageRun()
    collection = collect(PATHS, caches=watched.caches)
    assert collection.findings == []
    watched.begin()
    failed = [each.outcome.text for each in run_all(collection.cases) if not each.passed]
    assert failed == [], "watched games answer as others do"
    coverage = watched.end(PATHS[:2])
    report = coverage_report(coverage)
    assert coverage.only(ClauseVerdict.never) == [], as_text(report)
    counts = coverage.counts
    assert counts.reached_share == 100, report.summary
    assert counts.both_share >= BOTH_WAYS, as_text(report)
    assert counts.changed == counts.steps, "every step has changed something"
    assert counts.clauses > 700
