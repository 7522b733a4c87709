"""A scenario made ready to be played, or all that is wrong with how it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.state import State
from kbrules.scenario.case import Case
from kbrules.scenario.names import Names
from kbrules.scenario.position import lay
from kbrules.scenario.setting import MARKED, Setting, setting_of, some_board
from kbrules.scenario.shelf import Shelf
from kbrules.scenario.spelling import look_up

__all__ = ["Ready", "ready"]

_FEWEST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """The setting of a scenario and the state it begins in."""

    setting: Setting
    state: State


def ready(case: Case, shelf: Shelf) -> tuple[Ready | None, list[Diagnostic]]:
    """The scenario laid out, and what is wrong with it that can be known without playing."""
    players = case.model.players or max(shelf.ruleset.parts.players[0], _FEWEST)
    names = Names(case, shelf.ruleset, players)
    setting = setting_of(names, shelf)
    look_up(names, some_board(names, shelf) if setting is None else setting.game.board)
    state = None if setting is None else lay(setting)
    if state is not None and setting is not None:
        names.add(*_unused_marks(setting))
    if names.findings or setting is None or state is None:
        return None, names.findings
    return Ready(setting, state), []


def _unused_marks(setting: Setting) -> Iterator[Diagnostic]:
    """Hexes marked in a drawing of this scenario's own, of which nothing is said."""
    case = setting.names.case
    expected = [case.model.expect, *(getattr(step, "expect", None) for step in case.model.steps)]
    expected += [getattr(each, "reachable", None) for each in expected]
    expected += [getattr(each, "unreachable", None) for each in expected]
    offers = [offer for each in expected if each is not None for offer in each.offered.values()]
    is_own = not case.at or "board" in case.own
    claims = case.model.expect is not None or case.model.steps  # a position by itself has none
    if setting.marked and claims and is_own and "marked" not in offers:
        message = f"hexes are marked {quoted(MARKED)}, but nothing is said of them"
        help = "write `marked` for what a rule offers"
        yield Diagnostic("KB110", case.key("board", "drawing"), message, help)
