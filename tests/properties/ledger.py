"""A ledger of one game: every event is checked before it happens, and added up.

The laws of single events stand here; those of whole positions in `mixed_laws`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from kbrules.engine.game import Game
from kbrules.game import events as facts
from kbrules.game.events import Event
from kbrules.game.folding import take_up
from kbrules.game.moves import Move
from kbrules.game.state import FRESH, READY, Draft, draft_of
from kbrules.hex.masks import Mask
from tests.properties.ground import FREELY, Ground

MOST = {
    "mandatory": 3, "quarry": 2, "resettlement": 4, "wagon_yard": 3, "lighthouse": 3,
    "scout_cabin": 2, "cathedral": 99,
}  # fmt: skip
STEPS = ("resettlement", "wagon_yard", "lighthouse")


def most_of(rule: str) -> int:
    """How many pieces one use of an action may build, place, move or take back."""
    return 3 if rule.startswith("donation") else MOST.get(rule, 1)


class Ledger:
    """What the events of a game add up to, apart from what the state says."""

    def __init__(self, game: Game) -> None:
        catalog = game.ruleset.catalog
        self.game, self.ground = game, Ground(game)
        self.pieces, self.tiles = catalog.pieces, catalog.tiles
        self.actions = {each.path: each.owner.rule.id for each in game.ruleset.offers()}
        self.walls = [self.supply_of(i) for i in range(len(self.pieces))]
        self.turn = -1
        self.turns: Counter[int] = Counter()
        self.holdings: dict[tuple[int, int], tuple[int, int]] = {}
        self.gone: Counter[int] = Counter()
        self.takers: set[tuple[int, int]] = set()
        self.gold = [0] * game.players
        self.uses_left: Counter[int] = Counter()
        self.done: Counter[str] = Counter()
        self.ended_in = -1
        self.ran_out = False
        self.seen: Counter[str] = Counter()
        self.move = Move("", "")

    def supply_of(self, piece: int) -> int:
        """How many of a piece of nobody there are."""
        of = self.pieces[piece]
        return of.supply if of.neutral else 0

    def follow(self, draft: Draft, move: Move, events: tuple[Event, ...]) -> None:
        """Check the events of a move one by one, and fold them into the draft."""
        self.move = move
        self.done["further cards"] += (move.verb, move.rule) == ("use", "crossroads")
        for event in events:
            check = CHECKS.get(type(event))
            if check is not None:
                check(self, draft, event)
            event.fold(draft)
            if not self.ran_out:
                self.ran_out = any(seat.supply[0] == 0 for seat in draft.seats)

    # pieces

    def built(self, draft: Draft, event: facts.Built) -> None:
        assert event.player == draft.active and self.move.verb == "build"
        assert event.hex == self.move.hex
        assert self.size(event.piece) == 1 and not self.pieces[event.piece].neutral
        self.count()
        self.settles(draft, event.hex, self.open(draft), event.strayed)

    def placed(self, draft: Draft, event: facts.Placed) -> None:
        piece, hexes = self.pieces[event.piece], event.hexes
        self.count()
        assert event.player == (-1 if piece.neutral else draft.active)
        assert hexes.bit_count() == self.size(event.piece)
        open = self.open(draft, piece.id == "wagon")
        mine = draft.seats[draft.active].all
        if piece.neutral:
            self.walls[event.piece] -= 1
            assert any(hexes & land for land in open) and hexes & self.ground.buildable
            assert hexes & self.ground.around(mine)
        elif self.size(event.piece) > 1:
            assert hexes == self.ground.near[event.hex] | 1 << event.hex, "no star"
            assert hexes & ~open[0] == 0, "not all of it is free"
            assert self.ground.around(hexes) & mine
        else:
            self.settles(draft, event.hex, open, event.strayed)

    def open(self, draft: Draft, is_wagon: bool = False) -> list[Mask]:
        """The free hexes of the terrain of this move, for each card it may follow."""
        free = self.ground.free(draft)
        return [free & land for land in self.ground.lands(draft, self.move.rule, is_wagon)]

    def settles(self, draft: Draft, hex: int, open: list[Mask], strayed: bool) -> None:
        """A piece comes to free land, next to others of its owner if any such hex is free."""
        fitting = [land for land in open if land >> hex & 1]
        assert fitting, "not free, or not the terrain of this action"
        seat = draft.seats[draft.active]
        if strayed:
            ready = [self.tiles[t.kind].id for t in seat.tiles if t.status == READY]
            assert "outpost" in ready, "no outpost to stray by"
            held = [self.tiles[t.kind].id for t in seat.tiles if t.status != FRESH]
            self.done["strays"] += 1
            assert self.done["strays"] <= held.count("outpost"), "an outpost serves once"
        elif not self.ground.near[hex] & seat.all:
            near = self.ground.around(seat.all)
            assert any(not land & near for land in fitting), "there was room beside its own"

    def moved(self, draft: Draft, event: facts.Moved) -> None:
        player, piece, origin, hex = event
        rule = self.move.rule
        assert player == draft.active and self.size(piece) == 1
        assert draft.seats[player].pieces[piece] >> origin & 1
        assert hex != origin or self.ground.option("null_moves")
        self.count()
        lifted = draft_of(draft)
        take_up(lifted, player, piece, 1 << origin)
        fitting = [land for land in self.open(lifted, rule == "wagon_yard") if land >> hex & 1]
        assert fitting, "not free, or not the terrain of this action"
        mine = (lifted if self.ground.option("lift_first") else draft).seats[player].all
        if rule not in FREELY and not self.ground.near[hex] & mine:
            near = self.ground.around(mine)
            assert any(not land & near for land in fitting), "there was room beside its own"
        self.goes_as_its_action_says(draft, rule, origin, hex)

    def goes_as_its_action_says(self, draft: Draft, rule: str, origin: int, hex: int) -> None:
        """How far a piece goes, and from where to where."""
        if rule in STEPS:
            assert self.ground.near[origin] >> hex & 1, "more than a step"
        elif rule == "paddock":
            assert self.ground.grid.distance(origin, hex) in (0, 2)
        elif rule == "cave_walk":
            caves = self.ground.caves(draft)
            assert self.ground.near[origin] & caves and self.ground.near[hex] & caves, "no cave"

    def removed(self, draft: Draft, event: facts.Removed) -> None:
        assert event.player >= 0 and self.size(event.piece) == 1
        assert draft.seats[event.player].pieces[event.piece] & event.hexes == event.hexes
        if self.pieces[event.piece].id == "scout":
            return
        if event.player == draft.active:
            assert self.pieces[event.piece].id != "settlement"
            self.count()
            return
        assert self.move.rule == "sword" and self.move.hex == event.hex
        self.done[f"sword against {event.player}"] += 1
        assert self.done[f"sword against {event.player}"] <= self.done["use sword"]

    # tiles

    def took(self, draft: Draft, event: facts.Took) -> None:
        kind, key = self.tiles[event.kind], (event.player, event.hex)
        assert self.game.board.tiles[event.hex] == event.kind
        assert event.kind in draft.stock[event.place]
        lasting = self.ground.lasting(draft.seats[event.player])
        assert self.ground.near[event.hex] & lasting, "no piece that stays has come there"
        assert key not in self.takers, "two tiles from one place"
        self.takers.add(key)
        self.holdings[key] = (event.kind, self.turn)
        self.seen[f"took {kind.id}"] += 1

    def lost(self, draft: Draft, event: facts.Lost) -> None:
        kind, taken_in = self.holdings.pop((event.player, event.hex))
        assert kind == event.kind
        self.gone[event.hex] += 1
        if self.tiles[kind].place == "nomad" and self.tiles[kind].id != "treasure":
            assert self.turn == taken_in + self.game.players, "not the turn after it was taken"

    def stocked(self, draft: Draft, event: facts.Stocked) -> None:
        """What lies on a place again is not gone, and what was taken off it is."""
        self.gone[event.hex] -= event.number
        assert self.game.board.tiles[event.hex] == event.kind and self.gone[event.hex] >= 0

    def used(self, draft: Draft, event: facts.Used) -> None:
        assert event.player == draft.active
        if event.kind >= 0:
            name = self.tiles[event.kind].id
            self.uses_left[event.kind] -= 1
            assert self.uses_left[event.kind] >= 0, f"{name} is used too often"
        else:
            name = self.actions[event.action]
            assert not self.done[f"use {name}"], "once a turn"
        self.done[f"use {name}"] += 1
        self.seen[f"used {name}"] += 1

    def count(self) -> None:
        """One more deed of the rule whose move this is."""
        rule = self.move.rule
        self.done[f"did {rule}"] += 1
        uses = self.done[f"use {rule}"] + self.done["use bazaar"]
        if rule == "silos":
            uses = 3 * self.ground.of["silo"].bit_count() * self.game.players
        assert self.done[f"did {rule}"] <= most_of(rule) * uses, rule

    # turns, gold

    def turn_started(self, draft: Draft, event: facts.TurnStarted) -> None:
        self.turn += 1
        self.turns[event.player] += 1
        assert event.player == self.turn % self.game.players
        assert self.ended_in < 0 or self.turn // self.game.players == self.ended_in
        self.done.clear()
        self.uses_left = Counter(tile.kind for tile in draft.seats[event.player].tiles)

    def turn_ended(self, draft: Draft, event: facts.TurnEnded) -> None:
        """Whoever's turn it was holds as many cards as they may, if there were so many."""
        assert event.player == self.turn % self.game.players
        seat = draft.seats[event.player]
        hand, held = len(seat.hand), [self.tiles[tile.kind].id for tile in seat.tiles]
        due = self.game.ruleset.catalog.numbers["hand"] + held.count("crossroads")
        due += self.done["further cards"] if "crossroads" in held else 0
        assert hand == due or (hand < due and not sum(draft.piles[0]) + sum(draft.piles[1]))

    def gained(self, draft: Draft, event: facts.Gained) -> None:
        assert event.gold > 0 and self.game.ruleset.rule(event.rule) is not None
        self.gold[event.player] += event.gold
        self.seen["gained"] += 1

    def last_round(self, draft: Draft, event: facts.LastRound) -> None:
        assert self.ended_in < 0 and draft.seats[event.player].supply[0] == 0
        self.ended_in = self.turn // self.game.players

    # what is held

    def size(self, piece: int) -> int:
        return 7 if self.pieces[piece].id == "hall" else 1


CHECKS: Mapping[type, Callable[[Ledger, Draft, Any], None]] = {
    facts.Built: Ledger.built,
    facts.Placed: Ledger.placed,
    facts.Moved: Ledger.moved,
    facts.Removed: Ledger.removed,
    facts.Took: Ledger.took,
    facts.Lost: Ledger.lost,
    facts.Stocked: Ledger.stocked,
    facts.Used: Ledger.used,
    facts.Gained: Ledger.gained,
    facts.TurnStarted: Ledger.turn_started,
    facts.TurnEnded: Ledger.turn_ended,
    facts.LastRound: Ledger.last_round,
}
