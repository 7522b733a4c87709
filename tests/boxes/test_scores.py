"""Gold at the end, all pieces of all boxes on the board: the engine and a finger count the same."""

from __future__ import annotations

from collections import Counter

import pytest

from kbrules.engine.game import Game
from kbrules.game.state import State
from tests.boxes import bridge
from tests.boxes.drawing import told
from tests.boxes.follow import alike
from tests.boxes.red_cards import RED
from tests.boxes.scene import Scene
from tests.boxes.scores import BASE, SCORES, score
from tests.boxes.strewn import strewn

CHUNK, CHUNKS, MANY = 25, 8, 160
RULES = (*BASE, *SCORES)


def compare(seed: int) -> None:
    laid = strewn(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        agree(game, bridge.state_of(game, scene), scene)


def agree(game: Game, state: State, scene: Scene) -> None:
    """Fail unless every player gets the same from every card, task and rule."""
    sheet = game.score(state)
    for player in range(scene.players):
        paid = {line.rule: line.gold for line in sheet.lines[player] if line.rule not in RED}
        expected = {rule: score(scene, rule, player) for rule in RULES}
        alike(f"gold at the end for {player}", paid, expected)
        assert sheet.totals[player] == sum(paid.values()) + scene.gold[player]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_gold(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(seed)


@pytest.mark.slow
def test_gold_of_many() -> None:
    for seed in range(CHUNKS * CHUNK, MANY * CHUNK):
        compare(seed)


def test_every_rule_pays_somewhere() -> None:
    paying = Counter(
        rule
        for seed in range(CHUNKS * CHUNK)
        for scene in [strewn(seed).scene]
        for rule in RULES
        if any(score(scene, rule, player) for player in range(scene.players))
    )
    assert {rule: n for rule, n in paying.items() if n >= 3}.keys() == set(RULES)
