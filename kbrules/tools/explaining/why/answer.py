"""Answers to questions: judged moves, or gold by clause."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.game.moves import OWN_VERBS
from kbrules.game.state import State
from kbrules.tools.explaining.why.gold_clauses import Points, points_of, sheet_of
from kbrules.tools.explaining.why.move_clauses import JudgedMove, judge
from kbrules.tools.explaining.why.questions import AboutGold, AboutMoves, Question
from kbrules.tools.explaining.why.smallest_change import SearchResult, smallest_change


@dataclass(frozen=True, slots=True)
class MovesAnswer:
    """Moves judged, the likeliest first, and the smallest change that makes the first legal.

    `changes` is None if the first is legal, or no change can make it so.
    """

    game: Game
    question: AboutMoves
    judged: tuple[JudgedMove, ...]
    changes: SearchResult | None


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """What rules and cards pay a player, and the player's number on the score sheet for it."""

    game: Game
    state: State
    question: AboutGold
    points: tuple[Points, ...]
    gained: int

    @property
    def total(self) -> int:
        """All that is in question, added up."""
        return sum(each.gold for each in self.points) + self.gained


def answer(game: Game, state: State, question: Question) -> MovesAnswer | GoldAnswer:
    """The answer to a question about a position."""
    if isinstance(question, AboutGold):
        return _gold_answer(game, state, question)
    judged = [judge(game, question.state, move) for move in question.moves]
    judged.sort(key=lambda each: not each.legal)
    first = judged[0]
    needs_hex = first.hex < 0 and first.move.verb not in OWN_VERBS
    is_settled = first.legal or first.move.verb == "draw" or needs_hex
    search = None if is_settled else smallest_change(game, question.state, first.move)
    return MovesAnswer(game, question, tuple(judged), search)


def _gold_answer(game: Game, state: State, question: AboutGold) -> GoldAnswer:
    if question.rule is not None:
        points = [points_of(game, state, question.player, question.rule)]
        return GoldAnswer(game, state, question, tuple(points), 0)
    points = sheet_of(game, state, question.player)
    return GoldAnswer(game, state, question, tuple(points), state.seats[question.player].gold)
