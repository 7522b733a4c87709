"""The laws of a whole game over any mix of boxes; each fails if it is broken.

`Laws` looks at every position and every event of one game, from its start to its end.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.state import ZONES, Seat, State, draft_of
from tests.properties.ledger import Ledger

NO_CARDS = {
    "active", "beside", "cache", "choice", "cut", "ending", "firings", "further", "memory",
    "neutral", "occupied", "piles", "retired", "revealed", "seats", "stack", "stage", "stock",
    "used",
}  # fmt: skip
NO_HAND = {"pieces", "all", "supply", "tiles", "memory", "gold"}
ON_TABLE = tuple(name for name in State.__slots__ if name not in NO_CARDS)
HELD = tuple(name for name in Seat._fields if name not in NO_HAND)
"""Wherever cards lie one by one; a zone that is new to these laws is taken for one of them."""
FACTS = tuple(
    name
    for name in State.__slots__
    if name not in {"active", "cache", "firings", "further", "stack", "stage", "ending"}
)


WITH_BONUS = ("temple", "refuge", "canoe", "fountain")
IN_ANOTHERS_TURN = {"canoe", "mayors"}
"""What a player may be asked when it is not their turn: to react, and to mark a row by that."""


class Laws:
    """The laws of one game, to be asked at every step of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ledger = Ledger(game)
        self.deck = tuple(card.count for card in game.ruleset.catalog.deck)
        self.known: list[Seat | None] = [None] * game.players
        self.changes = (-1, -1, -1)
        self.cards: Any = None
        self.stock: Any = None
        self.turn = -1
        self.begun = False

    def begin(self, state: State) -> None:
        """The position before the first decision; what led there is not told."""
        self.begun = True
        self.check_position(state, self.game.legal_moves(state))

    def step(self, before: State, move: Move, step: Transition) -> None:
        """All that must hold of a move, of what it led to, and of what was between."""
        if not self.begun:
            self.begin(before)
        draft, moves = draft_of(before), self.game.legal_moves(before)
        group = moves.group_of(move)
        assert group is not None
        self.ledger.follow(draft, (moves.player, move, group.path), step.events)
        for name in FACTS:
            assert getattr(draft, name) == getattr(step.state, name), f"{name} without an event"
        assert draft.ending == step.state.ending
        self.check_position(step.state, self.game.legal_moves(step.state))

    def check_position(self, state: State, moves: MoveSet) -> None:
        """All that must hold between two moves; what is as it was is not looked at again."""
        self.turns_are_in_order(state, moves)
        self.pieces_lie_apart(state)
        self.ledger.off_board.check(state)
        cards = state.piles, [getattr(state, name) for name in ON_TABLE], self.hands(state)
        if cards != self.cards:
            self.cards = cards
            self.cards_are_conserved(state)
        changed = state.stock != self.stock
        self.stock = state.stock
        is_new_turn, self.turn = self.ledger.turn != self.turn, self.ledger.turn
        for player, seat in enumerate(state.seats):
            if is_new_turn:
                self.places_of_tiles_are_touched(seat)
            if changed or seat is not self.known[player]:
                self.known[player] = seat
                self.pieces_are_conserved(player, seat)
                self.tiles_are_held_rightly(state, player, seat)
                assert seat.gold == self.ledger.gold[player]
        changes = self.ledger.turn, len(self.ledger.takers), len(self.ledger.holdings)
        if changed or changes != self.changes:
            self.changes = changes
            self.tiles_are_conserved(state)

    def hands(self, state: State) -> list[tuple[int, ...]]:
        """Every set of cards that belongs to a player."""
        return [getattr(seat, name) for seat in state.seats for name in HELD]

    def cards_are_conserved(self, state: State) -> None:
        held = Counter[int]()
        for name in ON_TABLE:
            held.update(getattr(state, name))
        for hand in self.hands(state):
            held.update(hand)
        assert len(state.piles) == len(ZONES)
        shown = {t for card in state.shown for t in self.game.ruleset.catalog.deck[card].terrains}
        assert state.choice < 0 or state.choice in shown, "no card shows the chosen terrain"
        for card, pile in enumerate(zip(*state.piles, strict=True)):
            assert min(pile) >= 0 and sum(pile) + held[card] == self.deck[card], "cards"

    def pieces_lie_apart(self, state: State) -> None:
        found = count = 0
        for mask in (*(seat.all for seat in state.seats), *state.neutral):
            found |= mask
            count += mask.bit_count()
        assert count == found.bit_count(), "two pieces on one hex"
        assert found == state.occupied
        assert found & self.ledger.ground.special == 0, "a piece on a place"
        assert found & ~self.game.board.grid.full == 0
        for piece, mask in enumerate(state.neutral):
            of = self.game.ruleset.catalog.pieces[piece]
            left = self.ledger.walls[piece]
            assert left >= 0 and mask.bit_count() + left == (of.supply if of.neutral else 0)
            assert mask & ~self.ledger.ground.buildable == 0, "a wall on no buildable ground"

    def pieces_are_conserved(self, player: int, seat: Seat) -> None:
        """Of settlements some may be laid aside, and some have marked rows."""
        off_board = self.ledger.off_board
        found = 0
        for piece, (mask, left) in enumerate(zip(seat.pieces, seat.supply, strict=True)):
            of, size = self.game.ruleset.catalog.pieces[piece], self.ledger.size(piece)
            assert left >= 0 and found & mask == 0
            gone = off_board.away[player] + off_board.waiting[player] + off_board.paid[player]
            elsewhere = gone if piece == 0 else 0
            due = 0 if of.neutral else size * of.supply - elsewhere
            assert mask.bit_count() + size * left == due
            assert size == 1 or self.is_star(mask), "a hall is seven hexes in a star"
            found |= mask
        assert found == seat.all

    def is_star(self, mask: int) -> bool:
        """Whether nothing is there, or one hex with all its six neighbours."""
        near = self.ledger.ground.near
        return not mask or any(
            mask == around | 1 << hex for hex, around in near.items() if around.bit_count() == 6
        )

    def tiles_are_held_rightly(self, state: State, player: int, seat: Seat) -> None:
        """Whoever stands at a place with tiles has had one of them; a place left takes it back."""
        ledger, board = self.ledger, self.game.board
        placed = [tile for tile in seat.tiles if tile.origin >= 0]
        held = {(player, tile.origin): tile.kind for tile in placed}
        assert len(held) == len(placed), "two tiles from one place"
        told = {key: kind for key, (kind, _) in ledger.holdings.items() if key[0] == player}
        assert held == told
        for place, left in zip(board.places, state.stock, strict=True):
            if left and ledger.ground.near[place] & ledger.ground.lasting(state, player):
                self.tile_was_taken(player, place)
        options = self.game.options
        if options.get("lost_at_once", True) and options.get("each_step_counts", True):
            self.places_of_tiles_are_touched(seat)
        self.bonuses_are_held_rightly(player, seat)

    def places_of_tiles_are_touched(self, seat: Seat) -> None:
        """Tiles are lost with their places; by options that may wait until the turn is over."""
        for tile in seat.tiles:
            is_nomad = self.ledger.tiles[tile.kind].place == "nomad"
            touches = tile.origin < 0 or bool(self.ledger.ground.near[tile.origin] & seat.all)
            assert touches or is_nomad, "its place is left"

    def bonuses_are_held_rightly(self, player: int, seat: Seat) -> None:
        """A bonus tile is held with two tiles of its kind, by the option also with one or none."""
        ledger = self.ledger
        kinds = [ledger.tiles[tile.kind].id for tile in seat.tiles]
        told = {ledger.tiles[kind].id for owner, kind in ledger.bonuses if owner == player}
        bonuses = {id for id in kinds if id.endswith("_bonus")}
        twice = {f"{id}_bonus" for id in WITH_BONUS if kinds.count(id) == 2}
        assert bonuses == told and sum(id in bonuses for id in kinds) == len(bonuses)
        assert bonuses == twice if ledger.ground.option("bonus_lost") else bonuses >= twice

    def tile_was_taken(self, player: int, place: int) -> None:
        assert (player, place) in self.ledger.takers, "a tile was not taken"

    def tiles_are_conserved(self, state: State) -> None:
        ledger, board = self.ledger, self.game.board
        held = Counter(hex for _, hex in ledger.holdings)
        for place, left in zip(board.places, state.stock, strict=True):
            kind = board.tiles[place]
            each = ledger.tiles[kind].each
            assert len(left) + held[place] + ledger.gone[place] == each, "tiles"
            assert left == (kind,) * len(left)
        for kind, taken_in in ledger.holdings.values():
            if ledger.tiles[kind].place == "nomad":
                rounds = ledger.turn // self.game.players - taken_in // self.game.players
                assert rounds <= 1, "a nomad tile for too long"
                assert ledger.tiles[kind].id != "treasure"

    def turns_are_in_order(self, state: State, moves: MoveSet) -> None:
        """Who is asked, and that somebody is as long as the game goes on."""
        assert state.is_over == (not moves)
        if moves.player != CHANCE:
            rules = {group.rule for group in moves.groups}
            assert moves.player == state.active or rules <= IN_ANOTHERS_TURN
            kinds = {(group.verb, group.rule, group.path) for group in moves.groups}
            count = sum(group.hexes.bit_count() or 1 for group in moves.groups)
            assert len({*moves}) == count, "a move is offered twice"
            assert not kinds & {("end", "turn", "")} or all(
                group.rule != "mandatory" for group in moves.groups
            )
        if state.stage[0] == "turn":
            assert state.stage[1] == self.ledger.turn
            assert state.active == self.ledger.turn % self.game.players

    def end(self, state: State) -> None:
        """The game ended when it should, all having had as many turns, and somebody won."""
        ledger, players = self.ledger, self.game.players
        assert state.is_over and state.ending and ledger.ran_out
        assert ledger.turn == (ledger.ended_in + 1) * players - 1, "not the last of its round"
        assert set(ledger.turns.values()) == {ledger.turn // players + 1}
        sheet: Any = self.game.score(state)
        assert sheet.winners and sheet.gained == tuple(ledger.gold)
        assert not ledger.off_board.due, "the rovers were not paid"
        assert bool(ledger.off_board.struck) == ("scouts" in self.game.cards), "a terrain must go"
        for player, total in enumerate(sheet.totals):
            assert (player in sheet.winners) == (total == max(sheet.totals))
            lines = {line.rule: line.gold for line in sheet.lines[player]}
            assert all(gold >= 0 for gold in lines.values())
            assert total == sum(lines.values()) + ledger.gold[player]
            assert lines["castles"] == 3 * self.castles(state, player)
            assert "noblewomen" not in self.game.cards or not lines.get("palaces"), "paid twice"
            assert lines.get("mayors", 0) == 4 * len(ledger.off_board.rows[player])
            assert not ledger.is_scouting(state, player), "a scout is scored"

    def castles(self, state: State, player: int) -> int:
        near, castles = self.ledger.ground.around(state.seats[player].all), "castle"
        return (near & self.ledger.ground.of[castles]).bit_count()
