"""Lints that look at positions, and what is called exact."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import load
from kbrules.messages import CODES, Example, File
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.explain import example_folder
from kbrules.tools.lint.formed_boards import Boards
from kbrules.tools.lint.run import LintSettings, warnings
from tests.example_games import DALE, MOOR
from tests.source_tree import ROOT
from tests.tools.lint.written import folder, told, warned

MILL, ROWERS = MOOR["rules/mill.kb"], MOOR["rules/rowers.kb"]
SAMPLED = frozenset(code for code in warnings() if CODES[code].claim == "sampled")
GIFT = 'rule gift "A gift":\n    "Gold for pieces."\n    when build: gain {}\n'


def found(text: str, samples: int = 60, **beside: str) -> list[Diagnostic]:
    """What is said of the small game with one more rule file, and others changed."""
    texts = {**beside, "near": text}
    files = tuple(File(f"rules/{name}.kb", "", each) for name, each in texts.items())
    with example_folder(Example(files, game="moor")):
        return checked(
            Project([Path()]), LintSettings(SAMPLED, samples=samples, is_isolated=True)
        ).all


def said(text: str, samples: int = 60, **beside: str) -> list[tuple[str, str]]:
    """The same as codes and the words they are about."""
    return [(each.code, each.span.text) for each in found(text, samples, **beside)]


def test_the_small_game_is_in_order() -> None:
    assert {*MOOR} >= {"rules/rowers.kb", "rules/mill.kb"}
    assert said("") == []


def test_it_says_the_same_again_and_how_many_positions_it_looked_at() -> None:
    text = GIFT.format("count(mine & occupied & adjacent(lake))")
    first, second = found(text, 50), found(text, 50)
    assert [(e.code, e.message, e.claim) for e in first] == [
        (e.code, e.message, e.claim) for e in second
    ]
    assert [(e.code, e.span.text, e.claim) for e in first] == [("KB740", "occupied", "sampled 50")]


def test_without_samples_nothing_is_said() -> None:
    assert said(GIFT.format("count(mine & occupied)"), 0) == []


@pytest.mark.parametrize(
    "needless, text",
    [
        ("occupied", "count(mine & occupied)"),
        ("adjacent(mine & lake)", "count(adjacent(mine) | adjacent(mine & lake))"),
        ("yard", "count(mine - yard - adjacent(mine))"),
    ],
)
def test_operands_that_never_matter_and_no_others(needless: str, text: str) -> None:
    assert said(GIFT.format(text)) == [("KB740", needless)]


def test_an_example_in_which_it_holds_ends_the_warning() -> None:
    rule = 'card rowers "Rowers":\n    "Gold."\n    gold 1 if count(mine) > 7\n'
    never = rule + "    example:\n        | Ha L\n        gives 0\n"
    shown = rule + "    example:\n" + "        | Ha Ha Ha Ha Ha Ha Ha Ha\n        gives 1\n"
    assert [code for code, _ in said("", rowers=never)] == ["KB741"]
    assert said("", rowers=shown) == []


KEPT = """memory kept: hexes of player "What other rules may keep."

define built "Yours, on a free hex or not.":
    mine & occupied
"""


@pytest.mark.parametrize(
    "text",
    [
        "count(mine - kept)",
        "count(built & board) + count(mine & built)",
    ],
)
def test_what_another_place_or_box_may_need_is_not_told(text: str) -> None:
    assert {*said(KEPT + GIFT.format(text))} <= {("KB740", "occupied"), ("KB740", "mine")}


def test_a_clause_matters_if_it_does_under_one_value_of_an_option() -> None:
    option = 'option wide = yes "W."\n\n'
    rule = option + GIFT.format("1 if count(mine) > {} and (wide or count(mine) > 2)")
    assert said(rule.format(1)) == []
    assert {*said(rule.format(0))} == {("KB740", "count(mine) > 0")}


def test_what_hangs_on_a_finding_is_not_told_again() -> None:
    never = MILL.replace("    action:", "    action if count(mine) > 7:").split("    example")[0]
    never += "    example:\n        | Ha L\n        offers none\n"
    assert said("", mill=never) == [("KB741", "count(mine) > 7")]


def test_a_card_that_is_another_in_other_words_is_told_with_the_other() -> None:
    twin = ROWERS.replace("gold 1 per hex in mine & adjacent(lake)",
                          "gold 3 per hex in mine - (board - adjacent(lake))").replace(
                              "gives 1", "gives 3")  # fmt: skip
    (finding,) = found("", anglers=twin.replace("rowers", "anglers"))
    assert (finding.code, finding.labels[0].span.text) == ("KB746", "rowers")
    assert "3 gold where `rowers` pays 1" in finding.message


def test_an_award_that_only_takes_is_told_even_if_an_example_shows_it() -> None:
    rule = 'card rowers "Rowers":\n    "Gold."\n    gold {}\n    example:\n        | Ha L\n'
    (finding,) = found("", rowers=rule.format("count(mine & edge) - 9") + "        gives -8\n")
    assert finding.code == "KB744" and "never paid anybody more than nothing" in finding.message
    assert said("", rowers=rule.format("count(mine & edge) - 2") + "        gives -1\n") == []


def test_a_standstill_is_told_of_the_rule_that_bans() -> None:
    far = 'rule far "Far":\n    "Nobody builds near others."\n    forbid build on within({}, 2)\n'
    first = 'rule first "First":\n    "Gold."\n    when build: gain count(mine & adjacent(lake))\n'
    assert said(first + far.format("theirs")) == [("KB752", "far")]


def test_our_small_test_boxes_are_in_order() -> None:
    for house in ("dale", "hex"):
        folder = ROOT / "tests" / "house" / house
        with chdir(folder):
            assert (
                checked(Project([Path()]), LintSettings(SAMPLED, samples=60, is_isolated=True)).all
                == []
            )


@pytest.mark.slow
def test_the_shipped_boxes_are_in_order() -> None:
    with chdir(ROOT):
        wanted = LintSettings(
            frozenset(c for c in warnings() if c >= "KB730"), samples=200, is_isolated=True
        )
        assert checked(Project([Path("rules"), Path("expansions")]), wanted).all == []


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
