"""A move whose target speaks of `origin` ignores preferences; any other one heeds them."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.library.load import load
from kbrules.text import Source

RULES = {
    "step": "move 1 from mine to buildable & empty & adjacent(origin)",
    "free_step": "move 1 from mine to buildable & empty & adjacent(origin) freely",
    "named": "move 1 from mine to beside_origin",
    "leap": "move 1 from mine to buildable & empty & within(edge, 3)",
    "free_leap": "move 1 from mine to buildable & empty & within(edge, 3) freely",
}
TEXT = "\n".join(
    ['define beside_origin "Next to it.":\n    buildable & empty & adjacent(origin)\n']
    + [
        f'rule {name} "Moves":\n    "One may."\n    action: {step}\n'
        for name, step in RULES.items()
    ]
)


@pytest.fixture(scope="module", params=["reference", "python"])
def game(request: pytest.FixtureRequest) -> Game:
    return new_game(load("base", texts=[Source("moves.kb", TEXT)]), 2, 5, engine=request.param)


def targets(game: Game, rule: str) -> dict[int, int]:
    """Where each piece may go by a rule, after some moves of the game."""
    state = game.start()
    while (moves := game.legal_moves(state)).player != 0 or state.seats[0].all.bit_count() < 3:
        state = game.apply(state, next((m for m in moves if m.verb != "lift"), next(iter(moves))))
    found = {}
    lifts = [m for m in game.legal_moves(state) if (m.verb, m.rule) == ("lift", rule)]
    for lift in lifts:
        lifted = game.apply(state, lift)
        found[lift.hex] = sum(
            1 << move.hex for move in game.legal_moves(lifted) if move.verb == "move"
        )
    return found


@pytest.mark.parametrize("rule", ["step", "named"])
def test_every_free_hex_beside_is_offered(game: Game, rule: str) -> None:
    found = targets(game, rule)
    assert len(found) > 1
    assert found == targets(game, "free_step")
    for piece, hexes in found.items():
        assert hexes and not hexes & ~game.board.grid.neighbours(1 << piece)


def test_a_target_that_does_not_is_narrowed(game: Game) -> None:
    heeding, ignoring = targets(game, "leap"), targets(game, "free_leap")
    assert all(heeding[piece] & ~ignoring[piece] == 0 for piece in heeding)
    assert heeding != ignoring
