"""Whole games move by move: one evaluated by generated code, its twin by the reference alone."""

from __future__ import annotations

import pytest

from kbrules.compile.late import Late
from kbrules.engine.evaluators import reference
from kbrules.engine.game import Game
from tests.properties.mixes import MIXES, game_of, played

GAMES = 6


def twin_of(game: Game) -> Game:
    """The same game under the reference."""
    return Game(game.ruleset, game.board, game.players, game.cards, game.options, reference)


@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_a_game_and_its_twin_never_differ(boxes: tuple[str, ...]) -> None:
    first = MIXES.index(boxes) * GAMES
    for seed in range(first, first + GAMES):
        game = game_of(boxes, seed)
        twin = twin_of(game)
        theirs = twin.start()
        for state, move, step in played(game, seed):
            assert game.legal_moves(state) == twin.legal_moves(theirs)
            walked = twin.play(theirs, move)
            assert step.events == walked.events
            theirs = walked.state
        assert step.state == theirs
        assert game.score(step.state) == twin.score(theirs)


def test_the_twin_generates_nothing_and_the_game_does() -> None:
    game = game_of((), 1)
    for _ in played(game, 1):
        pass
    mask = next(
        node for node in map(game.program.link, _conditions(game)) if isinstance(node, Late)
    )
    assert mask.value is not mask.tree.value
    assert not any(isinstance(twin_of(game).program.link(c), Late) for c in _conditions(game))


def _conditions(game: Game) -> list:  # type: ignore[type-arg]
    return [norm.on for rule in game.ruleset.rules for norm in rule.norms if norm.on is not None]
