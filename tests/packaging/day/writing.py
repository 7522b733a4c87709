"""The morning: a box of three cards is begun, checked, formatted and tried by scenarios."""

from __future__ import annotations

from tests.packaging.day.steps import Day

MISSPELT = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone."
    gold 2 per hex in mine - adjcent(mine)
    gold 5 if mine & edge
"""
UNTIDY = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone, five more for one at the edge."
    gold 2 per hex   in mine-adjacent(mine)
    gold 5 if any(edge & mine - adjacent(mine))
"""
EXAMPLE = """\
    example "two of them stand alone":
        | .  .  .  .  .
        |  .a .  .  .a .a
        | .  .  .a .  .
        gives {gold}
"""
FLOWERS = """\
card flowers "Flowers":
    "One gold for each of your pieces on flower fields."
    gold 1 per hex in mine & flower
    example "two of three":
        | Fa F  Ga
        |  F  Fa Fb
        gives 2
"""
SCENARIO = """\
format: 1
title: Two alone, both at the edge
board:
  drawing: |
    G  G  G  G
     Ga G  G  Ga
    G  G  G  G
turn: {player: a, played: gras}
cards: [loners]
stepps:
  - expect: {gold: {a: {loners: 14}}}
"""
UNUSED = """\
# kb: ignore[unused-defin] the next card speaks of it
define wet "Next to water.":
    mine & adjacent(water)
"""


def morning(day: Day) -> None:
    """From an empty folder to a box of which all holds."""
    _begin(day)
    _check(day)
    _format(day)
    _look_up(day)
    _examples(day)
    _scenario(day)
    _warnings(day)


def _begin(day: Day) -> None:
    with day.step("first page"):
        day.wrong("chek", "No such command 'chek'", "Did you mean 'check'")
        day.wrong("--verison", "--version")
        day.say("", "kbrules new expansion")
    with day.step("new"):
        day.wrong("new card", "No such command 'card'", "expansion, section can be begun")
        day.wrong("new expansion Orchard", "KB009", "`orchard`")
        day.say("new expansion orchard", "kbrules check orchard")
        day.wrong("new expansion orchard", "KB008", "choose another name")
    day.folder /= "orchard"


def _check(day: Day) -> None:
    day.write("rules/loners.kb", MISSPELT)
    with day.step("check"):
        day.wrong("check ./rule", "KB001", "look for a slip in the path")
        wrong = day.wrong("check .", "KB201", "did you mean `adjacent`?", "KB203", "any(...)")
        assert "KB212" in wrong and "KB410" in wrong
        day.write("rules/loners.kb", UNTIDY + EXAMPLE.format(gold=4))
        day.change("expansion.yaml", "[orchard_keeper]", "[orchard_keeper, loners, flowers]")
        day.wrong("check .", "KB409", "flowers")
        day.write("rules/flowers.kb", FLOWERS)
        day.say("check .", "all good")


def _format(day: Day) -> None:
    with day.step("fmt"):
        day.wrong("fmt rules/loner.kb", "KB001", "0 of 1 file changed")
        day.wrong("fmt --check .", "rules/loners.kb would change")
        day.say("fmt .", "1 of 3 files changed")
        day.say("fmt --check .", "0 of 3 files would change")
    assert "per hex in mine - adjacent(mine)" in (day.folder / "rules/loners.kb").read_text()


def _look_up(day: Day) -> None:
    with day.step("explain"):
        day.wrong("explain KB999", "KB009", "`kbrules explain` lists the codes")
        day.wrong("explain wrong-sorts", "KB009", "wrong-sort")
        day.say("explain KB203", "wrong-sort")
    with day.step("show"):
        day.wrong("show crad loners", "KB413", "did you mean `card`?")
        day.wrong("show card loner", "KB413", "did you mean `loners`?")
        day.say("show card loners", "Two gold for each of your pieces", "rules/loners.kb:1")
        day.say("show word adjacent", "adjacent(")


def _examples(day: Day) -> None:
    with day.step("test"):
        day.wrong("test rules/loner.kb", "KB001")
        shown = day.say("test .", "KB505", "gives 9, not 4", "1 failed", code=1)
        assert "* pays" in shown
        day.wrong("test . -k (", "KB009", "write words, `and`, `or`, `not` and brackets")
        day.change("rules/loners.kb", "gives 4", "gives 9")
        day.say("test .", "5 passed")


def _scenario(day: Day) -> None:
    with day.step("scenario"):
        day.write("scenarios/alone.scenario.yaml", SCENARIO)
        day.wrong("test scenarios", "KB413", "did you mean `grass`?", "did you mean `steps`?")
        day.change("scenarios/alone.scenario.yaml", "gras}", "grass}")
        day.change("scenarios/alone.scenario.yaml", "stepps", "steps")
        day.wrong("test scenario", "KB001")
        day.say("test scenarios", "KB505", "pays a 9, not 14", code=1)
        day.change("scenarios/alone.scenario.yaml", "loners: 14", "loners: 9")
        day.say("test scenarios", "2 passed")


def _warnings(day: Day) -> None:
    with day.step("ignore a warning"):
        day.write("rules/wet.kb", UNUSED)
        day.wrong("check .", "KB703", "KB702", "did you mean `unused-define`?")
        day.change("rules/wet.kb", "[unused-defin] the next card speaks of it", "[unused-define]")
        day.wrong("check .", "KB701", "say behind the bracket why it is meant so")
        day.change("rules/wet.kb", "[unused-define]", "[unused-define] for the next card")
        day.say("check .", "all good")
    (day.folder / "rules/wet.kb").unlink()  # that card is never written
