"""What follows the last round, said a second time: who works at silos, in which order, how much."""

from __future__ import annotations

from kbrules.game.moves import Move
from kbrules.game.state import State
from tests.properties.ground import Ground

EACH = 3
"""How many builds, or how many moves, a silo allows."""


class Silos:
    """The player at work, the silos left to them, and what was done at the present one."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.player, self.left, self.number, self.verb = -1, 0, 0, ""
        self.moved: set[int] = set()

    def decided(self, state: State, move: Move, mover: int, path: str) -> None:
        """A decision, before anything comes of it."""
        if move.rule != "silos":
            return
        assert state.stage[0] == "finish" and state.active == mover
        if mover != self.player:
            assert mover > self.player, "not in turn order"
            self.player, self.left = mover, self.granaries(state, mover)
        if path:
            self.left -= 1
            self.number, self.verb, self.moved = 0, move.verb, set()
            assert self.left >= 0, "more silos than the player touches"
            assert self.verb in ("build", "lift")
        elif move.verb in ("build", "lift"):
            assert move.verb == self.verb, "builds and moves at one silo"
        if move.verb == "lift":
            assert move.hex not in self.moved or self.ground.option("silo_moves_again")
        elif move.verb == "move":
            self.moved.add(move.hex)
        if move.verb in ("build", "move"):
            self.number += 1
            assert self.number <= EACH

    def granaries(self, state: State, player: int) -> int:
        """How many silos a player touches when they begin; by an option only one counts."""
        near = self.ground.around(state.seats[player].all) & self.ground.of["silo"]
        return near.bit_count() if self.ground.option("each_silo") else min(1, near.bit_count())
