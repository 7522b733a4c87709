"""A scenario played: moves, draws and expectations in order, and what went otherwise than said."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.document import Loc
from kbrules.scenario.checks import failures
from kbrules.scenario.moment import Failure, Moment
from kbrules.scenario.moving import read, why_illegal
from kbrules.scenario.outcome import Outcome, passed_or_not
from kbrules.scenario.pictures import picture
from kbrules.scenario.setting import Setting

__all__ = ["play", "positions"]

_STREAM = "draws"


def play(setting: Setting, state: State) -> Outcome:
    """Do the steps of a scenario from a state on, and check what it expects on the way."""
    playing = _Playing(setting, state)
    playing.everything()
    return passed_or_not(playing.found)


def positions(setting: Setting, state: State) -> tuple[list[State], list[Diagnostic]]:
    """The state a scenario begins in and the one after each of its moves and draws.

    The findings say why it does not go on to its end, or what of it does not hold.
    """
    playing = _Playing(setting, state)
    playing.everything()
    return playing.states, [finding for finding, _ in playing.found]


class _Playing:
    def __init__(self, setting: Setting, state: State) -> None:
        self._setting = setting
        self._case = setting.names.case
        self._game = setting.game
        self._state = state
        seed = self._case.model.seed
        self._random = None if seed is None else Random(seed, _STREAM)
        self.found: list[Failure] = []
        self.states = [state]

    def everything(self) -> None:
        """All steps as far as they can be done, then what is expected at the end."""
        for index, step in enumerate(self._case.model.steps):
            if not self._step(step, ("steps", index)):
                return
        self._let_chance()
        if self._case.model.expect is not None:
            self.found += failures(self._moment(("expect",)), self._case.model.expect)

    def _step(self, step: object, loc: Loc) -> bool:
        """Do a step; whether it could be done. What is expected may fail without harm."""
        if isinstance(step, str):
            return self._move(step, loc)
        move, draw, expect = (getattr(step, key) for key in ("move", "draw", "expect"))
        if move is not None:
            return self._move(move, (*loc, "move"))
        if draw is not None:
            return self._draw(draw, (*loc, "draw"))
        self._let_chance()
        self.found += failures(self._moment((*loc, "expect")), expect)
        return True

    def _moment(self, loc: Loc) -> Moment:
        return Moment(self._setting, self._state, loc)

    def _let_chance(self) -> None:
        """Draw by the seed, if there is one, until a player is to decide."""
        while self._random is not None:
            moves = self._game.legal_moves(self._state)
            if moves.player != CHANCE or not moves:
                return
            self._state = self._game.apply(self._state, moves.sample(self._random))
            self.states[-1] = self._state

    def _draw(self, card: str, loc: Loc) -> bool:
        index = self._setting.names.card(card, self._case.span(*loc))
        return self._apply(Move("draw", "", index), card, loc)

    def _move(self, text: str, loc: Loc) -> bool:
        self._let_chance()
        move = read(self._setting, self._state, text, self._case.span(*loc))
        if isinstance(move, Diagnostic):
            self.found.append((move, ""))
            return False
        return self._apply(move, text, loc)

    def _apply(self, move: Move, text: str, loc: Loc) -> bool:
        wrong = why_illegal(self._setting, self._state, move, text, self._case.span(*loc))
        if wrong is not None:
            self.found.append((wrong, picture(self._game, self._state, {})))
            return False
        self._state = self._game.apply(self._state, move)
        self.states.append(self._state)
        return True
