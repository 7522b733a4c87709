"""The steps, what a rule can do: each asks for hexes, draws a card, or happens at once."""

from __future__ import annotations

from kbrules.game.board import Board
from kbrules.game.events import (
    Built,
    Gained,
    GameOver,
    LastRound,
    Lost,
    Moved,
    Placed,
    Readied,
    Received,
    Remembered,
    Removed,
    Stored,
    Supplied,
    Took,
    Used,
    is_readied,
)
from kbrules.game.state import READY
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.hex.masks import Mask, bits, lowest
from kbrules.hex.stars import stars
from kbrules.lang.sorts import Sort
from kbrules.primitives.operators import bounded
from kbrules.primitives.registry import Ask, step

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


def under(table: Table, owner: int, piece: int, hex: int) -> Mask:
    """The hexes under the very piece that covers a hex."""
    if is_single(table.board, piece):
        return 1 << hex
    draft = table.draft
    held = draft.neutral[piece] if owner < 0 else draft.seats[owner].pieces[piece]
    centres, _ = stars(table.board.grid, held)
    pieces = (table.board.covered(piece, 1 << centre) for centre in centres)
    return next(hexes for hexes in pieces if hexes >> hex & 1)


@step(
    "build {count: number} [{piece: piece}] [on {target: hexes}] [freely]",
    asks=(Ask("on", "build"),),
    can=can_build,
    example="build 1 on lake",
)
def build(table: Table, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Put pieces from the supply on hexes, one after another, as many as possible.

    Without `on`, where the table's permits allow; `freely` waives preferences.
    """
    table.emit(Built(me, piece or MAIN, hexes[0], table.strayed))


@step(
    "place {count: number} {piece: piece} on {target: hexes} [freely]",
    asks=(Ask("on", "place", own="place_own"),),
    can=has_supply,
    room=room,
    example="place 1 fence on terrain(played) & adjacent(mine)",
)
def place(table: Table, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Put pieces that are not the main piece on hexes; pieces of nobody come from the table.

    For a piece of seven hexes the middle one is chosen, and it covers the six around it too.
    Norms about `place` hold for all pieces, those about `place_own` only for a player's own.
    """
    kind, hex = piece or MAIN, hexes[0]
    owner = -1 if table.board.catalog.pieces[kind].neutral else me
    table.emit(Placed(owner, kind, hex, table.board.covered(kind, 1 << hex), table.strayed))


@step(
    "move {count: number} [{piece: piece}] from {source: hexes} to {target: hexes} [freely]",
    asks=(Ask("from", name="lift"), Ask("to", "move")),
    lifts=True,
    binds={"to": _ORIGIN},
    example="move 1 from mine to lake",
)
def move(table: Table, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Lift a piece and put it down elsewhere; `origin` is the hex it was lifted from."""
    owned = table.owner_of(hexes[0])
    assert owned is not None
    table.emit(Moved(owned[0], owned[1], hexes[0], hexes[1]))


@step(
    "remove {count: number} [{piece: piece}] from {source: hexes}",
    asks=(Ask("from"),),
    example="remove 1 from pieces(player)",
)
def remove(table: Table, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Take pieces off the board; they go back to their owner's supply."""
    owned = table.owner_of(hexes[0])
    assert owned is not None
    table.emit(Removed(*owned, hexes[0], under(table, *owned, hexes[0])))


@step(
    "store {count: number} [{piece: piece}] from {source: hexes}",
    asks=(Ask("from"),),
    example="store 1 hut from mine",
)
def store(table: Table, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Take pieces off the board and lay them aside, not into the supply."""
    owned = table.owner_of(hexes[0])
    assert owned is not None
    table.emit(Stored(*owned, hexes[0], under(table, *owned, hexes[0])))


@step("restore {count: number} {piece: piece}", example="restore 1 hut")
def restore(table: Table, me: int, count: int, piece: int) -> None:
    """Put pieces that were laid aside into the player's supply."""
    if count > 0:
        table.emit(Supplied(me, piece, count))


@step("pay {count: number} {piece: piece}", example="pay 1 hut")
def pay(table: Table, me: int, count: int, piece: int) -> None:
    """Lay pieces of the player's supply aside, as many as there are."""
    paid = min(count, table.draft.seats[me].supply[piece])
    if paid > 0:
        table.emit(Supplied(me, piece, -paid))


@step("return {piece: piece}", example="return hut")
def return_(table: Table, me: int, piece: int) -> None:
    """Take all the player's pieces of a kind off the board, back into the supply."""
    while held := table.draft.seats[me].pieces[piece]:
        hex = lowest(held)
        table.emit(Removed(me, piece, hex, under(table, me, piece, hex)))


@step("take tiles from {places: hexes}", example="take tiles from adjacent(here)")
def take(table: Table, me: int, places: int) -> None:
    """Take one tile from each place of the set that has one left."""
    for hex in bits(places):
        if hex in table.board.tiles:
            index = table.board.places.index(hex)
            if table.draft.stock[index]:
                table.emit(Took(me, table.draft.stock[index][0], hex, index))


@step(
    "lose tiles from {places: hexes} [used_first]",
    example="lose tiles from board - adjacent(mine) used_first",
)
def lose(table: Table, me: int, places: int, used_first: bool | None) -> None:
    """Put the player's tiles that came from the places of the set out of the game.

    With `used_first`, of equal tiles one that was used counts as lost before one that was not.
    """
    for tile in table.draft.seats[me].tiles:
        if tile.origin >= 0 and places >> tile.origin & 1:
            table.emit(Lost(me, tile.kind, tile.origin, bool(used_first)))


@step("ready tiles [from {places: hexes}]", example="ready tiles from board - edge")
def ready(table: Table, me: int, places: int | None) -> None:
    """Make all tiles of the player usable.

    With `from`, those that came from a place outside the set stay as they are.
    """
    held = 0 if places is None else table.board.grid.full & ~places
    if any(is_readied(tile, held) for tile in table.draft.seats[me].tiles):
        table.emit(Readied(me, held))


@step("spend {tile: tile}", example="spend mill")
def spend(table: Table, me: int, kind: int) -> None:
    """Mark one usable tile of a kind as used."""
    tiles = table.draft.seats[me].tiles
    if any(tile.kind == kind and tile.status == READY for tile in tiles):
        table.emit(Used(me, "", kind))


@step("receive {tile: tile}", example="receive mill")
def receive(table: Table, me: int, kind: int) -> None:
    """Get a tile that lies on no place."""
    table.emit(Received(me, kind))


@step("drop {tile: tile} [used_first]", example="drop mill")
def drop(table: Table, me: int, kind: int, used_first: bool | None) -> None:
    """Put one of the player's tiles of a kind out of the game, the one held longest.

    With `used_first`, one that was used counts as dropped before one that was not.
    """
    found = next((t for t in table.draft.seats[me].tiles if t.kind == kind), None)
    if found is not None:
        table.emit(Lost(me, found.kind, found.origin, bool(used_first)))


@step("gain {gold: number}", example="gain 3")
def gain(table: Table, me: int, gold: int) -> None:
    """Get gold at once."""
    if gold:
        table.emit(Gained(me, bounded(gold), table.rule))


@step("add {what: hexes} to {memory: memory}", example="add here to visited")
def add(table: Table, me: int, what: int, memory: str) -> None:
    """Add hexes to a memory of hexes."""
    _remember(table, me, memory, table.remembered(memory, me) | what)


@step(
    "mark {count: number} on {target: hexes} as {memory: memory} [at_random]",
    asks=(Ask("on", "mark"),),
    example="mark 1 on special as closed",
)
def mark(table: Table, me: int, hexes: tuple[int, ...], memory: str) -> None:
    """Let the player, or chance if `at_random`, choose hexes that a memory shall hold too."""
    add(table, me, 1 << hexes[0], memory)


@step("count {by: number} into {memory: memory}", example="count 1 into stored")
def count(table: Table, me: int, by: int, memory: str) -> None:
    """Add a number to a memory of a number; it never goes below 0."""
    _remember(table, me, memory, max(0, bounded(table.remembered(memory, me) + by)))


@step("clear {memory: memory}", example="clear built")
def clear(table: Table, me: int, memory: str) -> None:
    """Forget what a memory holds."""
    _remember(table, me, memory, 0)


def _remember(table: Table, me: int, name: str, value: int) -> None:
    scope, slot = table.memories[name]
    if table.remembered(name, me) != value:
        table.emit(Remembered(-1 if scope == "table" else me, slot, value))


@step("actions", is_offers=True, example="actions")
def actions(table: Table, me: int) -> None:
    """Let the player use actions, theirs and the table's, until they end their turn."""


@step("reuse tiles from {places: hexes}", is_reuse=True, example="reuse tiles from special")
def reuse(table: Table, me: int, places: int) -> None:
    """Let the player carry out an action of a tile they hold from such a place, used or not.

    The tile is not used up by it. Neither a tile taken in this turn nor the rule of the step
    itself serves; an action can ask whether it is `repeated`.
    """


@step("last round", example="last round")
def last_round(table: Table, me: int) -> None:
    """Play this round to its end; then the game is over."""
    if not table.draft.ending:
        table.emit(LastRound(me))


@step("end game", example="end game")
def end_game(table: Table, me: int) -> None:
    """End the game at once."""
    table.emit(GameOver(me))
