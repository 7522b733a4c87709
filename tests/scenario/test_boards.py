"""Boards of scenarios: tiles by chance, large pieces, tasks, grids beside the table."""

from __future__ import annotations

from functools import lru_cache

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.store import Files
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.report import ScenarioOutcome
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache, rules_of
from tests.scenario.texts import unmarked
from tests.source_tree import DALE

LAID = "format: 1\ntitle: it\nboard:\n  sections: [[dale]]\n"
HEATH = """\
format: 1
title: it
board:
  drawing: |
    H  H  H  H  H  H  H
     H  H  H  H  H  H  H
    H  H  H  1  H  H  Y
     H  H  H  H  H  H  H
    H  H  H  H  H  H  H
  legend: {"1": coin}
"""
EXPECT = "expect: {over: no}\n"


@lru_cache(maxsize=1)
def game_cache() -> RulesetCache:
    return rules_of(Files(), ("base",), (DALE,))


def run(text: str) -> tuple[ScenarioOutcome, list[Diagnostic], tuple[int, int] | None]:
    source, marked = unmarked(text)
    cases, found = parse_scenarios(source)
    if found:
        return ScenarioOutcome(tuple(found)), found, marked
    (case,) = cases
    outcome = run_scenario(game_cache(), case)
    return outcome, list(outcome.diagnostics), marked


def passes(text: str) -> None:
    outcome, _, _ = run(text)
    assert outcome.passed, outcome.text


def finding(text: str) -> Diagnostic:
    """The one finding about a text, which must point at the marked part."""
    _, (only,), marked = run(text)
    assert (only.span.start, only.span.end) == marked, f"{only.message} at {only.span.text!r}"
    return only


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("tiles: {i1: «con»}", "KB413", "did you mean `coin`?"),
        ("tiles: {«i99»: coin}", "KB506", "i99"),
        ("tiles: {i1: «mill»}", "KB504", "no tile that is drawn"),
        ("tiles: {a1: «coin»}", "KB504", "a1 is no place"),
        ("tiles: {h4: «coin»}", "KB504", "h4 is no place"),
        ("«tiles»: {i1: ferry, d10: ferry}", "KB504", "`ferry` lies on 2 places"),
    ],
)
def test_what_cannot_lie_on_a_place(line: str, code: str, words: str) -> None:
    found = finding(f"{LAID}  {line}\n{EXPECT}")
    assert found.code == code and words in found.message + found.help


def test_more_copies_than_there_are_may_be_meant() -> None:
    passes(f"{LAID}  tiles: {{i1: ferry, d10: ferry}}\nunchecked: yes\n{EXPECT}")


def test_a_board_with_tiles_is_not_the_board_without() -> None:
    for tiles, left in (("", 0), ("  tiles: {i1: coin}\n", 1), ("", 0)):
        passes(f"{LAID}{tiles}expect: {{left: {{i1: {left}, h4: 2}}}}\n")


def test_a_place_drawn_by_its_letter_can_have_a_tile_too() -> None:
    passes(f"{HEATH}  tiles: {{g3: ferry}}\nexpect: {{left: {{d3: 1, g3: 1}}}}\n")


def test_a_tile_that_was_drawn_can_be_held_and_is_gone_then() -> None:
    tiles = "{tile: ferry, from: i1}"
    passes(
        f"{LAID}  tiles: {{i1: ferry}}\nposition: {{a: {{pieces: {{settlement: [h1]}}, "
        f"tiles: [{tiles}]}}}}\nexpect: {{left: {{i1: 0}}, tiles: {{a: [ferry]}}}}\n"
    )


def test_a_report_names_the_tiles_next_to_the_picture() -> None:
    outcome, _, _ = run(f"{HEATH}position: {{a: {{pieces: {{settlement: [a1]}}}}}}\n"
                        "expect: {pieces: {a: {settlement: [b1]}}}\n")  # fmt: skip
    assert not outcome.passed
    assert "d3 coin" in outcome.text and "Y" in outcome.text.split("d3 coin")[0]


def test_a_report_names_the_hexes_that_the_boxes_mark() -> None:
    outcome, _, _ = run(f"{HEATH}expect: {{pieces: {{a: {{settlement: [b1]}}}}}}\n")
    assert "landing places: c2, d2, c3, e3, c4, d4" in outcome.text
    outcome, _, _ = run(f"{drawn('H H', 'H H')}expect: {{pieces: {{a: {{settlement: [b1]}}}}}}\n")
    assert not outcome.passed and "landing" not in outcome.text


# Pieces of seven hexes


def drawn(*rows: str) -> str:
    lines = "\n".join(f"    {' ' * (i % 2)}{row}" for i, row in enumerate(rows))
    return f"format: 1\ntitle: it\nboard:\n  drawing: |\n{lines}\n"


def test_seven_hexes_are_one_piece_drawn_or_named() -> None:
    expect = "expect: {supply: {a: {barn_yard: 1}}, pieces: {a: {barn_yard: [b2]}}}\n"
    passes(drawn("H Hay Hay H", "Hay Hay Hay H", "H Hay Hay H") + expect)
    passes(f"{HEATH}position: {{a: {{pieces: {{barn_yard: [b2]}}}}}}\n{expect}")


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        (("H «Hay» Hay H", "Hay Hay Hay H", "H Hay H Hay"), "b1"),
        (("H Hay Hay H", "Hay Hay Hay H", "H Hay Hay «Hay»"), "d3"),
        (("H «Hby» Hay H", "Hay Hay Hay H", "H Hay Hay H"), "c1"),
        (("«Hay» H",), "a1"),
    ],
)
def test_seven_hexes_do_not_make_a_piece_anyhow(rows: tuple[str, ...], name: str) -> None:
    source = drawn(*rows) + EXPECT
    _, found, marked = run(source)
    assert {each.code for each in found} == {"KB110"}
    assert any(f"{name} belongs to no such seven" in each.message for each in found)
    assert marked in [(each.span.start, each.span.end) for each in found]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("{barn_yard: [«a1»]}", "around a1 would reach beyond the board"),
        ("{settlement: [c3], barn_yard: [«b2»]}", "another piece is on c3"),
        ("{barn_yard: [b2, «b2»]}", "another piece is on b1"),
    ],
)
def test_seven_hexes_that_cannot_be_laid(pieces: str, words: str) -> None:
    found = finding(f"{HEATH}position: {{a: {{pieces: {pieces}}}}}\n{EXPECT}")
    assert found.code == "KB504" and words in found.message


def test_pieces_are_counted_by_sevens() -> None:
    two = "position: {a: {pieces: {barn_yard: [b2, e4]}}}\n"
    passes(f"{HEATH}{two}expect: {{supply: {{a: {{barn_yard: 0}}}}}}\n")
    found = finding(
        f"{HEATH}position: {{a: {{pieces: {{barn_yard: [b2]}}, supply: {{barn_yard: «2»}}}}}}\n"
        f"{EXPECT}"
    )
    assert "a has 1 of `barn_yard` on the board and 2 left, but there are 2" in found.message


def test_seven_hexes_on_a_place_are_told() -> None:
    found = finding(f"{HEATH}position: {{a: {{pieces: {{barn_yard: [«c3»]}}}}}}\n{EXPECT}")
    assert found.code == "KB504" and "d3" in found.message


# Tasks


def test_tasks_are_named_as_cards_are() -> None:
    text = f"{HEATH}cards: [rowers, «brigde»]\n{EXPECT}"
    assert finding(text).help == "did you mean `bridge`?"
    passes(f"{HEATH}cards: [rowers, bridge]\nexpect: {{gold: {{a: {{bridge: 0, rowers: 0}}}}}}\n")


LAID_WITH_ISLAND = "format: 1\ntitle: it\nboard:\n  sections: [[tavern]]\n"
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


@lru_cache(maxsize=1)
def island_game_cache() -> RulesetCache:
    return rules_of(Files(), ("base", "island"))


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        (
            LAID_WITH_ISLAND + "  grids: {«iland»: island_tree_house}\n" + EXPECT,
            "KB413",
            "`island`",
        ),
        (
            LAID_WITH_ISLAND + "  grids: {island: «island_tree_hous»}\n" + EXPECT,
            "KB413",
            "island_tree_house",
        ),
        (LAID_WITH_ISLAND + "  grids: {island: «tavern»}\n" + EXPECT, "KB504", ""),
        (LAID_WITH_ISLAND.replace("tavern", "«island_tree_house»") + EXPECT, "KB504", ""),
        (DRAWN.replace("island:", "«ilsand:»") + EXPECT, "KB413", "`island`"),
        (DRAWN.replace("    G  T\n", "    G  «Q»\n") + EXPECT, "KB408", ""),
        (DRAWN + "expect:\n  offered: {mandatory: [«island:c1»]}\n", "KB506", ""),
        (DRAWN + "turn: {played: grass}\nexpect:\n  refused: [«build island:a2»]\n", "KB506", ""),
        (LAID_WITH_ISLAND + "expect:\n  offered: {mandatory: [«island:a1»]}\n", "KB506", ""),
    ],
)
def test_a_bad_grid_is_told_where_it_is(text: str, code: str, help: str) -> None:
    source, marked = unmarked(text)
    cases, found = parse_scenarios(source)
    assert found == []
    (finding, *_) = run_scenario(island_game_cache(), cases[0]).diagnostics
    assert finding.code == code and help in finding.help, finding
    assert marked is not None and finding.span.start in range(marked[0], marked[1])


def test_in_a_drawing_a_grid_is_drawn_not_named() -> None:
    source, _ = unmarked(DRAWN + "  grids: {island: island_tree_house}\n" + EXPECT)
    _, found = parse_scenarios(source)
    assert len(found) == 1 and "`grids` belongs to `sections`" in found[0].message


def test_what_was_expected_and_found_is_drawn_there() -> None:
    text = DRAWN + "turn: {played: forest}\nexpect: {offered: {mandatory: [b1]}}\n"
    source, _ = unmarked(text)
    outcome = run_scenario(island_game_cache(), parse_scenarios(source)[0][0])
    assert not outcome.passed
    assert "\nisland:\n  a  b\n1 G  T!" in outcome.text.replace("   ", "  ")
