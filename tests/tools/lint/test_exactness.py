"""What is called exact holds without exception: cases in which something near by would not."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.load import load
from kbrules.tools.lint.formed_boards import Boards
from tests.example_games import DALE
from tests.tools.lint.written import folder, told, warned

BOX = DALE["expansion.yaml"]
HOARD = 'rule hoard "Hoard":\n    "Many in hand."\n    {}\n    gold 1 if supply(hut) > 2\n'
DO = 'rule do "Doing":\n    "Something is done."\n    action: {}\n'
LAKE = BOX.replace("letter: H}", "letter: H}\n  lake: {letter: L}").replace("H H H\n", "H H L\n")
PLACES = (
    BOX[: BOX.index("sections:")]
    + """\
places: {yard: {letter: Y}}
tiles:
  mill: {kind: location, place: yard, each: 1}
  barn: {kind: location, place: yard, each: 1}
sections:
"""
)
DRAWN = """\
  {}:
    places: {{"1": {}}}
    rows: |
      H H H
       H 1 H
"""
TILE = """\
location {0} "{0}":
    "Build one piece."
    action: build 1 on edge
    example:
        | H+
        offers
"""
SETUP = "setups:\n  long:\n    title: Long\n    sections: [[north, north turned]]\n"


def test_a_supply_has_no_end_where_a_step_puts_pieces_into_it(tmp_path: Path) -> None:
    rules = HOARD.format("forbid build on edge if none(mine)")
    (finding,) = warned(folder(tmp_path, rules), {"KB713"})
    assert finding.help == "`supply(hut)` is from 0 to 2"
    rules = HOARD.format("when turn_end: restore 1 hut")
    assert told(folder(tmp_path, rules), {"KB713"}) == []


@pytest.mark.parametrize(
    "step",
    [
        "build count(mine) on edge",
        "build count(mine & edge) on edge & heath",
        "build supply(hut) on edge",
        "remove count(mine & edge) from mine & edge & heath",
    ],
)
def test_what_a_step_changes_is_counted_anew(tmp_path: Path, step: str) -> None:
    assert told(folder(tmp_path, DO.format(step)), {"KB727"}) == [("KB727", 3)]


@pytest.mark.parametrize(
    "step",
    [
        "build count(theirs) on edge",
        "build count(mine & lake) on heath",
        "build count(mine - edge) on edge",
        "remove count(mine & lake) from mine - lake",
        "remove supply(hut) from theirs",
    ],
)
def test_what_a_step_leaves_alone_is_not(tmp_path: Path, step: str) -> None:
    assert told(folder(tmp_path, DO.format(step), LAKE), {"KB727"}) == []


@pytest.mark.parametrize(("other", "is_same"), [("mill", True), ("barn", False)])
def test_maps_with_other_tiles_are_other_maps(tmp_path: Path, other: str, is_same: bool) -> None:
    box = f"{PLACES}{DRAWN.format('north', 'mill')}{DRAWN.format('south', other)}"
    found = told(folder(tmp_path, TILE.format("mill") + TILE.format("barn"), box), {"KB735"})
    assert [code for code, _ in found] == ["KB735"] * is_same


def test_boards_of_set_ups_are_boards_too(tmp_path: Path) -> None:
    counts = []
    for name, box in (("without", BOX), ("with", BOX + SETUP)):
        boards = Boards(load(folders=[folder(tmp_path / name, "", box)]), 0)
        assert boards.claim == "exact"
        counts.append([view.board.grid.full.bit_count() for view in boards.views])
    assert counts == [[6, 6], [6, 6, 12]]


@pytest.mark.parametrize(
    ("condition", "words"),
    [("> 2", "three or more"), (">= 3", "three or more"), ("< 4", "at most three")],
)
def test_more_than_two_are_three_or_more(tmp_path: Path, condition: str, words: str) -> None:
    rule = 'rule trios "Trios":\n    "One gold for {} pieces."\n    gold 1 if count(mine) {}\n'
    assert told(folder(tmp_path, rule.format(words, condition)), {"KB710"}) == []
    wrong = rule.format(words.replace("three", "five"), condition)
    assert told(folder(tmp_path, wrong), {"KB710"}) == [("KB710", 2)]


def test_every_line_of_a_wording_is_held_against_the_rule(tmp_path: Path) -> None:
    rule = 'rule pair "Pair":\n    "Gold"\n    "for {} pieces."\n    gold 2 if count(mine) = 3\n'
    assert told(folder(tmp_path, rule.format("three")), {"KB710"}) == []
    assert told(folder(tmp_path, rule.format("five")), {"KB710"}) == [("KB710", 3)]


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("for your pieces within three hexes", False),
        ("for each of the four sectors", False),
        ("for all six neighbours", False),
        ("for each four sectors", True),
        ("for your pieces within six hexes", True),
    ],
)
def test_numbers_of_options_and_of_things_there_are(
    tmp_path: Path, words: str, is_told: bool
) -> None:
    rules = 'option far = 3 "How far."\n\nrule sight "Sight":\n    "One gold {}."\n'
    rules = rules.format(words) + "    gold 1 per hex in mine & within(edge, far)\n"
    assert told(folder(tmp_path, rules), {"KB710"}) == [("KB710", 4)] * is_told


@pytest.mark.parametrize(("word", "is_told"), [("nine", False), ("eight", True)])
def test_numbers_of_the_box_are_known_too(tmp_path: Path, word: str, is_told: bool) -> None:
    rules = f'rule last "Last":\n    "One gold if all of your {word} huts are built."\n'
    rules = rules.replace(" all of your", " your") + "    gold 1 if supply(hut) = 0\n"
    box = BOX.replace("supply: 2", "supply: 9")
    assert told(folder(tmp_path, rules, box), {"KB710"}) == [("KB710", 2)] * is_told
