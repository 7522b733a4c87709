"""Moves and whole games of all boxes, engine and twin side by side."""

from __future__ import annotations

from collections import Counter

import pytest

from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.random import Random
from kbrules.library.load import load
from tests.boxes import bridge, targets
from tests.boxes.actions import CAVE_WALK, MANDATORY, others
from tests.boxes.drawing import told
from tests.boxes.follow import follow
from tests.boxes.scattered import LOCATION_TILES, USABLE_NOMADS, opening, scattered
from tests.boxes.scene import Held, Scene
from tests.boxes.test_scores import agree
from tests.boxes.turn import possible
from tests.engine.games import any_move
from tests.oracle.ground import BUILDABLE

CHUNK, CHUNKS, MANY = 25, 12, 160


def compare(seed: int) -> None:
    laid = scattered(seed)
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
        scene = scattered(seed).scene
        found |= {(verb, rule) for verb, rule, _ in possible(scene, scene.mover)}
    rules = {rule for _, rule in found}
    everything = {*LOCATION_TILES, *USABLE_NOMADS, MANDATORY, CAVE_WALK}
    assert rules >= everything - {"outpost", "crossroads"}
    assert {("choose", terrain) for terrain in BUILDABLE} <= found
    for rule in ("wagon_yard", "lighthouse"):
        assert {("place", rule), ("lift", rule), ("remove", rule)} <= found
    assert {("place", "barracks"), ("remove", "barracks")} <= found


def test_a_sword_strikes_every_other_player_once_wherever_the_first_of_them_is() -> None:
    """The next player has no piece that could be removed; whoever follows loses only one."""
    seed = next(seed for seed in range(1000) if sword_passes_over(scattered(seed).scene))
    laid = scattered(seed)
    with told(laid) as s:
        s.held[s.mover] = [Held("sword", min(s.nomads))]
        s.uses_left = Counter(sword=1)
        game = bridge.game_of(laid)
        state = bridge.state_of(game, s)
        before = [len(s.own(player)) for player in range(s.players)]
        move = next(move for move in game.legal_moves(state) if move.rule == "sword")
        while move.rule == "sword":
            state = game.apply(state, move)
            move = next(iter(game.legal_moves(state)))
        after = [seat.all.bit_count() for seat in state.seats]
        removed = [old - new for old, new in zip(before, after, strict=True)]
        victims = [p for p in range(s.players) if p != s.mover and targets.victims(s, p)]
        assert [p for p, lost in enumerate(removed) for _ in range(lost)] == victims


def sword_passes_over(s: Scene) -> bool:
    left = [bool(targets.victims(s, other)) for other in others(s, s.mover)]
    return bool(s.nomads) and not left[0] and sum(left) >= 2


GAMES, SOAK, TURNS = 12, 600, 1000


def play(seed: int) -> None:
    laid = opening(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        state = bridge.state_of(game, scene)
        state = follow(game, state, scene, Random(seed, "game"), TURNS)
        assert state.is_over
        agree(game, state, scene)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_game(seed: int) -> None:
    play(seed)


@pytest.mark.slow
def test_many_random_games() -> None:
    for seed in range(GAMES, GAMES + SOAK):
        play(seed)


def test_three_scoring_cards_one_terrain_card_and_forty_settlements() -> None:
    for ruleset in (load("base"), load(), load("base", "new_edition")):
        for seed in range(20):
            game = game_at(ruleset, choose_table(ruleset, 3, seed))
            scoring = [card for card in game.cards if card in ruleset.catalog.scoring]
            assert len(scoring) == 3
            match = Match(game, seed, [any_move] * 3)
            while match.state.stage[0] == "setup":
                match.play(match._choice(match.moves))
            assert [len(seat.hand) for seat in match.state.seats] in ([0, 1, 1], [1, 1, 1])
            assert {seat.supply[0] for seat in match.state.seats} == {40}
