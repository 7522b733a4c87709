"""What people write who know another language, and whether they are told what is said here."""

from __future__ import annotations

import pytest

from kbrules.lang.syntax.syntax_errors import plain, spelling
from tests.lang.told import Told, assert_told, of_checking, of_reading, shown

HEAD = 'rule placing "Placing":\n    "Build."\n'

READ: dict[str, tuple[str, Told]] = {
    "not before a set": ("permit build on mine & not edge", Told("KB101", "not", "`-`")),
    "else": ("gold 1 if any(mine) else 2", Told("KB101", "else", "`otherwise`")),
    "no amount": ("gold per hex in mine", Told("KB101", "hex", "`gold 1 per")),
    "the amount first": ("1 gold per hex in mine", Told("KB101", "1", "`gold 1 per")),
    "for in the place of per": ("gold 1 for each hex in mine", Told("KB101", "for", "`per`")),
    "a score": ("score 1 per hex in mine", Told("KB101", "per", "`gold 1")),
    "my pieces": ("gold 1 per hex in my pieces", Told("KB101", "pieces", "`mine`")),
    "each in a loop": ("for each row in rows: gold 1", Told("KB101", "row", "leave it out")),
    "two signs of equality": ("gold 1 if count(mine) == 3", Told("KB101", "=", "single `=`")),
    "two ampersands": ("permit build on mine && edge", Told("KB101", "&", "single `&`")),
    "half a piece of gold": ("gold 0.5 per hex in mine", Told("KB105", ".", "whole")),
    "a semicolon": ("gold 1;", Told("KB105", ";", "take it away")),
    "curly quotes": ("\u201cBuild.\u201d", Told("KB105", "\u201c", '`"`')),
    "a dash": ("permit build on mine \u2013 edge", Told("KB105", "\u2013", "`-`")),
    "a norm without a verb": ("forbid adjacent(mine)", Told("KB101", "(", "`forbid build on")),
    "a norm without on": ("forbid build adjacent(mine)", Told("KB101", "adjacent(", "on ...`")),
    "a block behind a colon": (
        "when build: repeat 2 times: gain 1",
        Told("KB101", "repeat", "next line"),
    ),
    "a loop in a word": (
        "gold sum(row in rows if any(row))",
        Told("KB101", "in", "for row in rows"),
    ),
    "a comment of C": ("// here", Told("KB101", "/", "`#`")),
}
HEADINGS: dict[str, tuple[str, Told]] = {
    "a name of two words": ("rule tall mills", Told("KB101", "mills", "`rule tall_mills`")),
    "a name with a dash": ("rule tall-mills", Told("KB101", "-", "`rule tall_mills`")),
    "a name with an umlaut": ("rule m\u00fchlen", Told("KB105", "m\u00fchlen", "`muehlen`")),
    "a name with a capital": ("rule tallMills", Told("KB105", "tallMills", "`tallmills`")),
}
CHECKED: dict[str, tuple[str, Told]] = {
    "and between sets": ("permit build on mine and edge", Told("KB203", "mine", "`&`")),
    "my": ("permit build on my & edge", Told("KB201", "my", "`mine`")),
    "a word from nowhere": ("permit build on zzyzx", Told("KB201", "zzyzx", "show word")),
    "an award in a block": (
        "if any(mine): gold 2", Told("KB206", "if any(mine): gold 2", "`gold 2 if ...`"),
    ),
    "a step that is not": ("action: teleport 1", Told("KB201", "teleport", "show step")),
    "a word of events": ("action: remove 1 from origin", Told("KB201", "origin", "`when")),
    "a remainder": ("gold count(mine) mod 3", Told("KB101", "mod", "`remainder(round, 3)`")),
    "a rest": ("gold count(mine) % 3", Told("KB105", "%", "`remainder(round, 3)`")),
    "a swap": ("action: exchange mine with edge", Told("KB201", "exchange", "`swap 1 from")),
    "a limit of each turn": (
        "action once per turn: gain 1", Told("KB201", "turn", "once in a turn"),
    ),
    "a number added": ("when build: add 1 to seen", Told("KB203", "1", "`count 1 into")),
    "a rule against": ("disallow build on edge", Told("KB201", "disallow", "`forbid build")),
    "an exact length": ("permit build on ends(lines(mine, 7))", Told("KB203", "7", "`exactly 3`")),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_habit_of_another_language_is_answered(name: str) -> None:
    sentence, told = READ[name]
    assert_told(of_reading(f"{HEAD}    {sentence}\n"), [told])


@pytest.mark.parametrize("name", HEADINGS)
def test_a_name_is_written_out_as_it_can_be(name: str) -> None:
    heading, told = HEADINGS[name]
    findings = of_reading(f'{heading} "Mills":\n    "Build."\n    permit build on edge\n')
    assert_told(findings, [told])


@pytest.mark.parametrize("name", CHECKED)
def test_a_word_that_is_not_ours_leads_to_one_that_is(name: str) -> None:
    sentence, told = CHECKED[name]
    memory = 'memory seen: number of player "Seen."\n'
    findings = of_checking(f"{memory}{HEAD}    {sentence}\n")
    assert any(told.is_said_by(finding) for finding in findings), shown(findings)


def test_a_letter_that_only_looks_like_ours_is_named() -> None:
    assert "`\u0456`" in spelling("m\u0456ne")
    assert plain("Gro\u00dfe M\u00fchle-2") == "grosse_muehle_2"
