"""The smallest change of a position that makes a move legal, found by trying.

Changes are tried one at a time, those near the hex first, then several together; each one
named was made on a copy of the position, and the engine judged it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from time import monotonic

from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import State, draft_of
from kbrules.tools.explaining.why.position_changes import PositionChange, changes_about

SECONDS = 2.0
MAX_TRIALS = 6_000
MAX_SHOWN = 3
_MAX_DISTANCE = 3  # how far from the hex the second of two changes may be
_PER_REASONS = 2  # sets of changes that leave the same reasons ...
_MAX_PREFIXES = 10  # ... and go on at all, before one more is tried with each
_PER_PREFIX = 2  # of those that begin alike this many are named

MAX_CHANGES = 3
"""How many changes are tried together."""

Changes = tuple[PositionChange, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The smallest changes found, each in words; how many were tried, and whether all were.

    `size` is the number of changes of those found, or up to which some were tried together.
    """

    found: tuple[tuple[str, ...], ...]
    size: int
    tried: int
    complete: bool


class _BudgetSpent(Exception):
    """The time or the number of trials is used up."""


def smallest_change(game: Game, state: State, move: Move) -> SearchResult:
    """The smallest changes of a position that make a move legal, at most three of one size."""
    return _ChangeSearch(game, state, move).search()


class _ChangeSearch:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        self._until = monotonic() + SECONDS
        self._tried = 0
        self._initial_reasons = self._reasons(state)

    def search(self) -> SearchResult:
        if self._me < 0 or self._move.verb == "draw":
            return SearchResult((), 0, 0, True)
        size = 1
        try:
            changes = changes_about(self._game, self._state, self._move)
            found = self._single_changes(changes)
            nearby = [change for change in changes if change.distance <= _MAX_DISTANCE]
            prefixes = [] if found else self._promising([()], changes)
            while not found and size < MAX_CHANGES and prefixes:
                size += 1
                found = self._extensions(prefixes, nearby)
                prefixes = [] if found or size == MAX_CHANGES else self._promising(prefixes, nearby)
        except _BudgetSpent:
            return SearchResult((), size - 1, self._tried, False)
        texts = [tuple(change.text for change in each) for each in found]
        return SearchResult(tuple(texts), size, self._tried, size == 1)

    def _single_changes(self, changes: list[PositionChange]) -> list[Changes]:
        found: dict[str, Changes] = {}
        try:
            for change in changes:
                if change.kind not in found and self._makes_legal((change,)):
                    found[change.kind] = (change,)
                if len(found) == MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())

    def _extensions(self, prefixes: list[Changes], nearby: list[PositionChange]) -> list[Changes]:
        """One change more after others that leave less against the move; a few of each."""
        found: dict[frozenset[PositionChange], Changes] = {}
        try:
            for prefix in prefixes:
                more = ((*prefix, change) for change in nearby if change not in prefix)
                for changes in islice(filter(self._makes_legal, more), _PER_PREFIX):
                    found.setdefault(frozenset(changes), changes)
                if len(found) >= MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())[:MAX_SHOWN]

    def _promising(self, prefixes: list[Changes], changes: list[PositionChange]) -> list[Changes]:
        """Changes that leave other reasons against the move, those that leave few first."""
        by_reasons: dict[frozenset[str], dict[frozenset[PositionChange], Changes]] = {}
        for prefix in prefixes:
            for change in changes:
                if change in prefix:
                    continue
                state_after = self._state_after((*prefix, change))
                reasons = (
                    self._initial_reasons if state_after is None else self._reasons(state_after)
                )
                same_reasons = by_reasons.setdefault(reasons, {})
                if reasons != self._initial_reasons and len(same_reasons) < _PER_REASONS:
                    same_reasons.setdefault(frozenset((*prefix, change)), (*prefix, change))
        found = [
            each for reasons in sorted(by_reasons, key=len) for each in by_reasons[reasons].values()
        ]
        return found[:_MAX_PREFIXES]

    def _reasons(self, state: State) -> frozenset[str]:
        reasons = self._game.explain(state, self._move).reasons
        return frozenset(f"{each.rule} {each.text}" for each in reasons)

    # trying

    def _makes_legal(self, changes: Changes) -> bool:
        state_after = self._state_after(changes)
        return state_after is not None and self._move in self._game.legal_moves(state_after)

    def _state_after(self, changes: Changes) -> State | None:
        """The position with some changes, if the same player is to decide there."""
        self._tried += 1
        if self._tried > MAX_TRIALS or monotonic() > self._until:
            raise _BudgetSpent
        draft = draft_of(self._state)
        for change in changes:
            change.edit(draft)
        state_after = self._game.run_to_decision(draft)
        return state_after if self._game.legal_moves(state_after).player == self._me else None
