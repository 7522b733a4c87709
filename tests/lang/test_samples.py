"""The rules of later boxes, written down before the grammar settled: they parse and check."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.load import check_all
from kbrules.library.ruleset import Ruleset

BOXES = Path(__file__).with_name("boxes")
WRITTEN = [
    "cathedral",
    "scout_cabin",
    "silos",
    "mayors",
    "rovers",
]


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    loaded, findings = check_all(["base"], folders=[BOXES])
    assert findings == []
    assert loaded is not None
    return loaded


@pytest.mark.parametrize("name", WRITTEN)
def test_rule_is_written_and_checked(ruleset: Ruleset, name: str) -> None:
    rule = ruleset.rule(name)
    assert rule is not None
    says = (rule.norms, rule.changes, rule.awards, rule.triggers, rule.actions, rule.phases)
    assert any(says) or rule.kind == "bonus"


def test_the_same_words_without_their_box_are_unknown() -> None:
    from kbrules.text import Source

    text = Source("x.kb", (BOXES / "rules" / "harvest.kb").read_text())
    _, findings = check_all(["base"], texts=[text])
    assert {finding.code for finding in findings} >= {"KB201", "KB410"}
