"""All checks of an expectation: of a state, and of the states reachable from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import write_move
from kbrules.game.state import State
from kbrules.scenario.checks import decisions, scoring
from kbrules.scenario.checks import state as state_checks
from kbrules.scenario.checks.context import CheckContext, ContextWithoutBoards
from kbrules.scenario.report import FindingWithBoard

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import (
        ExpectedStateModel,
        ExpectModel,
        ReachableModel,
    )

MAX_STATES = 5_000
"""How many states one expectation may visit."""
_CHECKS = (
    decisions.check_offered, decisions.check_choices, decisions.check_refused,
    state_checks.check_tiles, state_checks.check_left, state_checks.check_numbers,
    state_checks.check_supply, state_checks.check_pieces, state_checks.check_hand,
    state_checks.check_shown, state_checks.check_piles, state_checks.check_scoring_cards,
    state_checks.check_memory,
    scoring.check_gold, scoring.check_turn, scoring.check_last_round, scoring.check_over,
    scoring.check_winners,
)  # fmt: skip

Reached = tuple[State, tuple[Move, ...]]


def check_expectation(context: CheckContext, expect: ExpectModel) -> list[FindingWithBoard]:
    """All failures of an expectation, in the order of the keys in the format."""
    failures = list(_state_failures(context, expect))
    if expect.reachable is not None:
        failures += _reachable(context, expect.reachable)
    if expect.unreachable is not None:
        failures += _unreachable(context, expect.unreachable)
    return failures


def _state_failures(
    context: CheckContext, expect: ExpectedStateModel
) -> Iterator[FindingWithBoard]:
    return (failure for check in _CHECKS for failure in check(context, expect))


# Reachable states


class _Visit(NamedTuple):
    """A visited state: the decisions that lead there, and how many checks fail in it."""

    state: State
    moves: tuple[Move, ...]
    failure_count: int


def _reachable(context: CheckContext, expect: ReachableModel) -> Iterator[FindingWithBoard]:
    """Check that some state within so many decisions is as expected."""
    search = _StateSearch(context.game, expect.within)
    nearest: _Visit | None = None
    for visit in _visits(context, "reachable", expect, search):
        if not visit.failure_count:
            return
        if nearest is None or visit.failure_count < nearest.failure_count:
            nearest = visit
    if search.is_cut_short:
        yield _too_many(context, "reachable")
    elif nearest is not None:
        nearest_context = CheckContext(context.setup, nearest.state, (*context.at, "reachable"))
        failure, board = next(_state_failures(nearest_context, expect))
        message = (
            f"none of {len(search.digests)} positions within {expect.within} decisions is so; "
            f"nearest, {_path_text(context, nearest)}: {failure.message}"
        )
        yield replace(failure, message=message), board


def _unreachable(context: CheckContext, expect: ReachableModel) -> Iterator[FindingWithBoard]:
    """Check that no state within so many decisions is as expected."""
    search = _StateSearch(context.game, expect.within)
    for visit in _visits(context, "unreachable", expect, search):
        if not visit.failure_count:
            board = CheckContext(context.setup, visit.state, context.at).board({})
            yield context.failure(("unreachable",), f"it is so {_path_text(context, visit)}", board)
            return
    if search.is_cut_short:
        yield _too_many(context, "unreachable")


def _path_text(context: CheckContext, visit: _Visit) -> str:
    moves = ", ".join(quoted(write_move(move, context.game.board)) for move in visit.moves)
    return f"after {moves}" if moves else "before any decision"


def _too_many(context: CheckContext, key: str) -> FindingWithBoard:
    message = f"{MAX_STATES} positions were looked at, which is the most, and none of them is so"
    help = "ask for fewer decisions, or make the first of them as steps"
    return Diagnostic("KB507", context.where(key, "within")(), message, help), ""


def _visits(
    context: CheckContext, key: str, expect: ReachableModel, search: _StateSearch
) -> Iterator[_Visit]:
    at = (*context.at, key)
    for state, moves in search.states(context.state):
        counting = ContextWithoutBoards(context.setup, state, at)
        yield _Visit(state, moves, sum(1 for _ in _state_failures(counting, expect)))


class _StateSearch:
    """A breadth-first search of the states up to so many decisions away, each visited once.

    A draw by chance is no decision, and each of its results is visited; `digests` has the digests
    of all states, those in which a card is due as well.
    """

    def __init__(self, game: Game, within: int) -> None:
        self._game = game
        self._within = within
        self.digests: set[str] = set()
        self.is_cut_short = False

    def states(self, state: State) -> Iterator[Reached]:
        """The states, each with the decisions that lead there."""
        layer = self._unvisited([(state, ())])
        for left in range(self._within, -1, -1):
            visited: list[Reached] = []
            for each in layer:
                visited.append(each)
                yield each
            layer = self._unvisited(self._successors(visited) if left else ())

    def _successors(self, layer: list[Reached]) -> Iterator[Reached]:
        for state, moves in layer:
            for move in self._game.legal_moves(state):
                yield self._game.apply(state, move), (*moves, move)

    def _unvisited(self, layer: Iterable[Reached]) -> Iterator[Reached]:
        """The unseen states of a layer; where a draw is due, the states after it instead."""
        for state, moves in layer:
            pending = [state]
            while pending:
                reached = pending.pop()
                digest = reached.hash()
                if digest in self.digests:
                    continue
                if len(self.digests) >= MAX_STATES:
                    self.is_cut_short = True
                    return
                self.digests.add(digest)
                offered = self._game.legal_moves(reached)
                if offered.player == CHANCE and offered:
                    pending += [self._game.apply(reached, draw) for draw in offered]
                else:
                    yield reached, moves
