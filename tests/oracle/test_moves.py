"""What is offered in positions of every sort, and for a while after them."""

from __future__ import annotations

from hypothesis import given

from kbrules.game.random import Random
from tests.oracle.effort import often
from tests.oracle.follow import follow
from tests.oracle.picture import Picture
from tests.oracle.positions import Drawn, positions
from tests.oracle.twin_game import Story, from_turn, rest_of_turn

DECISIONS = 30


def on_from(p: Picture, turn: int) -> Story:
    """The story from a position in which a turn has just shown its card."""
    yield from rest_of_turn(p, turn % p.players)
    if p.ending and (turn + 1) % p.players == 0:
        return
    yield from from_turn(p, turn + 1)


@often(4)
@given(positions(cards=()))
def test_what_is_offered(drawn: Drawn) -> None:
    story = on_from(drawn.picture, drawn.turn)
    random = Random(drawn.seed, "moves")
    follow(drawn.game, drawn.table, drawn.state, drawn.picture, story, random, DECISIONS)
