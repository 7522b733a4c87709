"""`once per game` is a memory, a condition and a count, written out."""

from __future__ import annotations

import pytest

from tests.lang.test_named_steps import checked, shape
from tests.lang.told import of_checking

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
