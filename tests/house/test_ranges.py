"""Rules over all terrains, tiles, kinds and cards: judged by examples, played by kernels."""

from __future__ import annotations

from pathlib import Path

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.scenario.collection import collect
from tests.equal.playthroughs import Both

RANGES = Path(__file__).with_name("ranges")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([RANGES])
    assert len(items) >= 12
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[RANGES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_the_fewest_pieces_on_a_terrain_are_counted_on_terrains_of_the_board_only() -> None:
    ruleset = kbrules.load(folders=[RANGES])
    game = kbrules.new_game(ruleset, 2, 1, "ranges")
    state, random = game.start(), kbrules.Random(1, "test")
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    buildable = game.board.tagged["buildable"]
    for player, lines in enumerate(game.score(state).lines):
        held = state.seats[player].all
        on = [(held & kind).bit_count() for kind in game.board.kinds if kind & buildable]
        paid = {line.rule: line.gold for line in lines}
        assert paid["gardeners"] == 3 * min(on)
