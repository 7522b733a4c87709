"""Whole random games, engine and twin side by side."""

from __future__ import annotations

from typing import Any

import pytest

from kbrules.engine.setup import choose_table, game_at
from kbrules.game.random import Random
from tests.oracle.follow import follow
from tests.oracle.ground import lay
from tests.oracle.picture import new_table
from tests.oracle.seen import picture_of, rules, same
from tests.oracle.twin_game import whole_game
from tests.oracle.twin_scores import SCORES, score

OPTIONS: list[dict[str, Any]] = [
    {},
    {"null_moves": True},
    {"lift_first": False},
    {"lords_rank_zero": False, "build_without_card": True},
    {"lift_first": False, "null_moves": True, "meeples_move": False},
]
GAMES, SOAK = 25, 600


def play(seed: int) -> None:
    setup = "first-game" if seed % 7 == 0 else "random"
    options = OPTIONS[seed % len(OPTIONS)]
    table = choose_table(rules(), 2 + seed % 3, seed, setup, options)
    game = game_at(rules(), table)
    twin = new_table(lay(table.layout.rows), table.players, **options)
    state = follow(game, table, game.start(), twin, whole_game(twin), Random(seed, "play"))
    same(twin, picture_of(game, table, state))
    sheet = game.score(state)
    for player in range(table.players):
        paid = {line.rule: line.gold for line in sheet.lines[player]}
        assert set(paid) == {"castles", *table.cards}
        assert paid == {rule: score(twin, rule, player) for rule in SCORES if rule in paid}


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_game(seed: int) -> None:
    play(seed)


@pytest.mark.slow
def test_many_random_games() -> None:
    for seed in range(GAMES, GAMES + SOAK):
        play(seed)
