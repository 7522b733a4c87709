"""What is offered in positions of every sort through the rest of a turn, and the gold it pays."""

from __future__ import annotations

import pytest

from kbrules.game.random import Random
from tests.boxes import bridge
from tests.boxes.drawing import told
from tests.boxes.follow import follow
from tests.boxes.strewn import LOCATION_TILES, USABLE_NOMADS, strewn
from tests.boxes.turn import CAVE_WALK, MANDATORY, possible

CHUNK, CHUNKS, MANY = 25, 12, 160


def compare(seed: int) -> None:
    laid = strewn(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        follow(game, bridge.state_of(game, scene), scene, Random(seed, "boxes"))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_offered(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(seed)


@pytest.mark.slow
def test_what_is_offered_in_many() -> None:
    for seed in range(CHUNKS * CHUNK, MANY * CHUNK):
        compare(seed)


def test_every_action_is_offered_somewhere() -> None:
    found = set()
    for seed in range(CHUNKS * CHUNK):
        scene = strewn(seed).scene
        found |= {(verb, rule) for verb, rule, _ in possible(scene, scene.mover)}
    rules = {rule for _, rule in found}
    assert rules >= {*LOCATION_TILES, *USABLE_NOMADS, MANDATORY, CAVE_WALK} - {"outpost"}
    for rule in ("wagon_yard", "lighthouse"):
        assert {("place", rule), ("lift", rule), ("remove", rule)} <= found
    assert {("place", "barracks"), ("remove", "barracks")} <= found
