"""Examples in rule files: right ones pass, wrong ones fail at their line with a picture."""

from __future__ import annotations

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import check_all
from kbrules.scenario.examples import examples_of, run_example
from kbrules.scenario.report import ScenarioOutcome
from kbrules.text import Source
from tests.scenario.texts import game_cache, unmarked

RULE = 'rule {name}:\n    "A rule."\n{body}\n    example:\n{lines}\n'
DRAWN = ("| G+ Ga G+", "|  G+ G+ C", "| C  C  C")


def _outcomes(texts: list[str]) -> tuple[list[ScenarioOutcome], list[tuple[int, int] | None]]:
    """What comes of the one example in each text; the rules are loaded once for all."""
    marks, sources = [], []
    for number, text in enumerate(texts):
        source, marked = unmarked(text.replace("it_is", f"it_is_{number}"))
        sources.append(Source(f"it_{number:03}.kb", source.text))
        marks.append(marked)
    ruleset, findings = check_all(("base",), texts=sources)
    assert ruleset is not None, [each.message for each in findings]
    found = [e for e in examples_of(ruleset) if e.example.span.source.name.startswith("it_")]
    assert len(found) == len(texts)
    return [run_example(ruleset, each) for each in found], marks


def _rule(lines: list[str], body: str = "    permit build on water if no") -> str:
    return RULE.format(name="it_is", body=body, lines="\n".join(f"        {x}" for x in lines))


MOVING = "    action:\n        move 1 from mine to grass freely"
PAYING = "    gold 2 per hex in mine"
# All the rules below are in force together, so but one of each text may pay or increase.
PAID = "    when build: gain count(here & adjacent(theirs))"
DRAWN_FOR = "    action:\n        reveal 1 card\n        build 1 on revealed"
RICHER = "    increase builds by 2"
RIGHT = [
    _rule(["| G! Gb G!", "|  C  Ga Gb", "played grass", "gains 2", "gains 0 to b"], PAID),
    _rule(["| C  G! G! G! Ga", "played grass", "gains 0"]),  # from where it can begin
    _rule(["| W  Ga W  C", "draws desert", "offers none"], DRAWN_FOR),
    _rule(["| W  Ga D+ C", "played grass", "draws desert", "offers"], DRAWN_FOR),
    _rule(["| W  Ga", "builds 5", "hand 1"], RICHER),
    _rule([*DRAWN, "played grass", "offers"]),
    _rule(["| G  Ga G", "|  G  G  C", "played desert", "offers none"]),
    _rule(["| G+ C  C", "|  C  C  Ca", "| C  C  C", "played grass", "offers"]),
    _rule(["| .  .a .b .b", "gives 2", "gives 4 to b"], PAYING),
    _rule(["| .  .a .b .b", "gives 0 to c"], PAYING),
    _rule(["| W  Ga< G+ G+", "offers"], MOVING),
    _rule(["| W  G< G+ G+", "offers"], MOVING),
    _rule(["| W  Ga+ G Gb", "offers"], MOVING),
    _rule(["| G+ Ga< G+ Gb", "|  K  C+ W+ C+", "offers"]),  # where a lifted piece may go at all
    _rule(
        ["| .a .b .  .a", "|  .  .  .  .", "sectors 1 by 2", "gives 4"],
        "    for sector in sectors:\n        gold 1 to first by count(mine & sector)",
    ),
    _rule(["| .a .b .b .", "wins b"], PAYING),
    _rule(["| .a .b .c .", "wins c", "gives 2", "wins b", "wins a"], PAYING),
    _rule(["| .a .b .c .", "wins a", "wins b", "wins c"], "    permit build on water if no"),
    _rule(["| .a .b .  .a", "sectors 1 by 4", "gives 1"],
          "    for sector in sectors:\n        gold 1 to first by count(mine & sector)"),
]  # fmt: skip


def test_right_examples_pass() -> None:
    outcomes, _ = _outcomes(RIGHT)
    assert [each.text for each in outcomes] == [""] * len(RIGHT)
    assert all(each.passed for each in outcomes)


WRONG = [
    (_rule([*DRAWN, "played desert", "«offers»"]), "KB505", "not offered: a1, c1, a2, b2"),
    (_rule(["| G  Ga G+", *DRAWN[1:], "played grass", "«offers»"]), "KB505", "as well: a1"),
    (_rule(["| G  Ga G", "played grass", "«offers none»"]), "KB505", "offered as well: a1, c1"),
    (_rule(["| .  .a", "«gives 3»"], PAYING), "KB505", "gives 2, not 3"),
    (_rule(["| .  .a", "gives 2", "«gives 1 to b»"], PAYING), "KB505", "gives 0, not 1"),
    (_rule(["| .  .a", "«gives 1»"]), "KB505", "gives 0, not 1"),
    (_rule(["| .  .a", "«gives -1»"]), "KB505", "gives 0, not -1"),
    (_rule(["| .  .a", "«wins b»", "wins a"], PAYING), "KB505", "b does not win"),
    (_rule(["| .a .b .c .c", "wins c", "«wins e»"], PAYING), "KB505", "e does not win"),
    (_rule(["| .a .b", "«wins a»"], PAYING), "KB505", "b wins as well"),
    (_rule(["| G+ Ga", "«wins»"]), "KB205", "not written like this"),
    (_rule(["| G+ Ga", "«wins 3»"]), "KB205", "not written like this"),
    (_rule(["| G+ Ga", "«wins a to b»"]), "KB205", "not written like this"),
    (_rule(["| G+ Ga", "wins «z»"]), "KB413", "z"),
    (_rule(["| W  Ga< W+", "«offers»"], MOVING), "KB505", "cannot be lifted"),
    (_rule(["| W  Ga< W+ G+", "«offers»"], MOVING), "KB505", "not offered: c1"),
    (_rule(["| W  Gb< G+", "«offers»"], MOVING), "KB505", "b1 cannot be lifted"),
    (_rule(["| G! Gb G", "played grass", "«gains 2»"], PAID), "KB505", "lets gain 1, not 2"),
    (_rule(["| G! Gb C!", "played grass", "«gains 2»"]), "KB505", "c1 cannot be chosen"),
    (_rule(["| W  Ga D+ C", "draws canyon", "«offers»"], DRAWN_FOR), "KB505", "not offered: c1"),
    (_rule(["| W  Ga", "«builds 4»"], RICHER), "KB505", "`builds` is 5, not 4"),
    (_rule(["| W  Ga", "«builds grass»"]), "KB205", "not written like this"),
    (_rule(["| W  Ga", "«gains grass»"]), "KB205", "not written like this"),
    (_rule(["| G+ Ga", "«ofers»"]), "KB201", "not a line of an example"),
    (_rule(["| G+ Ga", "offers", "played «gras»"]), "KB413", "gras"),
    (_rule(["| G+ Ga", "«gives 3 to 4»"]), "KB205", "not written like this"),
    (_rule(["| G+ Ga", "gives 3 to «z»"]), "KB413", "z"),
    (_rule(["| G+ Ga", "«gives grass»"]), "KB205", ""),
    (_rule(["| G+ Ga", "«offers 3»"]), "KB205", ""),
    (_rule(["| G+ Ga", "offers", "«sectors 3»"]), "KB205", ""),
    (_rule(["| G+ Ga", "offers", "«sectors 0 by 2»"]), "KB205", ""),
    (_rule(["| G+ Ga", "«offers if yes»"]), "KB205", ""),
    (_rule(["| G  Ga", "«offers»"]), "KB110", "no hex is marked"),
    (_rule(["| G+ Ga", "«offers none»"]), "KB110", "marked"),
    (_rule(["| «G! Ga»", "offers none"]), "KB110", "`!`"),
    (_rule(["| «Ga< Ga< G+»", "offers"], MOVING), "KB110", "only one"),
    (_rule(["| G+ «Z»a", "offers"]), "KB408", "Z"),
    (_rule(["| G  Ga", "played grass"]).replace("example", "«example»"), "KB102", "claims nothing"),
    (_rule(["offers none"]).replace("example", "«example»"), "KB102", "no drawing"),
]


def test_wrong_examples_fail_at_the_very_words() -> None:
    outcomes, marks = _outcomes([text for text, _, _ in WRONG])
    for (text, code, said), outcome, marked in zip(WRONG, outcomes, marks, strict=True):
        assert not outcome.passed, text
        (found,) = outcome.diagnostics
        assert (found.code, found.span.start, found.span.end) == (code, *marked), text  # type: ignore[misc]
        assert said in found.message, text
        assert not found.message.startswith("this stopped")


def test_a_picture_marks_what_was_expected_and_what_was_found() -> None:
    outcomes, _ = _outcomes([_rule(["| G+ Ga G", "|  C+ C  C", "played grass", "offers"])])
    picture = outcomes[0].diagnostics[0].picture
    assert [line.split() for line in picture.splitlines()[1:3]] == [
        ["1", "G+", "Ga", "G!"], ["2", "C?", "C", "C"],
    ]  # fmt: skip


def test_what_pays_is_marked_too() -> None:
    outcomes, _ = _outcomes([_rule(["| .a .b .a", "gives 3"], PAYING)])
    picture = outcomes[0].diagnostics[0].picture
    assert picture.splitlines()[1].split() == ["1", "Ga*", "Gb", "Ga*"]


def test_a_missing_hex_is_labelled_with_the_clause_against_it() -> None:
    outcomes, _ = _outcomes([_rule(["| G+ Ga K+", "played grass", "offers"])])
    found: Diagnostic = outcomes[0].diagnostics[0]
    assert any("occupied | special" in label.text for label in found.labels)


def test_no_other_rule_stands_in_the_way() -> None:
    """The card has no free hex here; in play it would leave the game before anything is asked."""
    grass = "    action:\n        build 1 on grass"
    text = _rule(["| G+ Ga G+", "played desert", "offers"], grass)
    outcomes, _ = _outcomes([text])
    assert outcomes[0].passed, outcomes[0].text


@pytest.mark.parametrize("rule", [e.title for e in examples_of(game_cache().ruleset)])
def test_the_shipped_examples_can_all_be_read(rule: str) -> None:
    for each in examples_of(game_cache().ruleset):
        if each.title == rule:
            found = run_example(game_cache().ruleset, each).diagnostics
            assert {finding.code for finding in found} <= {"KB505"}
