"""A scenario played: moves, draws and expectations in order, and what went otherwise than said."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine.refusal import Refusal
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import AmbiguousMove, InvalidMove, read_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.document import Loc
from kbrules.scenario.checks import Checks
from kbrules.scenario.outcome import Outcome, passed_or_not
from kbrules.scenario.pictures import picture
from kbrules.scenario.setting import MARKED, Setting
from kbrules.text import Span

__all__ = ["play"]

_STREAM = "draws"


class _Stuck(Exception):
    """Nothing further can be done: carries the finding and a picture."""


def play(setting: Setting, state: State) -> Outcome:
    """Do the steps of a scenario from a state on, and check what it expects on the way."""
    playing = _Playing(setting, state)
    try:
        playing.everything()
    except _Stuck as stuck:
        playing.found.append(stuck.args)  # type: ignore[arg-type]
    return passed_or_not(playing.found)


class _Playing:
    def __init__(self, setting: Setting, state: State) -> None:
        self._setting = setting
        self._case = setting.names.case
        self._game = setting.game
        self._board = setting.game.board
        self._state = state
        seed = self._case.model.seed
        self._random = None if seed is None else Random(seed, _STREAM)
        self._checks = Checks(setting)
        self.found: list[tuple[Diagnostic, str]] = []

    def everything(self) -> None:
        """All steps, then what is expected at the end."""
        for index, step in enumerate(self._case.model.steps):
            loc: Loc = ("steps", index)
            if isinstance(step, str):
                self._move(step, loc)
            elif step.move is not None:
                self._move(step.move, (*loc, "move"))
            elif step.draw is not None:
                self._draw(step.draw, (*loc, "draw"))
            elif step.expect is not None:
                self._let_chance()
                self.found += self._checks.failures(self._state, step.expect, (*loc, "expect"))
        self._let_chance()
        if self._case.model.expect is not None:
            self.found += self._checks.failures(self._state, self._case.model.expect, ("expect",))
        self.found += [(each, "") for each in sorted(self._setting.names.findings)]
        self._unused_marks()

    def _unused_marks(self) -> None:
        if self._setting.marked and not self._checks.marked_used:
            message = f"hexes are marked {quoted(MARKED)}, but nothing is said of them"
            help = "write `offered: {...: marked}`"
            span = self._case.key("board", "drawing")
            self.found.append((Diagnostic("KB110", span, message, help), ""))

    def _let_chance(self) -> None:
        """Draw by the seed, if there is one, until a player is to decide."""
        while self._random is not None:
            moves = self._game.legal_moves(self._state)
            if moves.player != CHANCE or not moves:
                return
            self._state = self._game.apply(self._state, moves.sample(self._random))

    def _draw(self, card: str, loc: Loc) -> None:
        index = self._setting.names.card(card, self._case.span(*loc))
        if index < 0:
            raise _Stuck(self._setting.names.findings.pop(), "")
        self._apply(Move("draw", "", index), card, loc)

    def _move(self, text: str, loc: Loc) -> None:
        self._let_chance()
        self._apply(_read(self._setting, self._state, text, self._case.span(*loc)), text, loc)

    def _apply(self, move: Move, text: str, loc: Loc) -> None:
        moves = self._game.legal_moves(self._state)
        if moves.group_of(move) is None:
            span = self._case.span(*loc)
            raise _Stuck(_illegal(self._setting, self._state, move, text, span), self._picture())
        self._state = self._game.apply(self._state, move)

    def _picture(self) -> str:
        return picture(self._board, self._state, {})


def _read(setting: Setting, state: State, text: str, span: Span) -> Move:
    try:
        return read_move(text, setting.game.board, setting.game.legal_moves(state))
    except (InvalidMove, AmbiguousMove) as error:
        raise _Stuck(Diagnostic(error.code, span, str(error)), "") from None


def _illegal(setting: Setting, state: State, move: Move, text: str, span: Span) -> Diagnostic:
    """The finding about a move that the rules refuse."""
    game = setting.game
    moves = game.legal_moves(state)
    if state.is_over:
        return Diagnostic("KB502", span, f"{quoted(text)} comes after the end of the game")
    if moves.player == CHANCE and move.verb != "draw":
        help = "say which by `draw: ...` before this, or give the scenario a `seed`"
        return Diagnostic("KB502", span, "a terrain card is due before this", help)
    if move.verb == "draw":
        why = "there is none left" if moves.player == CHANCE else "nobody is to draw now"
        return Diagnostic("KB502", span, f"{quoted(text)} cannot be drawn: {why}")
    refusal = game.explain(state, move)
    reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)
    close = ", ".join(refusal.nearest)
    help = f"the nearest legal hexes are {close}" if close else ""
    return Diagnostic("KB502", span, f"{quoted(text)} is refused; {reasons}", help, labels(refusal))


def labels(refusal: Refusal) -> tuple[Label, ...]:
    """The sentences of the rules that stand against a move."""
    return tuple(
        Label(reason.span, reason.text) for reason in refusal.reasons if reason.span is not None
    )
