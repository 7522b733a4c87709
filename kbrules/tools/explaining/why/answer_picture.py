"""An answer as an SVG picture of the board: the hexes that pay, or the hex in question."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_

from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.scenario.report import EARNED, visible_pieces
from kbrules.tools.explaining.why.answer import GoldAnswer, MovesAnswer
from kbrules.tools.publishing.pictures.board import board_svg
from kbrules.tools.publishing.pictures.picture import Picture

QUESTIONED, LEGAL = "?", "+"


def picture_of(answer: MovesAnswer | GoldAnswer) -> str:
    """The board with what the answer speaks of marked."""
    if isinstance(answer, GoldAnswer):
        hexes = reduce(or_, (points.hexes for points in answer.points), 0)
        return _svg(answer, answer.state, {EARNED: hexes}, "What pays")
    first = next(iter(answer.judged), None)
    signs: dict[str, Mask] = {}
    if first is not None and first.hex >= 0:
        signs = {
            QUESTIONED: 1 << first.move.hex,
            LEGAL: _legal_hexes(answer) & ~(1 << first.move.hex),
        }
    return _svg(answer, answer.question.state, signs, "What is legal")


def _legal_hexes(answer: MovesAnswer) -> Mask:
    move = answer.judged[0].move
    groups = answer.game.legal_moves(answer.question.state).groups
    legal = (g.hexes for g in groups if (g.verb, g.rule) == (move.verb, move.rule))
    return reduce(or_, legal, 0)


def _svg(
    answer: MovesAnswer | GoldAnswer, state: State, signs: Mapping[str, Mask], title: str
) -> str:
    return board_svg(Picture(answer.game.board, visible_pieces(state), signs, title))
