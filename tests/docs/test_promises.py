"""Each promise names tests that there are."""

from __future__ import annotations

import re

import pytest

from tests.source_tree import ROOT

PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
HOLDERS = re.findall(r"`(tests/[\w/.]+)`", PAGE)


def test_every_promise_has_a_test() -> None:
    table = PAGE.split("\n\n")[2].split("\n")[2:]
    assert len(table) >= 13 and all("`tests/" in row for row in table)


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_test_that_is_named_is_there(holder: str) -> None:
    assert (ROOT / holder).exists()
