"""`may:` means what `up to 1 times:` means; one that begins without a question asks one."""

from __future__ import annotations

from kbrules.lang.checker.rules import check
from kbrules.lang.typed import Either, If, Repeat, Step
from kbrules.library.vocabulary import full_vocabulary
from tests.primitives.probe import read, vale

RULE = """rule odd "Odd":
    "May gain."
    when build:
        {0}:
            gain 1
            gain 2 if any(here)
"""


def body(heading: str) -> Repeat:
    checked, findings = check(read(RULE.format(heading)), full_vocabulary(vale().catalog))
    assert findings == []
    (statement,) = checked.rules[0].triggers[0].body.steps
    assert isinstance(statement, Repeat)
    return statement


def test_it_is_up_to_once() -> None:
    may, up_to = body("may"), body("up to 1 times")
    assert (may.times.value, may.may_stop) == (up_to.times.value, up_to.may_stop) == (1, True)
    (asked,) = may.body.steps
    assert isinstance(asked, Either) and type(up_to.body.steps[0]) is Either
    assert [type(each) for each in asked.bodies[0].steps] == [Step, If]
