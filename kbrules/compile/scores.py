"""What rules pay all players at the end, as one generated function of the state.

Everything that a board decides is worked out when the function is put to use at a board; what
several rules ask is worked out once for each player. Nothing is noted of the hexes that earned
the gold: whoever wants to know them asks the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kbrules.compile.awards import by_board
from kbrules.compile.paying import Payers, Paying
from kbrules.compile.running import Source, function_of
from kbrules.compile.writing import identity
from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.game.view import Rules, View
from kbrules.lang.core import Expr
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.nodes import Fixed, Node

Golds = list[tuple[int, ...]]
"""For each player what each rule pays."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What some rules pay, written and compiled; at a board it becomes a function of the state."""

    source: Source
    _answer: Callable[..., Any]
    _fixings: tuple[Callable[[View], Any], ...]

    def at(self, board: Board, rules: Rules) -> Callable[[State], Golds]:
        """The function at a board, under the rules of a table.

        The state may be anything that has the same names for what rules ask.
        """
        view = by_board(board, rules)
        fixed = tuple(fixing(view) for fixing in self._fixings)
        return partial(self._answer, board, rules, fixed)


class Teller:
    """Writes scores for the rules of one rule set; what boards decide is kept between them."""

    def __init__(self, evaluator: Evaluator, memories: Mapping[str, tuple[str, int]]) -> None:
        self.evaluator = evaluator
        self.memories = memories
        self._fixed: dict[Any, Node] = {}

    def scores(self, payers: Payers) -> Scores | None:
        """What rules pay, given the awards of each, in which all that is known was worked out.

        None if an award ranks players by what each of them has on other hexes.
        """
        writing = Paying(payers, self)
        if not writing.is_regular:
            return None
        source = writing.source()
        return Scores(source, function_of(source), tuple(writing.fixings))

    def fixed(self, expr: Expr) -> Node:
        """The node of what a board alone decides: one, whichever rule asks it."""
        key = identity(expr)
        if key not in self._fixed:
            self._fixed[key] = Fixed(self.evaluator.linked(expr))
        return self._fixed[key]
