"""Lints that look at positions: repeatable, silent where an author shows what is meant, honest."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES, Example, File
from kbrules.tools.check import FileChecker
from kbrules.tools.explain import example_folder
from kbrules.tools.lint.run import LintSelection, warnings
from tests.example_games import MOOR
from tests.source_tree import ROOT

MILL, ROWERS = MOOR["rules/mill.kb"], MOOR["rules/rowers.kb"]
SAMPLED = frozenset(code for code in warnings() if CODES[code].claim == "sampled")
GIFT = 'rule gift "A gift":\n    "Gold for pieces."\n    when build: gain {}\n'


def found(text: str, samples: int = 60, **beside: str) -> list[Diagnostic]:
    """What is said of the small game with one more rule file, and others changed."""
    texts = {**beside, "near": text}
    files = tuple(File(f"rules/{name}.kb", "", each) for name, each in texts.items())
    with example_folder(Example(files, game="moor")):
        return FileChecker().check([Path()], lints=LintSelection(SAMPLED, samples)).all


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
            assert FileChecker().check([Path()], lints=LintSelection(SAMPLED, 60)).all == []


@pytest.mark.slow
def test_the_shipped_boxes_are_in_order() -> None:
    with chdir(ROOT):
        wanted = LintSelection(frozenset(c for c in warnings() if c >= "KB730"), 200)
        assert FileChecker().check([Path("rules"), Path("expansions")], lints=wanted).all == []
