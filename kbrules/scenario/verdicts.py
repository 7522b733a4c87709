"""What a scenario expects of gold, of the turn and of the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.engine.scoring import Sheet
from kbrules.game.moves import CHANCE
from kbrules.scenario.moment import Failure, Moment, listed
from kbrules.scenario.names import GAINED, PLAYERS, TOTAL
from kbrules.scenario.pictures import EARNED

if TYPE_CHECKING:
    from kbrules.scenario.expected import HoldsModel

__all__ = ["gold", "last_round", "over", "turn", "winners"]


def gold(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """What each player is paid, in all or by rule."""
    if not expect.gold:
        return
    sheet = moment.setting.game.score(moment.state)
    for letter, wanted in expect.gold.items():
        player = moment.names.player(letter, moment.key("gold", letter))
        if isinstance(wanted, int):
            if sheet.totals[player] != wanted:
                message = f"{letter} has {_account(sheet, player)}, not {wanted}"
                yield moment.failure(("gold", letter), message)
        else:
            yield from _by_rule(moment, sheet, player, wanted)


def _account(sheet: Sheet, player: int) -> str:
    """The total and how it comes about."""
    parts = [f"{line.gold} {line.rule}" for line in sheet.lines[player] if line.gold]
    parts += [f"{sheet.gained[player]} {GAINED}"] if sheet.gained[player] else []
    return f"{sheet.totals[player]}" + (f" ({', '.join(parts)})" if parts else "")


def _by_rule(
    moment: Moment, sheet: Sheet, player: int, wanted: Mapping[str, int]
) -> Iterator[Failure]:
    letter = PLAYERS[player]
    for id, amount in wanted.items():
        loc = ("gold", letter, id)
        if id in (TOTAL, GAINED):
            found = (sheet.totals if id == TOTAL else sheet.gained)[player]
            if found != amount:
                said = _account(sheet, player) if id == TOTAL else f"{found} {GAINED}"
                yield moment.failure(loc, f"{letter} has {said}, not {amount}")
            continue
        line = sheet.line(id, player)
        assert line is not None
        if line.gold != amount:
            drawn = moment.picture({EARNED: line.hexes})
            message = f"{quoted(id)} pays {letter} {line.gold}, not {amount}"
            yield moment.failure(loc, message, drawn)


def turn(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """Who is to decide."""
    if expect.turn is None:
        return
    found = deciding(moment)
    if found != expect.turn:
        who = f"{found} is" if found else "nobody is"
        yield moment.failure(("turn",), f"{who} to decide, not {expect.turn}")


def deciding(moment: Moment) -> str:
    """Who is to decide: a player, `chance`, or nobody, which is an empty text."""
    moves = moment.setting.game.legal_moves(moment.state)
    if moves.player != CHANCE:
        return PLAYERS[moves.player]
    return "chance" if moves else ""


def last_round(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """Whether the end is near."""
    if expect.last_round is not None and expect.last_round != moment.state.ending:
        which = "this is the last round" if moment.state.ending else "this is not the last round"
        yield moment.failure(("last_round",), which)


def over(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """Whether the game is over."""
    if expect.over is not None and expect.over != moment.state.is_over:
        which = "the game is over" if moment.state.is_over else "the game is not over"
        yield moment.failure(("over",), which)


def winners(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """Who wins."""
    if expect.winners is None:
        return
    sheet = moment.setting.game.score(moment.state)
    found = [PLAYERS[player] for player in sheet.winners]
    if sorted(expect.winners) != found:
        totals = listed(f"{PLAYERS[p]} has {_account(sheet, p)}" for p in range(len(sheet.totals)))
        who = listed(found) if found else "nobody"
        wanted = listed(expect.winners) if expect.winners else "nobody"
        message = f"{who} would win, not {wanted}: {totals}"
        yield moment.failure(("winners",), message)
