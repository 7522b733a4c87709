"""The shipped rules: the tests notice nine of ten faults in every box, and the page says which."""

from __future__ import annotations

from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest

from kbrules.tools.mutation.faults import KINDS
from kbrules.tools.mutation.run import (
    PAGE,
    MutationJob,
    ReportData,
    boxes,
    mutate,
    page,
    read_accepted,
    shipped_report,
)
from kbrules.tools.testing import Request
from tests.source_tree import ROOT

LEAST = 90


@cache
def whole() -> ReportData:
    """The report on all shipped rules, which takes minutes."""
    with chdir(ROOT):
        return shipped_report()


@pytest.mark.parametrize("box", ["capitol", "island"])
def test_the_own_scenarios_of_a_small_box_notice_nine_of_ten_faults(box: str) -> None:
    with chdir(ROOT):
        paths = (Path("rules") / box, Path("tests/scenarios") / box)
        tally, findings = mutate(MutationJob(Request(paths), searches=False))
    assert findings == []
    assert tally is not None
    assert tally.score.planted > 30
    assert tally.score.percent >= LEAST, [each.fault.now for each in tally.survivors]


def test_the_page_tells_every_kind_of_fault_and_every_reason() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    with chdir(ROOT):
        listed, findings = read_accepted([Path("tests/scenarios")])
    assert findings == []
    assert [kind for kind in KINDS if f"| {kind} |" not in text] == []
    assert [each.reason for each in listed if each.reason not in text] == []


@pytest.mark.slow
def test_the_tests_notice_nine_of_ten_faults_in_every_box() -> None:
    shares = {box: 100 * killed / planted for box, (planted, killed) in boxes(whole()).items()}
    assert {box: share for box, share in shares.items() if share < LEAST} == {}
    assert whole()["score"] >= LEAST


@pytest.mark.slow
def test_no_reason_is_given_for_a_fault_that_is_noticed() -> None:
    assert whole()["findings"] == []


@pytest.mark.slow
def test_the_page_is_what_is_found() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert text == page(whole()), "run `python -m kbrules.tools.mutation.run`"
