"""Every scenario and every example can be asked, and no answer disagrees with the engine."""

from __future__ import annotations

import json

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.scenario.examples import set_up_example
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.running import Case, play_back
from kbrules.tools.reports.report import as_json, as_text
from kbrules.tools.why import moves as smallest_change
from kbrules.tools.why.questions import read_question
from kbrules.tools.why.report import GoldAnswer, answer, why_report
from tests.collecting import collect
from tests.source_tree import ROOT

FOLDERS = ("rules", "tests/scenarios", "tests/house/hex", "tests/house/dale")


def position_of(item: Case, random: Random) -> tuple[Game, State] | None:
    """One of the positions of a scenario, or that of an example."""
    if not isinstance(item.definition, Scenario):
        example, _ = set_up_example(item.cache.ruleset, item.definition)
        return None if example is None else (example.game, example.state)
    prepared, _ = build_start(item.definition, item.cache)
    if prepared is None:
        return None
    return prepared.game, random.choice(play_back(item.definition, prepared).states)


def questions_about(game: Game, random: Random) -> list[list[str]]:
    hexes = [game.board.grid.name(random.choice(bits(game.board.grid.full))) for _ in range(2)]
    cards = [["b", rule.id] for rule in game.scoring.rules][:2]
    return [[hexes[0]], ["not", "build", hexes[1]], ["red"], ["not", "end"], *cards]


def ask(game: Game, state: State, words: list[str]) -> None:
    asked = read_question(game, state, words)
    assert not isinstance(asked, Diagnostic), asked.message
    found = answer(game, state, asked)
    report = why_report(found, "here")
    assert as_text(report).startswith("here:\n") and report.lines[0] in as_text(report)
    assert json.loads(as_json(report))["position"] == "here"
    if isinstance(found, GoldAnswer):
        sheet = game.score(state)
        wanted = asked.rule.id if asked.rule is not None else ""  # type: ignore[union-attr]
        line = sheet.line(wanted, found.question.player)
        assert found.total == (line.gold if line else sheet.totals[found.question.player])
        return
    for each in found.explained:
        if each.derivation.legal and each.derivation.hex >= 0:
            assert each.is_allowed


@pytest.mark.slow
def test_everything_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smallest_change, "SECONDS", 0.05)
    random = Random(1, "everywhere")
    items = collect([ROOT / folder for folder in FOLDERS]).cases
    assert len(items) > 1000
    for item in items:
        found = position_of(item, random)
        assert found is not None, item.id
        for words in questions_about(found[0], random):
            ask(*found, words)
