"""Grids beside the table in scenarios: laid by name or drawn, and what is wrong with either."""

from __future__ import annotations

from functools import lru_cache

import pytest

from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache, RulesetCaches
from tests.scenario.texts import unmarked

LAID = "format: 1\ntitle: it\nboard:\n  sections: [[tavern]]\n"
DRAWN = """\
format: 1
title: it
board:
  drawing: |
    G  Ga G
     C  C  C
    island:
    G  T
"""
EXPECT = "expect: {over: no}\n"


@lru_cache(maxsize=1)
def game_cache() -> RulesetCache:
    found, findings = RulesetCaches().cache_for(("base", "island"))
    assert found is not None, findings
    return found


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        (LAID + "  grids: {«iland»: island_tree_house}\n" + EXPECT, "KB413", "`island`"),
        (LAID + "  grids: {island: «island_tree_hous»}\n" + EXPECT, "KB413", "island_tree_house"),
        (LAID + "  grids: {island: «tavern»}\n" + EXPECT, "KB504", ""),
        (LAID.replace("tavern", "«island_tree_house»") + EXPECT, "KB504", ""),
        (DRAWN.replace("island:", "«ilsand:»") + EXPECT, "KB413", "`island`"),
        (DRAWN.replace("    G  T\n", "    G  «Q»\n") + EXPECT, "KB408", ""),
        (DRAWN + "expect:\n  offered: {mandatory: [«island:c1»]}\n", "KB506", ""),
        (DRAWN + "turn: {played: grass}\nexpect:\n  refused: [«build island:a2»]\n", "KB506", ""),
        (LAID + "expect:\n  offered: {mandatory: [«island:a1»]}\n", "KB506", ""),
    ],
)
def test_a_bad_grid_is_told_where_it_is(text: str, code: str, help: str) -> None:
    source, marked = unmarked(text)
    cases, found = parse_scenarios(source)
    assert found == []
    (finding, *_) = run_scenario(game_cache(), cases[0]).diagnostics
    assert finding.code == code and help in finding.help, finding
    assert marked is not None and finding.span.start in range(marked[0], marked[1])


def test_in_a_drawing_a_grid_is_drawn_not_named() -> None:
    source, _ = unmarked(DRAWN + "  grids: {island: island_tree_house}\n" + EXPECT)
    _, found = parse_scenarios(source)
    assert len(found) == 1 and "`grids` belongs to `sections`" in found[0].message


def test_what_was_expected_and_found_is_drawn_there() -> None:
    text = DRAWN + "turn: {played: forest}\nexpect: {offered: {mandatory: [b1]}}\n"
    source, _ = unmarked(text)
    outcome = run_scenario(game_cache(), parse_scenarios(source)[0][0])
    assert not outcome.passed
    assert "\nisland:\n  a  b\n1 G  T!" in outcome.text.replace("   ", "  ")
