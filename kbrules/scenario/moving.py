"""Moves of a scenario: read, and explained where the rules refuse them."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine.refusal import Refusal
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import AmbiguousMove, InvalidMove, read_move
from kbrules.game.state import State
from kbrules.scenario.setting import Setting
from kbrules.text import Span

__all__ = ["labels", "read", "why_illegal"]


def read(setting: Setting, state: State, text: str, span: Span) -> Move | Diagnostic:
    """The move a text stands for, legal or not, or why it stands for none."""
    game = setting.game
    words = game.ruleset.move_words
    try:
        return read_move(text, game.board, game.legal_moves(state), words)
    except InvalidMove as error:
        return Diagnostic(error.code, span, str(error))
    except AmbiguousMove as error:
        return Diagnostic(error.code, span, str(error), "write it as one of these")


def why_illegal(
    setting: Setting, state: State, move: Move, text: str, span: Span
) -> Diagnostic | None:
    """The finding about a move that cannot be done; None if it can."""
    game = setting.game
    moves = game.legal_moves(state)
    if moves.group_of(move) is not None:
        return None
    if state.is_over:
        return Diagnostic("KB502", span, f"{quoted(text)} comes after the end of the game")
    if move.verb == "draw":
        why = "there is none left" if moves.player == CHANCE else "nobody is to draw now"
        return Diagnostic("KB502", span, f"{quoted(text)} cannot be drawn: {why}")
    if moves.player == CHANCE and not moves.weights:
        help = "say which hex, as a move, before this"
        return Diagnostic("KB502", span, "chance has to choose a hex before this", help)
    if moves.player == CHANCE:
        help = "say which by `draw: ...` before this, or give the scenario a `seed`"
        return Diagnostic("KB502", span, "a terrain card is due before this", help)
    refusal = game.explain(state, move)
    reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)
    message = f"{quoted(text)} is refused; {reasons}"
    return Diagnostic("KB502", span, message, refusal.nearest_said, labels(refusal))


def labels(refusal: Refusal) -> tuple[Label, ...]:
    """The sentences of the rules that stand against a move."""
    return tuple(
        Label(reason.span, reason.text) for reason in refusal.reasons if reason.span is not None
    )
