"""Gold that several rules give at once is told apart, rule by rule."""

from __future__ import annotations

from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import load
from kbrules.scenario.collection import collect
from kbrules.scenario.setup import RulesetCaches

BOX = "format: 1\nid: fen\ntitle: Fen\nneeds: [base]\n"
RULES = """\
rule walls "Walls":
    "Two gold for every piece that is built."
    when build: gain 2
    example:
        | C  G!
        |  C  Ga
        played grass
        gains {}

rule towers "Towers":
    "One more."
    when build: gain 1
"""
SCENARIO = """\
format: 1
title: Both pay
board: {drawing: "G Ga G"}
position: {a: {gold: 4}}
turn: {player: a, played: grass}
steps:
  - build a1
expect: {gold: {a: {gained: 6}}}
"""


def findings(folder: Path, file: str, gains: int = 2) -> list[Diagnostic]:
    (folder / "rules").mkdir()
    (folder / "expansion.yaml").write_text(BOX)
    (folder / "rules" / "fen.kb").write_text(RULES.format(gains))
    (folder / "first.scenario.yaml").write_text(SCENARIO)
    found = collect([folder / file], (), [folder], RulesetCaches())
    outcomes = [item.run() for item in found.cases]
    return [each for outcome in outcomes for each in outcome.diagnostics] + list(found.findings)


def test_an_example_tells_what_each_rule_gave(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, "rules/fen.kb")
    assert finding.message == "3 gold is gained, not 2: 1 by `towers`, 2 by `walls`"
    assert "`walls` alone" in finding.help


def test_it_holds_with_the_gold_of_all_rules(tmp_path: Path) -> None:
    assert findings(tmp_path, "rules/fen.kb", 3) == []
    assert load("base", folders=[tmp_path])


def test_a_scenario_tells_it_with_what_was_there_before(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, "first.scenario.yaml")
    assert finding.message == "a has 7 gained (1 by `towers`, 2 by `walls`, 4 before), not 6"
