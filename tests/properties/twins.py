"""What lies off the board, reactions and silos, said a second time in Python."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game import events as facts
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.state import Draft, State
from kbrules.hex.sets import Mask
from tests.properties.ground import EITHER, Ground

PAID_BY_ACTIONS = {"mayors", "rovers"}
"""Cards that pay for what was done: here it is added up, and in every game what they pay is so."""


class OffBoard:
    """Each count is kept by what happened, and held against what the state says."""

    def __init__(self, game: Game, ground: Ground) -> None:
        self.game, self.ground = game, ground
        self.away, self.owed, self.waiting = ([0] * game.players for _ in range(3))
        self.paid, self.blocks = [0] * game.players, [0] * game.players
        self.rows: list[list[Mask]] = [[] for _ in range(game.players)]
        self.struck: frozenset[int] = frozenset()
        self.built = self.due = 0
        self.names: dict[tuple[bool, int], str] = {}
        for name, (scope, slot) in game.ruleset.memories.items():
            self.names[scope == "table", slot] = name

    def see(self, draft: Draft, event: Event, move: Move, mover: int) -> None:
        """One event, before it happens."""
        match event:
            case facts.TurnStarted():
                assert not self.due, "the rovers were not paid"
                self.built = 0
                assert self.waiting[event.player] == 0, "still on the temple"
                self.owed[event.player] = self.waiting[event.player] = self.away[event.player]
                self.away[event.player] = 0
            case facts.TurnEnded():
                self.due = self.sectors() if "rovers" in self.game.cards else 0
            case facts.Gained(rule="rovers"):
                assert event.gold == self.due and event.player == draft.active
                self.due = 0
            case facts.Built() | facts.Placed():
                self.came(draft, event, move, mover)
            case facts.Stored():
                assert (move.rule, event.piece, event.player) == ("temple", 0, mover)
                self.away[event.player] += 1
            case facts.Supplied():
                self.supplied(draft, event, move)
            case facts.Remembered():
                self.remembered(draft, event, move, mover)
            case facts.Took() | facts.Lost():
                self.tile(event)
            case facts.Struck(cards=kinds):
                self.strike(kinds)
            case facts.Drew(card=card) | facts.Revealed(card=card):
                assert card not in self.struck, "a card that left the game"

    def sectors(self) -> int:
        """In how many sectors the player has built in this turn."""
        return sum(bool(self.built & sector) for sector in self.game.board.sectors)

    def came(self, draft: Draft, event: facts.Built | facts.Placed, move: Move, mover: int) -> None:
        """A piece came; a block is given back for a settlement of the cathedral."""
        if move.rule == "cathedral":
            self.blocks[mover] -= 1
            assert self.blocks[mover] >= 0, "no block to give back"
        if event.player != draft.active or draft.stage[0] != "turn":
            return
        if isinstance(event, facts.Built):
            self.built |= 1 << event.hex
        elif event.piece != self.ground.scout and self.ground.option("rovers_count_placing"):
            self.built |= event.hexes

    def supplied(self, draft: Draft, event: facts.Supplied, move: Move) -> None:
        """What was laid aside comes back with the mandatory action, or when the turn is over.

        A marked row costs one settlement.
        """
        assert event.piece == 0
        if event.number > 0:
            assert event.number == self.waiting[event.player], "not what the temple owes"
            assert move.rule == "mandatory" or draft.stage[0] == "turn over", "too soon"
            self.waiting[event.player] = 0
        else:
            assert (event.number, move.verb, move.rule) == (-1, "mark", "mayors")
            self.paid[event.player] += 1

    def remembered(self, draft: Draft, event: facts.Remembered, move: Move, mover: int) -> None:
        """Blocks that are taken, and rows that are marked."""
        name = self.names[event.player < 0, event.slot]
        if name == "blocks" and (move.rule, move.verb) == ("cathedral", "use"):
            assert event.value == self.blocks[mover] + 1
            self.blocks[mover] += 1
        if name != "marked":
            return
        assert (move.verb, move.rule, event.player) == ("mark", "mayors", mover)
        assert self.ground.option("mayors_at_silos") or draft.stage[0] == "turn"
        row = next(row for row in self.game.board.grid.rows() if row >> move.hex & 1)
        assert row not in [row for rows in self.rows for row in rows], "a row is marked once"
        mine = self.ground.lasting(draft, mover) & row
        if self.ground.option("mayors_in_line"):
            mine &= mine >> 1 & mine >> 2 & mine >> 3
            assert mine, "no four in a line"
        else:
            assert mine.bit_count() >= 4, "fewer than four on a row"
        self.rows[mover].append(row)

    def tile(self, event: facts.Took | facts.Lost) -> None:
        """The first block comes with the tile, and all of them go with it."""
        if self.ground.tiles[event.kind] == "cathedral":
            took = isinstance(event, facts.Took)
            lost = 0 if self.ground.option("blocks_lost") else self.blocks[event.player]
            self.blocks[event.player] = self.blocks[event.player] + 1 if took else lost

    def strike(self, kinds: tuple[int, ...]) -> None:
        """All cards that show one terrain, swamp card and all, and not those that show swamp."""
        deck = self.game.ruleset.catalog.deck
        assert "scouts" in self.game.cards and not self.struck
        (gone,) = set.intersection(*({*deck[card].terrains} for card in kinds))
        assert self.game.ruleset.catalog.hexes[gone].id != "swamp"
        assert [*kinds] == [i for i, card in enumerate(deck) if gone in card.terrains]
        self.struck = frozenset(kinds)

    def check(self, state: State) -> None:
        """Between two moves the state says the same, but for what is half done."""
        for player in range(self.game.players):
            if len(state.stack) <= 1:
                self.agrees(state, player, "away", self.away)
                self.agrees(state, player, "blocks", self.blocks)
                assert self.paid[player] == len(self.rows[player]), "a settlement for each row"
        assert not {*state.shown} & self.struck, "a card that left the game"

    def agrees(self, state: State, player: int, name: str, mine: list[int]) -> None:
        """A memory holds what was counted here; there is none where its box is not loaded."""
        if name in self.game.ruleset.memories:
            slot = self.game.ruleset.memories[name][1]
            assert state.seats[player].memory[slot] == mine[player], name


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
