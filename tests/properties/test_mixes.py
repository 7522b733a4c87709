"""Over two thousand whole games, each over a mix of boxes, and every law after every move."""

from __future__ import annotations

import pytest

from kbrules.game.events import Took
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import MIXES, game_of, played, rules

GAMES = 125


@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    """And every tile of these boxes is taken in some of them, every card and task in play."""
    first = MIXES.index(boxes) * GAMES
    occurred: set[str] = set()
    for seed in range(first, first + GAMES):
        try:
            occurred |= play_by_the_laws(boxes, seed)
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise
    catalog = rules(boxes).catalog
    assert {*(tile.id for tile in catalog.tiles), *catalog.cards} - occurred == set()


def play_by_the_laws(boxes: tuple[str, ...], seed: int, wanted: type[Laws] = Laws) -> set[str]:
    """A whole game, watched: the cards in play and the tiles taken."""
    game = game_of(boxes, seed)
    tiles = game.ruleset.catalog.tiles
    occurred = {*game.cards}
    laws = wanted(game)
    state = game.start()
    laws.begin(state)
    for before, move, step in played(game, seed):
        laws.step(before, move, step)
        occurred |= {tiles[e.kind].id for e in step.events if isinstance(e, Took)}
        state = step.state
    laws.end(state)
    return occurred
