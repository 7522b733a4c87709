"""Old names of public attributes answer as the new ones do, and warn."""

from __future__ import annotations

import pytest

from kbrules.engine.logs.replay import parse_log
from kbrules.engine.refusal import Refusal
from kbrules.text import Source
from tests.engine.games import logged

GAME = logged(1)
OWNERS = {
    "game": GAME.game,
    "ruleset": GAME.game.ruleset,
    "sheet": GAME.game.score(GAME.start),
    "refusal": Refusal("build e3", (), ("e3",)),
    "playthrough": GAME.game.playthrough(1),
    "log": parse_log(Source("log", GAME.text))[0],
}


@pytest.mark.parametrize(
    ("owner", "old", "new"),
    [
        ("ruleset", "kept", "derived"),
        ("ruleset", "standings", "whenever_rules"),
        ("game", "kept", "cache"),
        ("game", "told", "after_events"),
        ("sheet", "worths", "win_values"),
        ("sheet", "unpaid", "nonpaying"),
        ("sheet", "by", "decided_by"),
        ("game", "by", "with_engine"),
        ("game", "settle", "run_to_decision"),
        ("game", "program", "plan"),
        ("refusal", "nearest_said", "nearest_text"),
        ("playthrough", "made", "moves_made"),
        ("log", "ends_well", "checksum_holds"),
    ],
)
def test_an_old_name_warns_and_answers(owner: str, old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"use `{new}`"):
        assert getattr(OWNERS[owner], old) == getattr(OWNERS[owner], new)
