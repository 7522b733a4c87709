"""The smallest change of a position that makes a move legal, found by trying.

Changes are tried one at a time, those near the hex first, then several together; each told
was carried out on a copy of the position, and the engine was asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from time import monotonic

from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import State, draft_of
from kbrules.tools.explaining.why.position_changes import Change, changes_about

__all__ = ["SearchResult", "smallest_change"]

SECONDS = 2.0
TRIED = 6_000
TOLD = 3
_NEAR = 3  # how far from the hex the second of two changes may be
_ALIKE = 2  # sets of changes kept that leave the same reasons ...
_BEGUN = 10  # ... and kept at all, before one more is tried with each
_EACH = 2  # of those that begin alike this many are told

MOST = 3
"""How many changes are tried together."""

Changes = tuple[Change, ...]


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
    return _Searching(game, state, move).search()


class _Searching:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        self._until = monotonic() + SECONDS
        self._tried = 0
        self._against = self._reasons(state)

    def search(self) -> SearchResult:
        if self._me < 0 or self._move.verb == "draw":
            return SearchResult((), 0, 0, True)
        size = 1
        try:
            changes = changes_about(self._game, self._state, self._move)
            found = self._alone(changes)
            near = [change for change in changes if change.distance <= _NEAR]
            begun = [] if found else self._useful([()], changes)
            while not found and size < MOST and begun:
                size += 1
                found = self._after_others(begun, near)
                begun = [] if found or size == MOST else self._useful(begun, near)
        except _BudgetSpent:
            return SearchResult((), size - 1, self._tried, False)
        texts = [tuple(change.text for change in each) for each in found]
        return SearchResult(tuple(texts), size, self._tried, size == 1)

    def _alone(self, changes: list[Change]) -> list[Changes]:
        found: dict[str, Changes] = {}
        try:
            for change in changes:
                if change.kind not in found and self._helps((change,)):
                    found[change.kind] = (change,)
                if len(found) == TOLD:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())

    def _after_others(self, begun: list[Changes], near: list[Change]) -> list[Changes]:
        """One change more after others that leave less against the move; a few of each."""
        found: dict[frozenset[Change], Changes] = {}
        try:
            for first in begun:
                more = ((*first, change) for change in near if change not in first)
                for changes in islice(filter(self._helps, more), _EACH):
                    found.setdefault(frozenset(changes), changes)
                if len(found) >= TOLD:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())[:TOLD]

    def _useful(self, begun: list[Changes], changes: list[Change]) -> list[Changes]:
        """Changes that leave other reasons against the move, those that leave few first."""
        kept: dict[frozenset[str], dict[frozenset[Change], Changes]] = {}
        for first in begun:
            for change in changes:
                if change in first:
                    continue
                after = self._after((*first, change))
                left = self._against if after is None else self._reasons(after)
                alike = kept.setdefault(left, {})
                if left != self._against and len(alike) < _ALIKE:
                    alike.setdefault(frozenset((*first, change)), (*first, change))
        found = [each for left in sorted(kept, key=len) for each in kept[left].values()]
        return found[:_BEGUN]

    def _reasons(self, state: State) -> frozenset[str]:
        reasons = self._game.explain(state, self._move).reasons
        return frozenset(f"{each.rule} {each.text}" for each in reasons)

    # trying

    def _helps(self, changes: Changes) -> bool:
        after = self._after(changes)
        return after is not None and self._move in self._game.legal_moves(after)

    def _after(self, changes: Changes) -> State | None:
        """The position with some changes, if the same player is to decide there."""
        self._tried += 1
        if self._tried > TRIED or monotonic() > self._until:
            raise _BudgetSpent
        draft = draft_of(self._state)
        for change in changes:
            change.do(draft)
        after = self._game.run_to_decision(draft)
        return after if self._game.legal_moves(after).player == self._me else None
