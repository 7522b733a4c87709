"""Laws of a state, and of what one move may change. Each fails if it is broken."""

from __future__ import annotations

from collections import Counter

from kbrules.engine.game import Game
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.state import FRESH, READY, State, draft_of
from kbrules.hex.masks import bits

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
    if any(verb == "move" for verb, _ in verbs) or game.choices is None:
        return
    catalog = game.ruleset.catalog
    names = {catalog.tiles[t.kind].id for t in state.seats[state.active].tiles if t.status == READY}
    offered = {rule for _, rule in verbs} - {"mandatory", "turn"}
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
        assert sum(before.piles[0]) - sum(after.piles[0]) in (1, 1 - sum(after.piles[1]))
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
    for name in ("seats", "neutral", "occupied", "stock", "piles", "shown", "memory", "active"):
        assert getattr(draft, name) == getattr(after, name), name
    assert draft.ending == after.ending


def mandatory_was_done(game: Game, builds: int, last: State) -> None:
    """Fewer than three builds only where the supply or the cards are at an end.

    last: the state before the move that ended the turn.
    """
    assert builds <= BUILDS
    if builds < BUILDS:
        me = last.active
        no_supply = last.seats[me].supply[0] == 0
        no_card = not last.shown and not any(last.piles[0]) and not any(last.piles[1])
        assert no_supply or no_card or _was_drawing(game, last)


def _was_drawing(game: Game, last: State) -> bool:
    return game.legal_moves(last).player == CHANCE


def own_hexes(state: State, player: int) -> list[int]:
    return bits(state.seats[player].all)
