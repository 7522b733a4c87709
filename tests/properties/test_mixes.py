"""Whole games of all boxes and of their mixes, and every law after every move."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.game.events import Received, Took
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import BOXES, MIXES, game_of, played, rules, table_for_five

GAMES, EARLY = 12, 5
"""Games of each mix, and how many of them `make test` plays."""
OF_ALL_BOXES = 125
"""So many games bring every tile and card of all boxes."""
PARTS = 16
"""How often so many games are played."""


@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    """The games of each mix, of two players or more and with some options turned over."""
    _play(boxes, range(EARLY))


@pytest.mark.slow
@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_later_games(boxes: tuple[str, ...]) -> None:
    _play(boxes, range(EARLY, GAMES))


def _play(boxes: tuple[str, ...], games: range) -> None:
    for seed in (MIXES.index(boxes) * GAMES + number for number in games):
        try:
            play_by_the_laws(game_of(boxes, seed), seed)
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_law_holds_with_all_boxes_and_five_players(part: int) -> None:
    """Every tile is taken in some of them, and every card and task in play."""
    all_boxes_from(part * OF_ALL_BOXES)


def all_boxes_from(first: int) -> None:
    """Play the games of some seeds, and see that everything there is occurred."""
    occurred: set[str] = set()
    for seed in range(first, first + OF_ALL_BOXES):
        try:
            occurred |= play_by_the_laws(table_for_five(seed), seed)
        except Exception as error:
            error.add_note(f"the game of all boxes for five with seed {seed}")
            raise
    catalog = rules(BOXES).catalog
    assert {*(tile.id for tile in catalog.tiles), *catalog.cards} - occurred == set()


def play_by_the_laws(game: Game, seed: int, wanted: type[Laws] = Laws) -> set[str]:
    """A whole game, watched: the cards in play and the tiles taken."""
    tiles = game.ruleset.catalog.tiles
    occurred = {*game.cards}
    laws = wanted(game)
    state = game.start()
    laws.begin(state)
    for before, move, step in played(game, seed):
        laws.step(before, move, step)
        taken = [event for event in step.events if isinstance(event, Took | Received)]
        occurred |= {tiles[event.kind].id for event in taken}
        state = step.state
    laws.end(state)
    return occurred
