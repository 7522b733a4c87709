"""Checks of gold, of the turn and of the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.engine.scoring.sheet import Sheet
from kbrules.game.moves import CHANCE
from kbrules.scenario.checks.context import CheckContext, listed
from kbrules.scenario.checks.gains import gains_of, gains_text
from kbrules.scenario.report import EARNED, FindingWithBoard
from kbrules.scenario.setup.resolver import GAINED, PLAYERS, TOTAL

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import ExpectedStateModel

__all__ = [
    "check_gold",
    "check_last_round",
    "check_over",
    "check_turn",
    "check_winners",
    "who_decides",
]


def check_gold(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check what each player is paid, in all or by rule."""
    if not expect.gold:
        return
    sheet = context.game.score(context.state)
    for letter, wanted in expect.gold.items():
        player = context.resolver.player(letter, context.where_key("gold", letter))
        if isinstance(wanted, int):
            if sheet.totals[player] != wanted:
                message = f"{letter} has {_total_text(context, sheet, player)}, not {wanted}"
                yield context.failure(("gold", letter), message)
        else:
            yield from _by_rule(context, sheet, player, wanted)


def _total_text(context: CheckContext, sheet: Sheet, player: int) -> str:
    """The total, with what each rule pays."""
    parts = [f"{line.gold} {line.rule}" for line in sheet.lines[player] if line.gold]
    parts += [_gained_text(context, sheet, player)] if sheet.gained[player] else []
    return f"{sheet.totals[player]}" + (f" ({', '.join(parts)})" if parts else "")


def _gained_text(context: CheckContext, sheet: Sheet, player: int) -> str:
    """What was gained during play, with what each rule gave of it."""
    gained, by_rule = sheet.gained[player], gains_of(context.events, player)
    text = gains_text(by_rule, gained - sum(by_rule.values()))
    return f"{gained} {GAINED}" + (f" ({text})" if by_rule else "")


def _by_rule(
    context: CheckContext, sheet: Sheet, player: int, wanted: Mapping[str, int]
) -> Iterator[FindingWithBoard]:
    letter = PLAYERS[player]
    for id, amount in wanted.items():
        loc = ("gold", letter, id)
        if id in (TOTAL, GAINED):
            found = (sheet.totals if id == TOTAL else sheet.gained)[player]
            if found != amount:
                tell = _total_text if id == TOTAL else _gained_text
                text = tell(context, sheet, player)
                yield context.failure(loc, f"{letter} has {text}, not {amount}")
            continue
        line = sheet.line(id, player)
        assert line is not None
        if line.gold != amount:
            board = context.board({EARNED: line.hexes})
            message = f"{quoted(id)} pays {letter} {line.gold}, not {amount}"
            yield context.failure(loc, message, board)


def check_turn(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check who is to decide."""
    if expect.turn is None:
        return
    found = who_decides(context)
    if found != expect.turn:
        who = f"{found} is" if found else "nobody is"
        yield context.failure(("turn",), f"{who} to decide, not {expect.turn}")


def who_decides(context: CheckContext) -> str:
    """Who is to decide: a player, `chance`, or nobody, which is an empty text."""
    moves = context.game.legal_moves(context.state)
    if moves.player != CHANCE:
        return PLAYERS[moves.player]
    return "chance" if moves else ""


def check_last_round(
    context: CheckContext, expect: ExpectedStateModel
) -> Iterator[FindingWithBoard]:
    """Check whether this is the last round."""
    if expect.last_round is not None and expect.last_round != context.state.ending:
        which = "this is the last round" if context.state.ending else "this is not the last round"
        yield context.failure(("last_round",), which)


def check_over(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check whether the game is over."""
    if expect.over is not None and expect.over != context.state.is_over:
        which = "the game is over" if context.state.is_over else "the game is not over"
        yield context.failure(("over",), which)


def check_winners(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check who wins."""
    if expect.winners is None:
        return
    sheet = context.game.score(context.state)
    found = [PLAYERS[player] for player in sheet.winners]
    if sorted(expect.winners) != found:
        totals = listed(
            f"{PLAYERS[p]} has {_total_text(context, sheet, p)}" for p in range(len(sheet.totals))
        )
        who = listed(found) if found else "nobody"
        wanted = listed(expect.winners) if expect.winners else "nobody"
        message = f"{who} would win, not {wanted}: {totals}"
        yield context.failure(("winners",), message)
