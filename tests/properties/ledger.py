"""A ledger of one game: every event is checked before it happens, and added up.

The laws of single events stand here; those of whole positions in `mixed_laws`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from kbrules.engine.game import Game
from kbrules.game import events as facts
from kbrules.game.events import Event, take_pieces
from kbrules.game.moves import Move
from kbrules.game.state import FRESH, READY, Draft, State, draft_of
from kbrules.hex.sets import Mask
from tests.properties.ground import FREELY, Ground
from tests.properties.twins import REACTION, OffBoard, Reactions, Silos

MOST = {
    "mandatory": 3, "quarry": 2, "resettlement": 4, "wagon_yard": 3, "lighthouse": 3,
    "scout_cabin": 2, "cathedral": 40,
}  # fmt: skip
STEPS = ("resettlement", "wagon_yard", "lighthouse", "refuge")
REPEATING = "bazaar"


def most_of(rule: str) -> int:
    """How many pieces one use of an action may build, place, move or take back."""
    return 3 if rule.startswith("donation") else MOST.get(rule, 1)


Decided = tuple[int, Move, str]
"""Who decided, the move, and the path of what it begins."""


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
        self.off_board = OffBoard(game, self.ground)
        self.reactions = Reactions(game, self.ground)
        self.silos = Silos(self.ground)
        self.bonuses: set[tuple[int, int]] = set()
        self.mover = -1
        self.anew = False
        self.is_turn_over = False
        self.ended_in = -1
        self.ran_out = False
        self.seen: Counter[str] = Counter()
        self.move = Move("", "")

    def supply_of(self, piece: int) -> int:
        """How many of a piece of nobody there are."""
        of = self.pieces[piece]
        return of.supply if of.neutral else 0

    def follow(self, draft: Draft, decided: Decided, events: tuple[Event, ...]) -> None:
        """Check the events of a move one by one, and fold them into the draft."""
        self.mover, self.move, path = decided
        self.anew |= self.move.verb == "use" and self.move.rule in ("wagon_yard", "lighthouse")
        self.reactions.decided(draft, self.move, self.mover)
        self.silos.decided(draft, self.move, self.mover, path)
        self.begun(draft, self.actions.get(path, ""))
        for event in events:
            self.off_board.see(draft, event, self.move, self.mover)
            self.reactions.see(draft, event)
            check = CHECKS.get(type(event))
            if check is not None:
                check(self, draft, event)
            event.fold(draft)
            if not self.ran_out:
                self.ran_out = any(seat.supply[0] == 0 for seat in draft.seats)

    # pieces

    def built(self, draft: Draft, event: facts.Built) -> None:
        assert event.player == self.mover and self.move.verb == "build"
        assert event.hex == self.move.hex
        assert self.pieces[event.piece].id == "settlement"
        self.count(draft)
        self.settles(draft, event.hex, self.open(draft), event.strayed)

    def placed(self, draft: Draft, event: facts.Placed) -> None:
        piece, hexes = self.pieces[event.piece], event.hexes
        self.count(draft)
        assert self.mover == draft.active
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
        lands = self.ground.lands(draft, self.move.rule, self.mover, is_wagon)
        return [free & land for land in lands]

    def settles(self, draft: Draft, hex: int, open: list[Mask], strayed: bool) -> None:
        """A piece comes to free land, next to others of its owner if any such hex is free."""
        fitting = [land for land in open if land >> hex & 1]
        assert fitting, f"not free, or not the ground of {self.move.rule}"
        mine = draft.seats[self.mover].all
        near = self.ground.around(mine)
        next_to_own = bool(near >> hex & 1) or any(not land & near for land in fitting)
        if not strayed:
            assert next_to_own or self.is_waived(draft), "there was room beside its own"
        elif not self.is_first_of_temple(draft):
            self.strays(draft)

    def is_waived(self, draft: Draft) -> bool:
        """Whether more than one rule lets the piece stray, so that none of them is told."""
        return self.is_first_of_temple(draft) and self.ground.holds(draft, self.mover, "outpost")

    def is_first_of_temple(self, draft: Draft) -> bool:
        """Whether this is the first build of the mandatory action of a holder of the bonus."""
        is_first = self.move.rule == "mandatory" and self.done["did mandatory"] == 1
        return is_first and self.ground.holds(draft, self.mover, "temple_bonus")

    def strays(self, draft: Draft) -> None:
        seat = draft.seats[self.mover]
        ready = [self.tiles[t.kind].id for t in seat.tiles if t.status == READY]
        assert "outpost" in ready, "no outpost to stray by"
        held = [self.tiles[t.kind].id for t in seat.tiles if t.status != FRESH]
        self.done["strays"] += 1
        assert self.done["strays"] <= held.count("outpost"), "an outpost serves once"

    def moved(self, draft: Draft, event: facts.Moved) -> None:
        player, piece, origin, hex = event
        rule = self.move.rule
        assert player == self.mover == draft.active
        assert self.size(piece) == 1
        assert piece != self.ground.scout or self.done["repeat scout_cabin"]
        assert draft.seats[player].pieces[piece] >> origin & 1
        assert hex != origin or self.ground.option("null_moves")
        self.count(draft)
        lifted = draft_of(draft)
        take_pieces(lifted, player, piece, 1 << origin)
        fitting = [land for land in self.open(lifted, rule == "wagon_yard") if land >> hex & 1]
        assert fitting, f"not free, or not the ground of {self.move.rule}"
        mine = (lifted if self.ground.option("lift_first") else draft).seats[player].all
        if (rule not in FREELY or self.anew) and not self.ground.near[hex] & mine:
            near = self.ground.around(mine)
            assert any(not land & near for land in fitting), "there was room beside its own"
        self.goes_as_its_action_says(draft, rule, origin, hex)

    def goes_as_its_action_says(self, draft: Draft, rule: str, origin: int, hex: int) -> None:
        """How far a piece goes, and from where to where."""
        if self.anew:
            assert self.done[f"repeat {rule}"], "placed anew without a repetition"
            self.anew = False
        elif rule in STEPS:
            assert self.ground.near[origin] >> hex & 1, "more than a step"
        elif rule == "paddock":
            assert self.ground.grid.distance(origin, hex) in (0, 2)
        elif rule == "cave_walk":
            caves = self.ground.caves(draft)
            assert self.ground.near[origin] & caves and self.ground.near[hex] & caves, "no cave"
        elif rule == "palisade":
            assert self.ground.near[hex] & self.kin(draft, origin), "beside another group"
        elif rule == "refuge_bonus":
            assert hex in self.next_ones(draft, origin), "not the next hex of its direction"

    def kin(self, draft: Draft, origin: int) -> Mask:
        """What is left of the group of a piece, by walking from hex to hex."""
        mine, found, edge = draft.seats[self.mover].all, 0, 1 << origin
        while edge:
            found |= edge
            edge = self.ground.around(edge) & mine & ~found
        return found & ~(1 << origin)

    def next_ones(self, draft: Draft, origin: int) -> set[int]:
        """In each direction the first hex where the piece could stand."""
        lifted = draft_of(draft)
        take_pieces(lifted, self.mover, self.kind_at(draft, origin), 1 << origin)
        free, grid = self.ground.free(lifted) & self.ground.buildable, self.ground.grid
        found: set[int] = set()
        for direction in range(6):
            step = grid.shift(1 << origin, direction) & grid.full
            while step and not step & free:
                step = grid.shift(step, direction) & grid.full
            found |= {step.bit_length() - 1} if step else set()
        return found

    def kind_at(self, draft: Draft, hex: int) -> int:
        pieces = enumerate(draft.seats[self.mover].pieces)
        return next(kind for kind, mask in pieces if mask >> hex & 1)

    def removed(self, draft: Draft, event: facts.Removed) -> None:
        assert event.player >= 0 and self.size(event.piece) == 1
        assert draft.seats[event.player].pieces[event.piece] & event.hexes == event.hexes
        assert self.mover in (draft.active, -1)
        if event.piece == self.ground.scout:
            assert event.player == draft.active and self.is_turn_over
            return
        if event.player == draft.active:
            assert self.pieces[event.piece].id != "settlement"
            self.count(draft)
            return
        assert self.move.rule == "sword" and self.move.hex == event.hex
        kind = self.pieces[event.piece].id
        assert kind == "settlement" or self.ground.option("sword_takes_any")
        self.done[f"sword against {event.player}"] += 1
        assert self.done[f"sword against {event.player}"] <= self.done["use sword"]

    # tiles

    def took(self, draft: Draft, event: facts.Took) -> None:
        kind, key = self.tiles[event.kind], (event.player, event.hex)
        assert self.game.board.tiles[event.hex] == event.kind
        assert event.kind in draft.stock[event.place]
        assert self.ground.near[event.hex] & self.ground.lasting(draft, event.player)
        assert key not in self.takers, "two tiles from one place"
        self.takers.add(key)
        self.holdings[key] = (event.kind, self.turn)
        self.seen[f"took {kind.id}"] += 1

    def received(self, draft: Draft, event: facts.Received) -> None:
        """A bonus tile comes with the second tile of a kind, once."""
        bonus = self.tiles[event.kind]
        twins = [self.tiles[t.kind].id for t in draft.seats[event.player].tiles]
        assert bonus.kind == "bonus" and twins.count(bonus.id.removesuffix("_bonus")) == 2
        assert (event.player, event.kind) not in self.bonuses
        self.bonuses.add((event.player, event.kind))
        self.seen[f"took {bonus.id}"] += 1

    def lost(self, draft: Draft, event: facts.Lost) -> None:
        if event.hex < 0:
            self.bonuses.remove((event.player, event.kind))
            assert self.ground.option("bonus_lost")
            return
        kind, taken_in = self.holdings.pop((event.player, event.hex))
        assert kind == event.kind
        self.gone[event.hex] += 1
        if self.tiles[kind].place == "nomad" and self.tiles[kind].id != "treasure":
            rounds = self.turn // self.game.players - taken_in // self.game.players
            assert rounds == 1, "not the round after it was taken"
            assert event.player == self.turn % self.game.players

    def stocked(self, draft: Draft, event: facts.Stocked) -> None:
        """What lies on a place again is not gone, and what was taken off it is."""
        self.gone[event.hex] -= event.number
        assert self.game.board.tiles[event.hex] == event.kind and self.gone[event.hex] >= 0

    def begun(self, draft: Draft, name: str) -> None:
        """An action begins; one that is repeated is a location tile's, of an earlier turn."""
        if not name:
            return
        self.done[f"begin {name}"] += 1
        if self.is_repeating():
            assert name not in (REPEATING, REACTION)
            assert self.ground.holds(draft, self.mover, name), f"{name} may not be repeated"
            kind = self.ground.tiles.index(name)
            assert self.tiles[kind].place == "location", f"{name} may not be repeated"
            self.done["repeated"] += 1
            self.done[f"repeat {name}"] += 1

    def is_repeating(self) -> bool:
        """Whether the next action to begin is one more use of a tile."""
        return self.done["repeated"] < self.done[f"use {REPEATING}"]

    def used(self, draft: Draft, event: facts.Used) -> None:
        assert event.player == self.mover
        if event.kind >= 0:
            name = self.tiles[event.kind].id
            if name != REACTION:
                assert event.player == draft.active
                self.uses_left[event.kind] -= 1
                assert self.uses_left[event.kind] >= 0, f"{name} is used too often"
        else:
            name = self.actions[event.action]
            assert not self.done[f"use {name}"], "once a turn"
        self.done[f"use {name}"] += 1
        self.seen[f"used {name}"] += 1
        if name not in ("outpost", REACTION):
            begun = self.done[f"begin {name}"] - self.done[f"repeat {name}"]
            assert self.done[f"use {name}"] == begun, "used without being begun"

    def count(self, draft: Draft) -> None:
        """One more deed of the rule whose move this is."""
        rule = self.move.rule
        self.done[f"did {rule}"] += 1
        if rule == "silos":
            assert draft.stage[0] == "finish"
            return
        most = self.due(draft) if rule == "mandatory" else most_of(rule)
        uses = self.done[f"use {rule}"] if rule == REACTION else self.done[f"begin {rule}"]
        assert self.done[f"did {rule}"] <= most * uses, rule

    def due(self, draft: Draft) -> int:
        """How many the mandatory action builds; where its first build comes to settles that."""
        swamp = self.ground.of.get("swamp", 0)
        if self.done["did mandatory"] == 1 and swamp:
            self.done["began on swamp"] = int(self.ground.shown(draft) == [swamp])
        return 3 - self.done["began on swamp"] + self.off_board.owed[self.mover]

    # turns, gold

    def turn_started(self, draft: Draft, event: facts.TurnStarted) -> None:
        self.turn += 1
        self.turns[event.player] += 1
        assert event.player == self.turn % self.game.players
        assert self.ended_in < 0 or self.turn // self.game.players == self.ended_in
        assert not any(self.is_scouting(draft, player) for player in range(self.game.players))
        self.is_turn_over = False
        self.done.clear()
        self.uses_left = Counter(tile.kind for tile in draft.seats[event.player].tiles)

    def turn_ended(self, draft: Draft, event: facts.TurnEnded) -> None:
        """Whoever's turn it was holds as many cards as they may, if there were so many."""
        assert event.player == self.turn % self.game.players
        self.is_turn_over = True
        seat = draft.seats[event.player]
        hand, held = len(seat.hand), [self.tiles[tile.kind].id for tile in seat.tiles]
        due = self.game.ruleset.catalog.numbers["hand"] + held.count("crossroads")
        due += self.done["repeat crossroads"]
        assert hand == due or (hand < due and not sum(draft.piles[0]) + sum(draft.piles[1]))

    def gained(self, draft: Draft, event: facts.Gained) -> None:
        assert event.gold > 0 and self.game.ruleset.rule(event.rule) is not None
        self.gold[event.player] += event.gold
        self.seen["gained"] += 1

    def last_round(self, draft: Draft, event: facts.LastRound) -> None:
        assert self.ended_in < 0 and draft.seats[event.player].supply[0] == 0
        stored = self.off_board.away[event.player] + self.off_board.waiting[event.player]
        is_late = stored and self.ground.option("temple_delays_end")
        assert not is_late, "what is laid aside is still to be built"
        self.ended_in = self.turn // self.game.players

    def is_scouting(self, draft: State, player: int) -> bool:
        """Whether a player has a scout on the board."""
        return draft.seats[player].all != self.ground.lasting(draft, player)

    # what is held

    def size(self, piece: int) -> int:
        return 7 if self.pieces[piece].id == "hall" else 1


CHECKS: Mapping[type, Callable[[Ledger, Draft, Any], None]] = {
    facts.Built: Ledger.built,
    facts.Placed: Ledger.placed,
    facts.Moved: Ledger.moved,
    facts.Removed: Ledger.removed,
    facts.Took: Ledger.took,
    facts.Received: Ledger.received,
    facts.Lost: Ledger.lost,
    facts.Stocked: Ledger.stocked,
    facts.Used: Ledger.used,
    facts.Gained: Ledger.gained,
    facts.TurnStarted: Ledger.turn_started,
    facts.TurnEnded: Ledger.turn_ended,
    facts.LastRound: Ledger.last_round,
}
