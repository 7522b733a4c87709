"""Gold at the end, all pieces of all boxes on the board: the engine and a finger count the same."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.boxes import bridge
from tests.boxes.drawing import told
from tests.boxes.red_cards import RED
from tests.boxes.scores import BASE, SCORES, score
from tests.boxes.strewn import strewn

CHUNK, CHUNKS, MANY = 25, 8, 160
RULES = (*BASE, *SCORES)


def compare(seed: int) -> Counter[str]:
    """Count by both; how often each rule paid anything."""
    paying: Counter[str] = Counter()
    laid = strewn(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        sheet = game.score(bridge.state_of(game, scene))
        for player in range(scene.players):
            paid = {line.rule: line.gold for line in sheet.lines[player] if line.rule not in RED}
            expected = {rule: score(scene, rule, player) for rule in RULES}
            assert paid == expected, f"player {player}"
            paying += Counter(rule for rule, gold in expected.items() if gold)
    return paying


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_gold(chunk: int) -> None:
    paying: Counter[str] = Counter()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        paying += compare(seed)


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
