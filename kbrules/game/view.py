"""The view on which expressions are evaluated: board, state, player and bound names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.game.terrain_choice import with_choice
from kbrules.hex.masks import Mask

REPEATED = "repeated"
"""Bound, in what is carried out because another tile lets it be reused."""


def names_in_action(env: Mapping[str, Any], is_reused: bool = False) -> Mapping[str, Any]:
    """Return what an action finds bound where it begins: only whether it is a reuse.

    It finds nothing that a loop or an event around the step that offers it has bound. What is
    offered within a reused action is a reuse as well.
    """
    return {REPEATED: True} if is_reused or REPEATED in env else {}


class RulesInForce(Protocol):
    """What a word may ask of the rules in force."""

    def open(self, view: View, verb: str) -> Mask:
        """Hexes the table's norms permit for a verb and none forbids."""

    def forbidden(self, view: View, verb: str) -> Mask:
        """Hexes some norm forbids for a verb."""

    def option(self, name: str) -> bool | int:
        """The value of an option at this table."""

    def quantity(self, view: View, name: str) -> int:
        """A set-up number with everything that increases or decreases it."""

    def memory_value(self, view: View, name: str) -> int:
        """The value of a memory, as `view.me` has it."""

    def in_required(self, view: View) -> bool:
        """Whether a required action is being carried out."""

    @property
    def start_passes(self) -> bool:
        """Whether each round begins with the next player."""

    def is_in_play(self, card: int, state: State) -> bool:
        """Whether a card lies on the table and counts."""

    def is_beside(self, card: int, state: State) -> bool:
        """Whether a card lies beside the table and may come into play."""


class View:
    """Board, state, the player that it is of (`me`) and the names bound so far (`env`).

    `cache` keeps what the table alone decides; `counted_sets`, if not None, collects the
    sets that are counted.
    """

    __slots__ = ("board", "cache", "counted_sets", "env", "me", "rules", "state")

    def __init__(
        self, board: Board, state: State, me: int, rules: RulesInForce, env: Mapping[str, Any]
    ) -> None:
        self.board = board
        self.state = state
        self.me = me
        self.rules = rules
        self.env = env
        self.cache: dict[Any, Any] = board.cache
        self.counted_sets: list[Mask] | None = None

    def bound(self, name: str, value: Any) -> View:
        """The same view with one more name bound."""
        view = View(self.board, self.state, self.me, self.rules, {**self.env, name: value})
        view.counted_sets = self.counted_sets
        return view

    def bind_each(self, name: str, items: Iterable[Any]) -> Iterator[View]:
        """The same view with one more name bound, to one item after another.

        It is one view of which the item changes: nobody may keep it.
        """
        env = {**self.env, name: None}
        view = View(self.board, self.state, self.me, self.rules, env)
        view.counted_sets = self.counted_sets
        for item in items:
            env[name] = item
            yield view

    def with_terrain(self, terrain: int) -> View:
        """The same view of a table on which that terrain was chosen."""
        return View(self.board, with_choice(self.state, terrain), self.me, self.rules, self.env)

    def of(self, player: int) -> View:
        """The same table seen by another player."""
        view = View(self.board, self.state, player, self.rules, self.env)
        view.counted_sets = self.counted_sets
        return view

    @property
    def mine(self) -> Mask:
        """All hexes with a piece of this player."""
        return self.state.seats[self.me].all
