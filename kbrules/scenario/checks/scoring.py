"""Checks of gold, of the turn and of the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.engine.scoring.sheet import Sheet
from kbrules.game.events import Event, Gained
from kbrules.game.moves import CHANCE
from kbrules.scenario.checks.context import CheckContext, comma_separated
from kbrules.scenario.report import EARNED, FindingWithBoard
from kbrules.scenario.setup.resolver import GAINED, PLAYERS, TOTAL

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import ExpectedStateModel


def check_gold(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check what each player is paid, in all or by rule."""
    if not expect.gold:
        return
    sheet = context.game.score(context.state)
    for letter, expected in expect.gold.items():
        player = context.resolver.player(letter, context.where_key("gold", letter))
        if isinstance(expected, int):
            if sheet.totals[player] != expected:
                message = f"{letter} has {_total_text(context, sheet, player)}, not {expected}"
                yield context.failure(("gold", letter), message)
        else:
            yield from _check_gold_of_rules(context, sheet, player, expected)


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


def _check_gold_of_rules(
    context: CheckContext, sheet: Sheet, player: int, expected: Mapping[str, int]
) -> Iterator[FindingWithBoard]:
    letter = PLAYERS[player]
    for id, amount in expected.items():
        loc = ("gold", letter, id)
        if id in (TOTAL, GAINED):
            actual = (sheet.totals if id == TOTAL else sheet.gained)[player]
            if actual != amount:
                text_of = _total_text if id == TOTAL else _gained_text
                text = text_of(context, sheet, player)
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
    actual = who_decides(context)
    if actual != expect.turn:
        who = f"{actual} is" if actual else "nobody is"
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
        message = "this is the last round" if context.state.ending else "this is not the last round"
        yield context.failure(("last_round",), message)


def check_over(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check whether the game is over."""
    if expect.over is not None and expect.over != context.state.is_over:
        message = "the game is over" if context.state.is_over else "the game is not over"
        yield context.failure(("over",), message)


def check_winners(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check who wins."""
    if expect.winners is None:
        return
    sheet = context.game.score(context.state)
    actual = [PLAYERS[player] for player in sheet.winners]
    if sorted(expect.winners) != actual:
        totals = comma_separated(
            f"{PLAYERS[p]} has {_total_text(context, sheet, p)}" for p in range(len(sheet.totals))
        )
        who = comma_separated(actual) if actual else "nobody"
        expected = comma_separated(expect.winners) if expect.winners else "nobody"
        message = f"{who} would win, not {expected}: {totals}"
        yield context.failure(("winners",), message)


# Gold gained during play


def gains_of(events: Iterable[Event], player: int) -> Counter[str]:
    """How much gold each rule gave a player by these events."""
    by_rule: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Gained) and event.player == player:
            by_rule[event.rule] += event.gold
    return by_rule


def gains_text(by_rule: Mapping[str, int], before: int = 0) -> str:
    """Which rule gave how much, and how much was there before."""
    parts = [f"{gold} by {quoted(rule)}" for rule, gold in by_rule.items() if gold]
    return ", ".join([*parts, *([f"{before} before"] if before else [])])
