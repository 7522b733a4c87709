"""What one blog told of the game and nobody else: it holds nowhere unless it is asked for (3.3)."""

from __future__ import annotations

from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from tests.engine.games import any_move


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
