"""The engine and the twin side by side: asked the same, told the same."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup
from kbrules.game.random import Random
from kbrules.game.state import State
from tests.oracle.picture import Picture
from tests.oracle.seen import answer_of, picture_of, question_of, same
from tests.oracle.twin_game import Question, Story


def follow(
    game: Game, table: TableSetup, state: State, twin: Picture, story: Story, random: Random,
    decisions: int = 100_000,
) -> State:  # fmt: skip
    """Play on at random, comparing what is offered at every decision and the table at every turn.

    Stops when the game is over, which both must say, or after so many decisions.
    """
    question = next(story, None)
    stage = state.stage
    for _ in range(decisions):
        moves = game.legal_moves(state)
        if question is None or state.is_over:
            assert question is None and state.is_over
            return state
        agree(question_of(game, moves), question)
        move = moves.sample(random)
        answer = answer_of(game, move)
        state = game.apply(state, move)
        try:
            question = story.send(answer)
        except StopIteration:
            question = None
        if state.stage != stage:
            stage = state.stage
            same(twin, picture_of(game, table, state))
    return state


def agree(asked: Question, expected: Question) -> None:
    """Fail, saying what is offered too much and what is missing, unless they are the same."""
    extra, missing = asked.answers - expected.answers, expected.answers - asked.answers
    assert (sorted(extra, key=str), sorted(missing, key=str)) == ([], [])
    assert asked == expected
