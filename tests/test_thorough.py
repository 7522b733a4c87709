"""The list of thorough tests names tests that there are, each once and in order."""

from __future__ import annotations

import pytest

from tests.source_tree import ROOT

LISTED = (ROOT / "tests" / "thorough.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_test_is_there(name: str) -> None:
    file, _, inner = name.partition("::")
    owner, *_ = inner.split("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"def {owner}(" in text or f"class {owner}" in text or f"{owner} = " in text


def test_the_list_is_in_order() -> None:
    assert sorted(set(LISTED)) == LISTED
