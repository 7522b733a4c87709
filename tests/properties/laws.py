"""Laws of a state, and of what one move may change. Each fails if it is broken."""

from __future__ import annotations

from collections import Counter

from kbrules.engine.game import Game
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.state import FRESH, READY, State, draft_of

BUILDS = 3


def check_state(game: Game, state: State) -> None:
    """Everything that must hold at any moment of a game that began with set-up."""
    pieces_are_conserved(game, state)
    pieces_lie_apart(game, state)
    cards_are_conserved(game, state)
    tiles_are_conserved(game, state)
    offers_keep_the_turn(game, state)


def pieces_are_conserved(game: Game, state: State) -> None:
    for seat in state.seats:
        for piece, mask, left in zip(
            game.ruleset.catalog.pieces, seat.pieces, seat.supply, strict=True
        ):
            assert left >= 0
            assert mask.bit_count() + left == piece.supply


def pieces_lie_apart(game: Game, state: State) -> None:
    board = game.board
    found = 0
    for mask in (*(mask for seat in state.seats for mask in seat.pieces), *state.neutral):
        assert mask & found == 0, "two pieces on one hex"
        found |= mask
    assert found == state.occupied
    assert found & ~board.grid.full == 0
    assert found & board.tagged["special"] == 0, "a piece on a place"
    for seat in state.seats:
        assert seat.all == sum(seat.pieces)


def cards_are_conserved(game: Game, state: State) -> None:
    held = Counter(card for seat in state.seats for card in seat.hand) + Counter(state.shown)
    for index, card in enumerate(game.ruleset.catalog.deck):
        piles = [pile[index] for pile in state.piles]
        assert min(piles) >= 0
        assert sum(piles) + held[index] == card.count
    assert held.total() + sum(map(sum, state.piles)) == 25
    assert all(len(seat.hand) <= 1 for seat in state.seats) and len(state.shown) <= 1


def tiles_are_conserved(game: Game, state: State) -> None:
    """What is gone from a place was taken by so many different players, each once."""
    slot = game.ruleset.memories["visited"][1]
    for place, left in zip(game.board.places, state.stock, strict=True):
        kind = game.board.tiles[place]
        takers = [seat for seat in state.seats if seat.memory[slot] >> place & 1]
        assert len(left) + len(takers) == game.ruleset.catalog.tiles[kind].each
        assert set(left) <= {kind}
    for seat in state.seats:
        origins = [tile.origin for tile in seat.tiles]
        assert len(set(origins)) == len(origins), "two tiles from one place"
        for tile in seat.tiles:
            assert game.board.tiles[tile.origin] == tile.kind
            assert seat.memory[slot] >> tile.origin & 1
            touching = game.board.grid.neighbours(1 << tile.origin) & seat.all
            assert touching, "a tile is kept though no piece touches its place"


def offers_keep_the_turn(game: Game, state: State) -> None:
    """Who is asked, and with what: no tile that is new or used, no end before what is required."""
    moves = game.legal_moves(state)
    assert state.is_over == (len(moves) == 0)
    if state.is_over or moves.player == CHANCE:
        return
    assert moves.player == state.active
    verbs = {(group.verb, group.rule) for group in moves.groups}
    assert len(verbs) == len(moves.groups)
    assert not {("end", "turn"), ("build", "mandatory")} <= verbs
    if ("end", "turn") in verbs or ("build", "mandatory") in verbs:
        only_ready_tiles(game, state, {rule for _, rule in verbs} - {"mandatory", "turn"})


def only_ready_tiles(game: Game, state: State, offered: set[str]) -> None:
    catalog = game.ruleset.catalog
    names = {catalog.tiles[t.kind].id for t in state.seats[state.active].tiles if t.status == READY}
    assert offered <= names, "a tile that may not be used"
    fresh = {catalog.tiles[t.kind].id for t in state.seats[state.active].tiles if t.status == FRESH}
    assert not offered & (fresh - names)


def check_step(game: Game, before: State, move: Move, after: State) -> None:
    """What a move may change on the board."""
    me = game.legal_moves(before).player
    for player, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        if player != me:
            assert (was.pieces, was.supply) == (now.pieces, now.supply)
    if me == CHANCE:
        return
    mine, now = before.seats[me], after.seats[me]
    bit = 1 << move.hex if move.hex >= 0 else 0
    if move.verb == "build":
        assert now.all == mine.all | bit and not before.occupied & bit
        assert now.supply[0] == mine.supply[0] - 1
    elif move.verb == "move":
        (origin,) = before.stack[-1].chosen
        assert now.all == mine.all & ~(1 << origin) | bit
        assert now.supply == mine.supply
    else:
        assert (now.pieces, now.supply) == (mine.pieces, mine.supply)


def check_near(game: Game, state: State, moves: MoveSet) -> None:
    """Of the mandatory build: beside an own piece if anything there is free, and all of it."""
    for group in moves.groups:
        if (group.verb, group.rule) != ("build", "mandatory"):
            continue
        terrain = game.ruleset.catalog.deck[state.shown[0]].terrains[0]
        free = game.board.kinds[terrain] & ~state.occupied
        near = game.board.grid.neighbours(state.seats[moves.player].all)
        assert group.hexes == (free & near or free)


def check_events(game: Game, before: State, events: tuple[Event, ...], after: State) -> None:
    """The events say all that happened to pieces, cards and tiles."""
    draft = draft_of(before)
    for event in events:
        event.fold(draft)
    for name in ("seats", "neutral", "occupied", "stock", "piles", "shown", "memory"):
        assert getattr(draft, name) == getattr(after, name), name
    if before.stage[0] == "turn":
        assert draft.active == after.active
    assert draft.ending == after.ending


def check_turn(builds: int, turn: list[State], after: State) -> None:
    """Fewer than three builds in a turn only where the supply or the cards were at an end."""
    assert builds <= BUILDS
    if builds < BUILDS:
        me = turn[0].active
        no_supply = turn[-1].seats[me].supply[0] == 0
        assert no_supply or any(not sum(s.piles[0]) + sum(s.piles[1]) for s in (*turn, after))
