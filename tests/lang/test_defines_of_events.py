"""A define may speak of `here` and the like, and is then known only where they are."""

from __future__ import annotations

import pytest

from kbrules.lang.checker.rules import check
from kbrules.library.vocabulary import full_vocabulary
from tests.lang.test_named_steps import checked, shape
from tests.lang.told import of_checking
from tests.primitives.probe import read, vale

DEFINES = (
    'define arrived "Where it came to stay.":\n    here & mine\n\n'
    'define around "Beside it.":\n    adjacent(arrived)\n\n'
    'define left "Where it came from.":\n    origin\n\n'
)
RULE = 'rule odd "Odd":\n    "Odd."\n'


def lowered(lines: str) -> object:
    return shape(checked(DEFINES + RULE + lines).rules[0])


@pytest.mark.parametrize(
    ("defined", "written"),
    [
        ("    when build: gain count(arrived)\n", "    when build: gain count(here & mine)\n"),
        (
            "    when build: gain count(around)\n",
            "    when build: gain count(adjacent(here & mine))\n",
        ),
        (
            "    action: move 1 from mine to board & adjacent(left)\n",
            "    action: move 1 from mine to board & adjacent(origin)\n",
        ),
    ],
)
def test_it_means_what_is_written_out(defined: str, written: str) -> None:
    assert lowered(defined) == lowered(written)


@pytest.mark.parametrize(
    ("lines", "word", "missing"),
    [
        ("    forbid build on around\n", "around", "here"),
        ("    when turn_end: gain count(arrived)\n", "arrived", "here"),
        ("    when build: gain count(left)\n", "left", "origin"),
        ("    when build, move: gain count(left)\n", "left", "origin"),
        ("    action: move 1 from left to board\n", "left", "origin"),
    ],
)
def test_elsewhere_it_is_told_what_it_speaks_of(lines: str, word: str, missing: str) -> None:
    _, (finding,) = check(read(DEFINES + RULE + lines), full_vocabulary(vale().catalog))
    assert finding.code == "KB201"
    assert finding.span.text == word
    assert finding.message == f"`{word}` speaks of `{missing}`, which is not known here"
    assert "is known after `when ...:`" in finding.help


def test_a_parameter_of_that_name_is_given() -> None:
    text = 'define beside(here: hexes) "Beside.":\n    adjacent(here)\n\n' + RULE
    assert of_checking(text + "    forbid build on beside(mine)\n") == []
