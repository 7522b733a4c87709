"""Every clause of the shipped boxes is reached by some scenario, and most go both ways."""

from __future__ import annotations

from pathlib import Path

from kbrules.library.resources import data_root
from kbrules.scenario.runner import collect, run_all
from kbrules.tools.cover.measure import Verdict
from kbrules.tools.cover.report import full
from kbrules.tools.cover.run import Watched

BOTH_WAYS = 92.0
UNSEEN = {
    # Only a box of somebody's own has cards of two terrains without those of Marshlands.
    "rule/other_terrain/0/body/0",
    # Norms about `score` are asked by a word in awards, where coverage does not look for norms.
    "rule/storehouses/0",
    "rule/camps/0",
}
PATHS = [data_root("rules"), Path(__file__).parent]


def test_every_clause_is_reached_and_most_go_both_ways() -> None:
    watched = Watched()
    collection = collect(PATHS, shelves=watched.shelves)
    assert collection.findings == []
    watched.begin()
    failed = [each.outcome.text for each in run_all(collection.items) if not each.passed]
    assert failed == [], "watched games answer as others do"
    coverage = watched.end(PATHS)
    assert {seen.clause.key for seen in coverage.only(Verdict.never)} == UNSEEN, full(coverage)
    counts = coverage.counts
    assert counts.both_share >= BOTH_WAYS, full(coverage)
    assert counts.changed == counts.steps - 1, "every step but the one that is unseen has"
    assert counts.clauses > 700
