"""What can come about within some decisions: every position that is as near, looked at in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import write_move
from kbrules.game.state import State
from kbrules.scenario.moment import Failure, Glance, Moment

if TYPE_CHECKING:
    from kbrules.scenario.expected import HoldsModel, WithinModel

__all__ = ["MOST", "reachable", "unreachable"]

MOST = 5_000
"""How many positions are looked at for one expectation."""

Checks = Callable[[Moment, "HoldsModel"], Iterator[Failure]]
Reached = tuple[State, tuple[Move, ...]]


class _Seen(NamedTuple):
    """A position that was looked at: the decisions that lead there, and how much fails in it."""

    state: State
    moves: tuple[Move, ...]
    failing: int


def reachable(moment: Moment, expect: WithinModel, checks: Checks) -> Iterator[Failure]:
    """That there is a position, so many decisions away, of which something holds."""
    search = _Search(moment.setting.game, expect.within)
    nearest: _Seen | None = None
    for seen in _looked_at(moment, "reachable", expect, checks, search):
        if not seen.failing:
            return
        if nearest is None or seen.failing < nearest.failing:
            nearest = seen
    if search.is_cut_short:
        yield _too_many(moment, "reachable")
    elif nearest is not None:
        there = Moment(moment.setting, nearest.state, (*moment.at, "reachable"))
        found, drawn = next(checks(there, expect))
        message = (
            f"none of {len(search.seen)} positions within {expect.within} decisions is so; "
            f"nearest, {_after(moment, nearest)}: {found.message}"
        )
        yield replace(found, message=message), drawn


def unreachable(moment: Moment, expect: WithinModel, checks: Checks) -> Iterator[Failure]:
    """That there is no such position."""
    search = _Search(moment.setting.game, expect.within)
    for seen in _looked_at(moment, "unreachable", expect, checks, search):
        if not seen.failing:
            drawn = Moment(moment.setting, seen.state, moment.at).picture({})
            yield moment.failure(("unreachable",), f"it is so {_after(moment, seen)}", drawn)
            return
    if search.is_cut_short:
        yield _too_many(moment, "unreachable")


def _after(moment: Moment, seen: _Seen) -> str:
    board = moment.setting.game.board
    moves = ", ".join(quoted(write_move(move, board)) for move in seen.moves)
    return f"after {moves}" if moves else "before any decision"


def _too_many(moment: Moment, key: str) -> Failure:
    message = f"{MOST} positions were looked at, which is the most, and none of them is so"
    help = "ask for fewer decisions, or make the first of them as steps"
    return Diagnostic("KB507", moment.span(key, "within"), message, help), ""


def _looked_at(
    moment: Moment, key: str, expect: WithinModel, checks: Checks, search: _Search
) -> Iterator[_Seen]:
    at = (*moment.at, key)
    for state, moves in search.near(moment.state):
        failing = sum(1 for _ in checks(Glance(moment.setting, state, at), expect))
        yield _Seen(state, moves, failing)


class _Search:
    """The positions up to so many decisions away, each once, the nearest first.

    What chance does is no decision, and each way it may go is looked at; `seen` holds the
    digests of all positions, those in which a card is due as well.
    """

    def __init__(self, game: Game, within: int) -> None:
        self._game = game
        self._within = within
        self.seen: set[str] = set()
        self.is_cut_short = False

    def near(self, state: State) -> Iterator[Reached]:
        """The positions, each with the decisions that lead there."""
        layer = self._settled([(state, ())])
        for left in range(self._within, -1, -1):
            here: list[Reached] = []
            for each in layer:
                here.append(each)
                yield each
            layer = self._settled(self._further(here) if left else ())

    def _further(self, layer: list[Reached]) -> Iterator[Reached]:
        for state, moves in layer:
            for move in self._game.legal_moves(state):
                yield self._game.apply(state, move), (*moves, move)

    def _settled(self, layer: Iterable[Reached]) -> Iterator[Reached]:
        """Those of a layer that are new, with the ways of chance in place of where it is due."""
        for state, moves in layer:
            due = [state]
            while due:
                here = due.pop()
                digest = here.hash()
                if digest in self.seen:
                    continue
                if len(self.seen) >= MOST:
                    self.is_cut_short = True
                    return
                self.seen.add(digest)
                offered = self._game.legal_moves(here)
                if offered.player == CHANCE and offered:
                    due += [self._game.apply(here, draw) for draw in offered]
                else:
                    yield here, moves
