"""Steps about the course of the game: turns that end or come again, the last round, the end."""

from __future__ import annotations

from kbrules.game.events import AnotherFinish, AnotherTurn, GameOver, LastRound, TurnLeft
from kbrules.game.move_context import MoveContext
from kbrules.game.turn_order import MAX_FURTHER
from kbrules.primitives.registry import step


@step("end turn", example="end turn")
def end_turn(context: MoveContext, me: int) -> None:
    """End the turn under way at once; what is still to be done in it is left, required or not."""
    if context.draft.stage[0] == "turn":
        context.emit(TurnLeft(me))


@step("another turn", example="another turn")
def another_turn(context: MoveContext, me: int) -> None:
    """Let the player whose turn it is take another one after it.

    Done twice in a turn it is the same; more than 20 in a row are cut off.
    """
    draft = context.draft
    if draft.stage[0] not in ("turn", "turn over") or draft.further & 1:
        return
    if draft.further >= 2 * MAX_FURTHER:
        context.cut_off(draft.active, "further", "")
    else:
        context.emit(AnotherTurn(draft.active))


@step("another finish", example="another finish")
def another_finish(context: MoveContext, me: int) -> None:
    """Let all players do once more what `finish:` says, when the last of them has done it.

    Outside of it nothing happens; done twice in one go it is the same, more than 20 are cut off.
    """
    draft = context.draft
    if draft.stage[0] != "finish" or draft.further & 1:
        return
    if draft.further >= 2 * MAX_FURTHER:
        context.cut_off(draft.active, "further", "")
    else:
        context.emit(AnotherFinish(me))


@step("last round", example="last round")
def last_round(context: MoveContext, me: int) -> None:
    """Play this round to its end; then the game is over."""
    if not context.draft.ending:
        context.emit(LastRound(me))


@step("end game", example="end game")
def end_game(context: MoveContext, me: int) -> None:
    """End the game at once."""
    context.emit(GameOver(me))
