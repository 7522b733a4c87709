"""Where the text lets rules follow what a step led to: as deep as what may let more happen."""

from __future__ import annotations

import pytest

from kbrules.compile.whole.following import calling


@pytest.mark.parametrize(
    ("lines", "depth"),
    [
        (["    t1 = here & b0", "    t.ending = True"], None),
        (["    if t1:", "        k0(t, me, t1)"], 2),
        (["    if t1:", "        t.later.append((f1, (me,)))"], 2),
        (["    k0(t, me, t1)", "    if t1:", "        k1(t, me)"], 1),
        (["    if t1:", "        k0(t, me, t1)", "    t.ending = True"], 1),
        (["    if t1:", "        k0(t, me, t1)", "    if t2:", "        f1(t)"], 1),
        (["    for t1 in t2:", "        k0(t, me, t1)"], 1),
        (["    if t1:", "        while t2:", "            k0(t, me, t1)"], 1),
    ],
)
def test_as_deep_as_all_that_may_happen(lines: list[str], depth: int | None) -> None:
    assert calling(lines) == depth
