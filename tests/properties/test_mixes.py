"""Two thousand whole games, each over a mix of boxes, and every law after every move."""

from __future__ import annotations

import pytest

from tests.properties.mixed_laws import Laws
from tests.properties.mixes import MIXES, game_of, played

GAMES = 125


@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    first = MIXES.index(boxes) * GAMES
    for seed in range(first, first + GAMES):
        try:
            play_by_the_laws(boxes, seed)
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise


def play_by_the_laws(boxes: tuple[str, ...], seed: int) -> None:
    """A whole game, watched."""
    game = game_of(boxes, seed)
    laws = Laws(game)
    state = game.start()
    laws.begin(state)
    for before, move, step in played(game, seed):
        laws.step(before, move, step)
        state = step.state
    laws.end(state)
