"""Short forms mean the lines they stand for, written out by hand."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from kbrules.lang.checker.rules import Checked, check
from kbrules.lang.checker.statements import MAX_DEPTH, MAX_STEPS
from kbrules.lang.typed import Either, If, Repeat, Statement, Step
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


MAY_RULE = """rule odd "Odd":
    "May gain."
    when build:
        {0}:
            gain 1
            gain 2 if any(here)
"""


def may_body(heading: str) -> Repeat:
    checked, findings = check(read(MAY_RULE.format(heading)), full_vocabulary(vale().catalog))
    assert findings == []
    (statement,) = checked.rules[0].triggers[0].body.steps
    assert isinstance(statement, Repeat)
    return statement


def test_it_is_up_to_once() -> None:
    may, up_to = may_body("may"), may_body("up to 1 times")
    assert (may.times.value, may.may_stop) == (up_to.times.value, up_to.may_stop) == (1, True)
    (asked,) = may.body.steps
    assert isinstance(asked, Either) and type(up_to.body.steps[0]) is Either
    assert [type(each) for each in asked.bodies[0].steps] == [Step, If]


HEAD = 'rule odd "Odd":\n    "Odd."\n'


@pytest.mark.parametrize(
    ("limit", "number", "scope"),
    [("once per game", 1, "player"), ("twice per round", 2, "round")],
)
def test_it_is_what_is_written_out(limit: str, number: int, scope: str) -> None:
    memory = f'memory uses_of_odd: number of {scope} "Uses."\n\n'
    written = checked(
        memory
        + HEAD
        + f"    action if uses_of_odd < {number} and any(mine):\n"
        + "        build 1\n        count 1 into uses_of_odd\n        gain 1\n"
    )
    short = checked(HEAD + f"    action {limit} if any(mine):\n        build 1\n        gain 1\n")
    assert shape(short.rules[0].actions) == shape(written.rules[0].actions)
    assert [(m.name.text, m.scope and m.scope.text) for m in short.memories] == [
        ("uses_of_odd", scope)
    ]


def test_branches_stay_together() -> None:
    body = "        either:\n            build 1\n        or:\n            gain 1\n"
    rule = checked(HEAD + f"    action once per game:\n{body}").rules[0]
    kinds = [type(each).__name__ for each in rule.actions[0].body.steps]
    assert kinds == ["Either", "Step"]


def test_two_limits_of_a_rule_are_counted_apart() -> None:
    body = "        build 1\n"
    text = HEAD + f"    action once per game:\n{body}    action twice per round:\n{body}"
    names = [memory.name.text for memory in checked(text).memories]
    assert names == ["uses_of_odd_1", "uses_of_odd_2"]


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("action once per gam", ["KB201"]),
        ("turn once per game", ["KB206"]),
        ("action thrice per game", ["KB101"]),
    ],
)
def test_what_is_no_limit_is_told(heading: str, codes: list[str]) -> None:
    found = of_checking(HEAD + f"    {heading}:\n        build 1\n")
    assert [finding.code for finding in found] == codes


DEFINES = (
    'define arrived "Where it came to stay.":\n    here & mine\n\n'
    'define around "Beside it.":\n    adjacent(arrived)\n\n'
    'define left "Where it came from.":\n    origin\n\n'
)
EVENT_RULE = 'rule odd "Odd":\n    "Odd."\n'


def lowered(lines: str) -> object:
    return shape(checked(DEFINES + EVENT_RULE + lines).rules[0])


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
    _, (finding,) = check(read(DEFINES + EVENT_RULE + lines), full_vocabulary(vale().catalog))
    assert finding.code == "KB201"
    assert finding.span.text == word
    assert finding.message == f"`{word}` speaks of `{missing}`, which is not known here"
    assert "is known after `when ...:`" in finding.help


def test_a_parameter_of_that_name_is_given() -> None:
    text = 'define beside(here: hexes) "Beside.":\n    adjacent(here)\n\n' + EVENT_RULE
    assert of_checking(text + "    forbid build on beside(mine)\n") == []
