"""A scenario played: moves, draws and expectations in order, and what went otherwise than said."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.document import Loc
from kbrules.scenario.checks import failures
from kbrules.scenario.expected import ExpectModel
from kbrules.scenario.moment import Failure, Moment
from kbrules.scenario.moving import read, why_illegal
from kbrules.scenario.outcome import Outcome, passed_or_not
from kbrules.scenario.pictures import picture
from kbrules.scenario.setting import Setting
from kbrules.scenario.staying import why_staying
from kbrules.scenario.verdicts import deciding

__all__ = ["play", "positions"]

_STREAM = "draws"
_TURN = "turn"


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
        self._unsaid: tuple[Loc, tuple[str, int]] | None = None  # the last move, the stage before

    def everything(self) -> None:
        """All steps as far as they can be done, then what is expected at the end."""
        for index, step in enumerate(self._case.model.steps):
            if not self._step(step, ("steps", index)):
                return
        self._let_chance()
        if self._case.model.expect is not None:
            self._expect(self._case.model.expect, ("expect",))
        self._warn()

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
        self._expect(expect, (*loc, "expect"))
        return True

    def _expect(self, expect: ExpectModel, loc: Loc) -> None:
        self.found += failures(self._moment(loc), expect)
        if expect.turn is not None or expect.over is not None:
            self._unsaid = None

    def _moment(self, loc: Loc) -> Moment:
        return Moment(self._setting, self._state, loc)

    def _warn(self) -> None:
        """Warn of the last move if play went on to another turn and nothing has said so."""
        unsaid, self._unsaid = self._unsaid, None
        if unsaid is None:
            return
        (loc, before), now = unsaid, self._state.stage
        if before != now and before[0] == now[0] == _TURN:
            message = "the turn ends with this move, and the scenario does not say so"
            help = f"write `expect: {{turn: {deciding(self._moment(loc))}}}` after it"
            self.found.append((Diagnostic("KB508", self._case.span(*loc), message, help), ""))

    def _is_chance(self) -> bool:
        return self._game.legal_moves(self._state).player == CHANCE

    def _begin_step(self) -> None:
        """What is given by chance says for itself that play went on."""
        if self._is_chance():
            self._unsaid = None
        self._warn()

    def _let_chance(self) -> None:
        """Draw by the seed, if there is one, until a player is to decide."""
        while self._random is not None:
            moves = self._game.legal_moves(self._state)
            if moves.player != CHANCE or not moves:
                return
            move = moves.sample(self._random)
            wrong = why_staying(self._setting, self._state, move, self._case.span("seed"))
            if wrong is not None and (wrong, "") not in self.found:
                self.found.append((wrong, ""))
            self._state = self._game.apply(self._state, move)
            self.states[-1] = self._state

    def _draw(self, card: str, loc: Loc) -> bool:
        self._begin_step()
        index = self._setting.names.card(card, self._case.span(*loc))
        return self._apply(Move("draw", "", index), card, loc)

    def _move(self, text: str, loc: Loc) -> bool:
        self._let_chance()
        self._begin_step()
        move = read(self._setting, self._state, text, self._case.span(*loc))
        if isinstance(move, Diagnostic):
            self.found.append((move, ""))
            return False
        return self._apply(move, text, loc)

    def _apply(self, move: Move, text: str, loc: Loc) -> bool:
        span = self._case.span(*loc)
        wrong = why_illegal(self._setting, self._state, move, text, span)
        wrong = wrong or why_staying(self._setting, self._state, move, span)
        if wrong is not None:
            self.found.append((wrong, picture(self._game, self._state, {})))
            return False
        if move.verb != "end" and not self._is_chance():
            self._unsaid = loc, self._state.stage
        self._state = self._game.apply(self._state, move)
        self.states.append(self._state)
        return True
