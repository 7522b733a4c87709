"""The steps, what a rule can do: each asks for hexes, draws a card, or happens at once."""

from __future__ import annotations

from kbrules.game import events
from kbrules.game.board import NONE, Board
from kbrules.game.state import MAX_FURTHER, READY, SHOWN
from kbrules.game.view import MoveContext, View
from kbrules.hex.grid import disks
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.lang.typed import Sort
from kbrules.primitives.operators import bounded
from kbrules.primitives.registry import HexPhrase, step

MAIN = 0
"""The piece meant when a step names none: the first of the catalog."""

_ORIGIN = (("origin", Sort.HEXES),)


def has_supply(view: View, piece: int | None) -> bool:
    """Whether the player (or, for a piece of nobody, the table) has such a piece left."""
    return (
        is_left(view, piece or MAIN)
        if view.board.catalog.pieces[piece or MAIN].neutral
        else view.state.seats[view.me].supply[piece or MAIN] > 0
    )


def is_left(view: View, piece: int) -> bool:
    """Whether the table has such a piece of nobody left."""
    of = view.board.catalog.pieces[piece]
    return view.state.neutral[piece].bit_count() // of.size < of.supply


def can_build(view: View, piece: int | None) -> bool:
    """Whether a piece of one hex can be built; a larger one is placed."""
    return is_single(view.board, piece or MAIN) and has_supply(view, piece)


def is_single(board: Board, piece: int) -> bool:
    """Whether a kind of piece takes up one hex."""
    return board.catalog.pieces[piece].size == 1


def room(view: View, piece: int | None) -> Mask:
    """The hexes around which a piece of several hexes finds them all free; all, for another."""
    grid = view.board.grid
    if is_single(view.board, piece or MAIN):
        return grid.full
    free = grid.full & ~view.state.occupied
    return free & grid.exactly(free, 6)


def hexes_of_piece_at(context: MoveContext, owner: int, piece: int, hex: int) -> Mask:
    """The hexes under the very piece that covers a hex."""
    if is_single(context.board, piece):
        return 1 << hex
    draft = context.draft
    held = draft.neutral[piece] if owner < 0 else draft.seats[owner].pieces[piece]
    centres, _ = disks(context.board.grid, held)
    pieces = (context.board.covered(piece, 1 << centre) for centre in centres)
    return next(hexes for hexes in pieces if hexes >> hex & 1)


@step(
    "build {count: number} [{piece: piece}] [on {target: hexes}] [freely]",
    asks=(HexPhrase("on", "build"),),
    can=can_build,
    example="build 1 on lake",
)
def build(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Put pieces from the supply on hexes, one after another, as many as possible.

    Without `on`, where the table's permits allow; `freely` waives preferences.
    """
    context.emit(events.Built(me, piece or MAIN, hexes[0], context.strayed))


@step(
    "place {count: number} {piece: piece} on {target: hexes} [freely]",
    asks=(HexPhrase("on", "place", own="place_own"),),
    can=has_supply,
    room=room,
    example="place 1 fence on terrain(played) & adjacent(mine)",
)
def place(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Put pieces that are not the main piece on hexes; pieces of nobody come from the table.

    For a piece of seven hexes the middle one is chosen, and it covers the six around it too.
    Norms about `place` hold for all pieces, those about `place_own` only for a player's own.
    """
    kind, hex = piece or MAIN, hexes[0]
    owner = -1 if context.board.catalog.pieces[kind].neutral else me
    context.emit(
        events.Placed(owner, kind, hex, context.board.covered(kind, 1 << hex), context.strayed)
    )


@step(
    "move {count: number} [{piece: piece}] from {source: hexes} to {target: hexes} [freely]",
    asks=(HexPhrase("from", name="lift"), HexPhrase("to", "move")),
    lifts=True,
    binds={"to": _ORIGIN},
    example="move 1 from mine to lake",
)
def move(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Lift a piece and put it down elsewhere; `origin` is the hex it was lifted from.

    A target that speaks of `origin` says itself where the piece may go: preferences do not count.
    """
    owned = context.owner_of(hexes[0])
    assert owned is not None
    context.emit(events.Moved(owned[0], owned[1], hexes[0], hexes[1]))


def partners(view: View, origin: Mask, piece: int | None) -> Mask:
    """The hexes of the pieces that may change places with the one on `origin`.

    Neither pieces of several hexes are, nor those of the same kind and owner.
    """
    found = view.state.occupied
    for pieces in (view.state.neutral, *(seat.pieces for seat in view.state.seats)):
        for kind, hexes in enumerate(pieces):
            if hexes & origin or not is_single(view.board, kind):
                found &= ~hexes
    return found


@step(
    "swap {count: number} [{piece: piece}] from {source: hexes} with {target: hexes} [freely]",
    asks=(HexPhrase("from", name="lift"), HexPhrase("with", "swap")),
    room=partners,
    binds={"with": _ORIGIN},
    example="swap 1 from mine with theirs & adjacent(origin)",
)
def swap(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Let two pieces change places, whosever they are; `origin` is the hex of the first.

    The second is chosen among pieces that are not of the same kind and owner. What follows
    `move` follows for both, when both have moved; norms about `swap` are about the second.
    """
    first, second = hexes
    ways = ((first, second), (second, first))
    owned = [(context.owner_of(origin), origin, hex) for origin, hex in ways]
    for who, origin, hex in owned:
        assert who is not None
        context.emit(events.Swapped(*who, origin, hex))


@step(
    "remove {count: number} [{piece: piece}] from {source: hexes}",
    asks=(HexPhrase("from"),),
    example="remove 1 from pieces(player)",
)
def remove(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Take pieces off the board; they go back to their owner's supply."""
    owned = context.owner_of(hexes[0])
    assert owned is not None
    context.emit(events.Removed(*owned, hexes[0], hexes_of_piece_at(context, *owned, hexes[0])))


@step(
    "replace {count: number} on {target: hexes} [with {piece: piece}]",
    asks=(HexPhrase("on"),),
    can=can_build,
    example="replace 1 on theirs with hut",
)
def replace(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Take pieces off the board, back to their owners' supply, and place one's own on their hexes.

    What follows `remove` and `place` follows, when both are done. The piece must be in the supply
    before: one's own last piece, taken off, could only come back to the hex that it has left.
    """
    remove(context, me, hexes, None)
    place(context, me, hexes, piece)


@step(
    "store {count: number} [{piece: piece}] from {source: hexes}",
    asks=(HexPhrase("from"),),
    example="store 1 hut from mine",
)
def store(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Take pieces off the board and lay them aside, not into the supply."""
    owned = context.owner_of(hexes[0])
    assert owned is not None
    context.emit(events.Stored(*owned, hexes[0], hexes_of_piece_at(context, *owned, hexes[0])))


@step("restore {count: number} {piece: piece}", prepares=True, example="restore 1 hut")
def restore(context: MoveContext, me: int, count: int, piece: int) -> None:
    """Put pieces that were laid aside into the player's supply.

    An action that begins with it and then asks for a hex begins by the choice of that hex, which
    is judged as if they were in the supply.
    """
    if count > 0:
        context.emit(events.Supplied(me, piece, count))


def can_pay(view: View, count: int, piece: int) -> bool:
    """Whether the player has so many pieces of a kind in the supply."""
    return view.state.seats[view.me].supply[piece] >= count


@step("pay {count: number} {piece: piece}", can=can_pay, is_cost=True, example="pay 1 hut")
def pay(context: MoveContext, me: int, count: int, piece: int) -> None:
    """Lay pieces of the player's supply aside, as many as there are.

    An action that begins with it may be used only if there are so many.
    """
    paid = min(count, context.draft.seats[me].supply[piece])
    if paid > 0:
        context.emit(events.Supplied(me, piece, -paid))


def can_pay_gold(view: View, count: int) -> bool:
    """Whether the player holds so much gold."""
    return view.state.seats[view.me].gold >= count


@step("pay {count: number} gold", can=can_pay_gold, is_cost=True, example="pay 2 gold")
def pay_gold(context: MoveContext, me: int, count: int) -> None:
    """Give gold back that was gained in play, as much as there is.

    An action that begins with it may be used only if there is so much.
    """
    paid = min(count, context.draft.seats[me].gold)
    if paid > 0:
        context.emit(events.Gained(me, -paid, context.rule))


@step("return {piece: piece}", example="return hut")
def return_(context: MoveContext, me: int, piece: int) -> None:
    """Take all the player's pieces of a kind off the board, back into the supply."""
    while held := context.draft.seats[me].pieces[piece]:
        hex = lowest(held)
        context.emit(events.Removed(me, piece, hex, hexes_of_piece_at(context, me, piece, hex)))


@step("take tiles from {places: hexes}", example="take tiles from adjacent(here)")
def take(context: MoveContext, me: int, places: int) -> None:
    """Take one tile from each place of the set that has one left."""
    for hex in bits(places):
        if hex in context.board.tiles:
            index = context.board.places.index(hex)
            if context.draft.stock[index]:
                context.emit(events.Took(me, context.draft.stock[index][0], hex, index))


@step(
    "lose tiles from {places: hexes} [used_first]",
    example="lose tiles from board - adjacent(mine) used_first",
)
def lose(context: MoveContext, me: int, places: int, used_first: bool | None) -> None:
    """Put the player's tiles that came from the places of the set out of the game.

    With `used_first`, of equal tiles one that was used counts as lost before one that was not.
    """
    for tile in context.draft.seats[me].tiles:
        if tile.origin >= 0 and places >> tile.origin & 1:
            context.emit(events.Lost(me, tile.kind, tile.origin, bool(used_first)))


@step("ready tiles [from {places: hexes}]", example="ready tiles from board - edge")
def ready(context: MoveContext, me: int, places: int | None) -> None:
    """Make all tiles of the player usable.

    With `from`, those that came from a place outside the set stay as they are.
    """
    held = 0 if places is None else context.board.grid.full & ~places
    if any(events.is_readied(tile, held) for tile in context.draft.seats[me].tiles):
        context.emit(events.Readied(me, held))


def can_spend(view: View, kind: int) -> bool:
    """Whether the player holds a tile of a kind that is usable."""
    tiles = view.state.seats[view.me].tiles
    return any(tile.kind == kind and tile.status == READY for tile in tiles)


@step("spend {tile: tile}", can=can_spend, is_cost=True, example="spend mill")
def spend(context: MoveContext, me: int, kind: int) -> None:
    """Mark one usable tile of a kind as used.

    An action that begins with it may be used only if there is such a tile.
    """
    tiles = context.draft.seats[me].tiles
    if any(tile.kind == kind and tile.status == READY for tile in tiles):
        context.emit(events.Used(me, "", kind))


@step("receive {tile: tile}", example="receive mill")
def receive(context: MoveContext, me: int, kind: int) -> None:
    """Get a tile that lies on no place."""
    context.emit(events.Received(me, kind))


@step("drop {tile: tile} [used_first]", example="drop mill")
def drop(context: MoveContext, me: int, kind: int, used_first: bool | None) -> None:
    """Put one of the player's tiles of a kind out of the game, the one held longest.

    With `used_first`, one that was used counts as dropped before one that was not.
    """
    found = next((t for t in context.draft.seats[me].tiles if t.kind == kind), None)
    if found is not None:
        context.emit(events.Lost(me, found.kind, found.origin, bool(used_first)))


@step("gain {gold: number} [to {player: player}]", example="gain 3")
def gain(context: MoveContext, me: int, gold: int, player: int | None) -> None:
    """Get gold at once, at most a million; with `to`, a player gets it."""
    if gold:
        context.emit(events.Gained(me if player is None else player, bounded(gold), context.rule))


@step("add {what: hexes} to {memory: memory}", remembers=Sort.HEXES, example="add here to visited")
def add(context: MoveContext, me: int, what: int, memory: str) -> None:
    """Add hexes to a memory of hexes."""
    _remember(context, me, memory, context.memory_value(memory, me) | what)


@step(
    "mark {count: number} on {target: hexes} as {memory: memory} [at_random]",
    asks=(HexPhrase("on", "mark"),),
    remembers=Sort.HEXES,
    example="mark 1 on special as closed",
)
def mark(context: MoveContext, me: int, hexes: tuple[int, ...], memory: str) -> None:
    """Let the player, or chance if `at_random`, choose hexes that a memory shall hold too."""
    add(context, me, 1 << hexes[0], memory)


@step(
    "count {by: number} into {memory: memory}",
    remembers=Sort.NUMBER,
    example="count 1 into stored",
)
def count(context: MoveContext, me: int, by: int, memory: str) -> None:
    """Add a number to a memory of a number; it never goes below 0."""
    _remember(context, me, memory, max(0, bounded(context.memory_value(memory, me) + by)))


@step("clear {memory: memory}", example="clear built")
def clear(context: MoveContext, me: int, memory: str) -> None:
    """Forget what a memory holds."""
    _remember(context, me, memory, 0)


def _remember(context: MoveContext, me: int, name: str, value: int) -> None:
    scope, slot = context.memories[name]
    if context.memory_value(name, me) != value:
        context.emit(events.Remembered(-1 if scope == "table" else me, slot, value))


@step("actions", is_offers=True, example="actions")
def actions(context: MoveContext, me: int) -> None:
    """Let the player use actions, theirs and the table's, until they end their turn.

    An action begins without the names that are bound around this step. One that begins with this
    step can be used if another one can that does not.
    """


@step("reuse tiles from {places: hexes}", is_reuse=True, example="reuse tiles from special")
def reuse(context: MoveContext, me: int, places: int) -> None:
    """Let the player carry out an action of a tile they hold from such a place, used or not.

    The tile is not used up by it. Neither a tile taken in this turn nor the rule of the step
    itself serves, and within what is reused nothing is. The action begins without the names that
    are bound around this step; it can ask whether it is `repeated`.
    """


# The steps that move cards between hand, table and piles.


@step("play cards", example="play cards")
def play(context: MoveContext, me: int) -> None:
    """Lay the cards of the hand face up."""
    if context.draft.seats[me].hand:
        context.emit(events.Played(me))


@step("discard cards", example="discard cards")
def discard(context: MoveContext, me: int) -> None:
    """Put the cards that lie face up on the discards."""
    if context.draft.shown or context.draft.aside:
        context.emit(events.Cleared(me, "discards"))


@step("keep cards", example="keep cards")
def keep(context: MoveContext, me: int) -> None:
    """Take back into the hand the cards that lie face up and were not used.

    Those are the ones set aside when another was chosen; of several of which none was, all.
    """
    draft = context.draft
    if draft.aside or (draft.choice == NONE and len(draft.shown) > 1):
        context.emit(events.Kept(me))


@step("remove cards [of {terrain: terrain}]", example="remove cards")
def remove_cards(context: MoveContext, me: int, terrain: int | None) -> None:
    """Put the cards that lie face up out of the game; with `of`, those in the deck and in hands."""
    if terrain is not None:
        deck = context.board.catalog.deck
        context.emit(
            events.Struck(me, tuple(i for i, c in enumerate(deck) if terrain in c.terrains))
        )
    elif context.draft.shown or context.draft.aside:
        context.emit(events.Cleared(me, "removed"))


@step("remove card at {at: number}", example="remove card at dead(build)")
def remove_card(context: MoveContext, me: int, at: int) -> None:
    """Put one of the cards that lie face up out of the game: the first is 1."""
    if 1 <= at <= len(context.draft.shown):
        context.emit(events.Died(me, context.draft.shown[at - 1]))


@step("choose anew", example="choose anew")
def choose(context: MoveContext, me: int) -> None:
    """Take back which terrain of the card in use is used; another is to be chosen."""
    if context.draft.choice != NONE:
        context.emit(events.Reopened(me))


def deck(view: View) -> tuple[int, ...]:
    """How many cards of each kind are in the deck."""
    return view.state.piles[0]


@step("draw {count: number} card|cards", outcomes=deck, example="draw hand cards")
def draw(context: MoveContext, me: int, card: int) -> None:
    """Draw cards from the deck into the hand; chance decides, and the log remembers."""
    context.emit(events.Drew(me, card))


@step("reveal {count: number} card|cards", outcomes=deck, example="reveal 1 card")
def reveal(context: MoveContext, me: int, card: int) -> None:
    """Draw cards from the deck for all to see; they go to the discards, and `revealed` tells."""
    context.emit(events.Revealed(me, card))


@step("reshuffle {zone: zone}", example="reshuffle discards")
def reshuffle(context: MoveContext, me: int, zone: str) -> None:
    """Make a pile of cards part of the deck, or with `shown` the cards that lie face up."""
    if zone != SHOWN:
        context.emit(events.Reshuffled(me, zone))
    elif context.draft.shown or context.draft.aside:
        context.emit(events.Cleared(me, "deck"))


@step("retire {which: card}", example="retire rowers")
def retire(context: MoveContext, me: int, which: int) -> None:
    """Take a scoring card out of the game, be it in play or beside the table: it pays nobody."""
    if not context.draft.retired >> which & 1:
        context.emit(events.Retired(me, which))


@step("bring {which: card}", example="bring rowers")
def bring(context: MoveContext, me: int, which: int) -> None:
    """Put a scoring card that lies beside the table in play: it counts as if it always had."""
    if context.draft.beside >> which & 1:
        context.emit(events.Entered(me, which))


@step("substitute {which: card} with {other: card}", example="substitute rowers with rowers")
def substitute(context: MoveContext, me: int, which: int, other: int) -> None:
    """Put a scoring card in play beside the table, and one that lies there in play."""
    draft = context.draft
    is_in_play = which in context.cards and not draft.unscored >> which & 1
    if is_in_play and draft.beside >> other & 1:
        context.emit(events.PutBeside(me, which))
        context.emit(events.Entered(me, other))


# The steps that change which tiles lie on the places of the board.


@step("withdraw tiles from {places: hexes}", example="withdraw tiles from edge")
def withdraw(context: MoveContext, me: int, places: int) -> None:
    """Put the tiles that lie on the places of the set out of the game."""
    for index, hex in enumerate(context.board.places):
        tiles = context.draft.stock[index]
        if places >> hex & 1 and tiles:
            context.emit(events.Stocked(me, tiles[0], hex, index, -len(tiles)))


@step(
    "restock tiles from {places: hexes} [used_first]",
    example="restock tiles from board - adjacent(mine) used_first",
)
def restock(context: MoveContext, me: int, places: int, used_first: bool | None) -> None:
    """Put the player's tiles that came from the places of the set back where they lay.

    With `used_first`, of equal tiles one that was used goes before one that was not.
    """
    for tile in context.draft.seats[me].tiles:
        if tile.origin >= 0 and places >> tile.origin & 1:
            index = context.board.places.index(tile.origin)
            context.emit(events.Lost(me, tile.kind, tile.origin, bool(used_first)))
            context.emit(events.Stocked(me, tile.kind, tile.origin, index, 1))


# Steps about the course of the game: turns that end or come again, the last round, the end.


@step("end turn", example="end turn")
def end_turn(context: MoveContext, me: int) -> None:
    """End the turn under way at once; what is still to be done in it is left, required or not."""
    if context.draft.stage[0] == "turn":
        context.emit(events.TurnLeft(me))


@step("another turn", example="another turn")
def another_turn(context: MoveContext, me: int) -> None:
    """Let the player whose turn it is take another one after it.

    Done twice in a turn it is the same; more than 20 in a row are cut off.
    """
    draft = context.draft
    if draft.stage[0] not in ("turn", "turn over") or draft.further & 1:
        return
    if draft.further >= 2 * MAX_FURTHER:
        context.cut_off(draft.active, "further", "")
    else:
        context.emit(events.AnotherTurn(draft.active))


@step("another finish", example="another finish")
def another_finish(context: MoveContext, me: int) -> None:
    """Let all players do once more what `finish:` says, when the last of them has done it.

    Outside of it nothing happens; done twice in one go it is the same, more than 20 are cut off.
    """
    draft = context.draft
    if draft.stage[0] != "finish" or draft.further & 1:
        return
    if draft.further >= 2 * MAX_FURTHER:
        context.cut_off(draft.active, "further", "")
    else:
        context.emit(events.AnotherFinish(me))


@step("last round", example="last round")
def last_round(context: MoveContext, me: int) -> None:
    """Play this round to its end; then the game is over."""
    if not context.draft.ending:
        context.emit(events.LastRound(me))


@step("end game", example="end game")
def end_game(context: MoveContext, me: int) -> None:
    """End the game at once."""
    context.emit(events.GameOver(me))
