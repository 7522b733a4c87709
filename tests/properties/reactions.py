"""Who is asked for a reaction, in which order, and how often: said a second time, in Python."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game import events as facts
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.state import Draft, State
from tests.properties.ground import EITHER, Ground

REACTION = "canoe"


class Reactions:
    """The players who are still to be asked, those of the last occasion first."""

    def __init__(self, game: Game, ground: Ground) -> None:
        self.game, self.ground = game, ground
        self.left = [0] * game.players
        self.new = [0] * game.players
        self.waiting: list[list[int]] = []

    def decided(self, state: State, move: Move, mover: int) -> None:
        """A decision, before anything comes of it."""
        if mover < 0 or not self.waiting:
            assert move.rule != REACTION, "nothing to react to"
        elif move.rule == REACTION:
            self.asked(state, mover)
            if move.verb == "stop":
                self.waiting[-1].pop(0)
        elif mover == state.active and move.rule != "mayors":
            self.nobody_is_left(state)

    def nobody_is_left(self, state: State) -> None:
        """The turn goes on: all have been asked who could react."""
        while self.waiting:
            self.nobody_more(state, self.waiting.pop())

    def asked(self, state: State, mover: int) -> None:
        """Whoever comes before the player could do nothing."""
        while mover not in self.waiting[-1]:
            self.nobody_more(state, self.waiting.pop())
            assert self.waiting, "it is not their turn to react"
        waiting = self.waiting[-1]
        self.nobody_more(state, waiting[: waiting.index(mover)])
        del waiting[: waiting.index(mover)]

    def nobody_more(self, state: State, players: list[int]) -> None:
        for player in players:
            assert not self.can(state, player), f"{player} was passed over"

    def can(self, state: State, player: int) -> bool:
        """Whether a player has a tile that was not used, and somewhere to build."""
        if not self.left[player] or not state.seats[player].supply[0]:
            return False
        free = self.ground.free(state)
        return any(free & self.ground.of[terrain] for terrain in EITHER[REACTION])

    def see(self, draft: Draft, event: Event) -> None:
        """One event, before it happens."""
        match event:
            case facts.Took(place=place):
                kind = self.ground.tiles[event.kind]
                at_once = self.ground.option("new_canoe_reacts")
                (self.left if at_once else self.new)[event.player] += kind == REACTION
                if len(draft.stock[place]) == 1 and self.in_time(draft):
                    self.waiting.append(self.from_the_left(draft.active, event.player))
            case facts.Lost(player=player) if self.ground.tiles[event.kind] == REACTION:
                held = self.count(draft, player) - 1
                self.left[player] = min(self.left[player], held)
            case facts.TurnStarted(player=player):
                self.nobody_is_left(draft)
                self.left = [left + new for left, new in zip(self.left, self.new, strict=True)]
                self.new = [0] * len(self.new)
                self.left[player] = self.count(draft, player)
            case facts.Used(player=player) if self.ground.tiles[event.kind] == REACTION:
                self.left[player] -= 1
                assert self.left[player] >= 0, "once between two of one's own turns"

    def in_time(self, draft: Draft) -> bool:
        return draft.stage[0] == "turn" or self.ground.option("canoe_at_finish")

    def count(self, draft: Draft, player: int) -> int:
        held = (self.ground.tiles[tile.kind] for tile in draft.seats[player].tiles)
        return [*held].count(REACTION)

    def from_the_left(self, active: int, taker: int) -> list[int]:
        players = self.game.players
        order = [(active + 1 + i) % players for i in range(players)]
        return [player for player in order if player != taker]
