"""`do NAME(...)` means the lines of those steps, written out with what they are given."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from kbrules.lang.checker.rules import Checked, check
from kbrules.lang.checker.statements import MAX_DEPTH, MAX_STEPS
from kbrules.lang.typed import If, Repeat, Statement
from kbrules.library.vocabulary import full_vocabulary
from tests.lang.told import of_checking
from tests.primitives.probe import read, vale

RULE = """rule odd "Odd":
    "Odd."
    when build:
"""
HIRE = """steps hire(where: hexes, n: number) "Builds for a price.":
    pay n gold
    if any(where):
        build n on where - mine
    for group in groups(where): gain count(group)

"""
LONG = """steps a "One.":
    gain 1
    gain 1

"""


def checked(text: str) -> Checked:
    found, findings = check(read(text), full_vocabulary(vale().catalog))
    assert findings == []
    return found


def body(lines: str, before: str = "") -> tuple[Statement, ...]:
    (trigger,) = checked(before + RULE + lines).rules[0].triggers
    return trigger.body.steps


def codes(text: str) -> list[str]:
    return [finding.code for finding in of_checking(text)]


def shape(node: object) -> object:
    """What a part of a rule means, wherever it stands."""
    if isinstance(node, tuple):
        return [shape(each) for each in node]
    if not is_dataclass(node):
        return node
    said = (field.name for field in fields(node) if field.name not in ("span", "path"))
    return type(node), [shape(getattr(node, name)) for name in said]


@pytest.mark.parametrize(
    ("call", "written"),
    [
        (
            "hire(here, 2)",
            "pay 2 gold\n        if any(here):\n            build 2 on here - mine\n"
            "        for group in groups(here): gain count(group)\n",
        ),
        (
            "hire(adjacent(here) & water, count(mine))",
            "pay count(mine) gold\n        if any(adjacent(here) & water):\n"
            "            build count(mine) on (adjacent(here) & water) - mine\n"
            "        for group in groups(adjacent(here) & water): gain count(group)\n",
        ),
    ],
)
def test_it_is_what_it_does_written_out(call: str, written: str) -> None:
    (done,) = body(f"        do {call}\n", HIRE)
    assert isinstance(done, Repeat) and done.times.value == 1 and not done.may_stop
    plain = body(f"        {written}")
    assert [shape(each) for each in done.body.steps] == [shape(each) for each in plain]


def test_a_condition_holds_for_all_of_it() -> None:
    (done,) = body("        do hire(here, 1) if any(mine)\n", HIRE)
    assert isinstance(done, If) and len(done.body.steps) == 3


def test_its_price_is_the_price_of_the_action() -> None:
    rule = 'rule odd "Odd":\n    "Odd."\n    action:\n        {}\n'
    by_name = checked(HIRE + rule.format("do hire(mine, 3)")).rules[0].actions[0]
    plain = checked(rule.format("pay 3 gold")).rules[0].actions[0]
    assert by_name.guard is not None and plain.guard is not None
    assert shape(by_name.guard) == shape(plain.guard)


def test_each_block_of_it_has_an_address_of_its_own() -> None:
    both = body("        do hire(here, 1)\n        do hire(here, 1)\n", HIRE)
    assert all(isinstance(each, Repeat) for each in both)
    paths = [each.body.path for each in both if isinstance(each, Repeat)]
    assert len(set(paths)) == 2


def test_who_does_himself_is_told_once() -> None:
    text = 'steps a "A.":\n    do b\n\nsteps b "B.":\n    do a\n\n'
    assert codes(text + RULE + "        do a\n") == ["KB207"]


def test_what_is_wrong_inside_is_told_inside_and_once() -> None:
    text = 'steps a(n: number) "A.":\n    gain nn\n\n'
    assert codes(text + RULE + "        do a(1)\n        do a(2)\n") == ["KB201"]


def test_what_grows_too_large_or_deep_is_refused() -> None:
    doubled = "".join(
        f'steps a{n} "More.":\n    do a{n - 1}\n    do a{n - 1}\n\n' for n in range(1, 12)
    )
    wide = LONG.replace("steps a ", "steps a0 ") + doubled
    assert codes(wide + RULE + "        do a1\n") == ["KB303"]
    assert MAX_STEPS < 2 * 2**11
    chain = "".join(f'steps a{n} "More.":\n    do a{n + 1}\n\n' for n in range(MAX_DEPTH + 3))
    last = LONG.replace("steps a ", f"steps a{MAX_DEPTH + 3} ")
    assert codes(chain + last) == ["KB303"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("do hire", "KB204"),
        ("do hire(here)", "KB204"),
        ("do hire(here, here)", "KB203"),
        ("do hired(here, 1)", "KB201"),
        ("do build", "KB201"),
        ("do 3", "KB205"),
        ("do", "KB205"),
        ("for group in groups(mine): do hire(group, 1)", "KB202"),
    ],
)
def test_what_cannot_be_done_is_told_at_its_line(line: str, code: str) -> None:
    assert codes(HIRE + RULE + f"        {line}\n") == [code]
