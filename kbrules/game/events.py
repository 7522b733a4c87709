"""Events: what happened, fact by fact. Folding them is the only way the table changes.

`TRIGGERS` names the word by which a rule waits for an event; `binds` gives the hexes and
the player that such a rule may speak of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from kbrules.game.folding import (
    drop,
    give,
    lift,
    set_hand,
    set_pile,
    set_seat,
    set_tiles,
    set_value,
    with_item,
)
from kbrules.game.state import READY, USED, ZONES, Draft, Tile, tile_of


class Built(NamedTuple):
    """A piece came from its owner's supply to a hex; `strayed` if a waived preference let it."""

    player: int
    piece: int
    hex: int
    strayed: bool = False

    def fold(self, draft: Draft) -> None:
        player, piece, hex, _ = self
        drop(draft, player, piece, hex, 1)


class Placed(NamedTuple):
    """A piece came to a hex without building: a wall of nobody, or a piece from the supply."""

    player: int
    owner: int
    piece: int
    hex: int

    def fold(self, draft: Draft) -> None:
        drop(draft, self.owner, self.piece, self.hex, 1)


class Moved(NamedTuple):
    """A piece went from one hex to another."""

    player: int
    piece: int
    origin: int
    hex: int

    def fold(self, draft: Draft) -> None:
        lift(draft, self.player, self.piece, self.origin)
        drop(draft, self.player, self.piece, self.hex, 0)


class Removed(NamedTuple):
    """A piece left the board and went back to its owner's supply."""

    player: int
    piece: int
    hex: int

    def fold(self, draft: Draft) -> None:
        lift(draft, self.player, self.piece, self.hex)
        give(draft, self.player, self.piece, 1)


class Stored(NamedTuple):
    """A piece left the board without going back to its owner's supply."""

    player: int
    piece: int
    hex: int

    def fold(self, draft: Draft) -> None:
        lift(draft, self.player, self.piece, self.hex)


class Supplied(NamedTuple):
    """Pieces went into a player's supply, or out of it if `number` is negative."""

    player: int
    piece: int
    number: int

    def fold(self, draft: Draft) -> None:
        give(draft, self.player, self.piece, self.number)


class Received(NamedTuple):
    """A player got a tile that lies on no place."""

    player: int
    kind: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        tiles = (*seat.tiles, Tile(self.kind, -1, "fresh"))
        set_tiles(draft, self.player, tiles)


class Struck(NamedTuple):
    """All cards of the deck that show a terrain left the game."""

    player: int
    cards: tuple[int, ...]

    def fold(self, draft: Draft) -> None:
        deck, removed = list(draft.piles[0]), list(draft.piles[ZONES.index("removed")])
        for card in self.cards:
            removed[card] += deck[card]
            deck[card] = 0
        set_pile(draft, "deck", tuple(deck))
        set_pile(draft, "removed", tuple(removed))


class Took(NamedTuple):
    """A player took a tile from a place (`place` is its position among the board's places)."""

    player: int
    kind: int
    hex: int
    place: int

    def fold(self, draft: Draft) -> None:
        left = list(draft.stock[self.place])
        left.remove(self.kind)
        draft.stock = with_item(draft.stock, self.place, tuple(left))
        seat = draft.seats[self.player]
        tile = Tile(self.kind, self.hex, "fresh")
        set_tiles(draft, self.player, (*seat.tiles, tile))


class Lost(NamedTuple):
    """A tile left the game; of equal tiles the used copy goes first (rulebook.md 2.5)."""

    player: int
    kind: int
    hex: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        tiles = list(seat.tiles)
        index = next(i for i, t in enumerate(tiles) if t.kind == self.kind and t.origin == self.hex)
        gone = tiles.pop(index)
        twin = Tile(self.kind, -1, USED)
        for i, other in enumerate(tiles):
            if gone.status == READY and other._replace(origin=-1) == twin:
                tiles[i] = other._replace(status=READY)
                break
        set_tiles(draft, self.player, tuple(tiles))


class Readied(NamedTuple):
    """All tiles of a player may be used again."""

    player: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        if seat.tiles:
            tiles = [tile_of((kind, origin, READY)) for kind, origin, _ in seat.tiles]
            set_tiles(draft, self.player, tuple(tiles))


class Used(NamedTuple):
    """A player used a tile of a kind (`kind` is -1 for an action that needs none)."""

    player: int
    action: str
    kind: int

    def fold(self, draft: Draft) -> None:
        player, action, kind = self
        if kind < 0:
            draft.used = (*draft.used, action)
            return
        tiles = draft.seats[player].tiles
        index = _first_of(tiles, kind)
        tile = tile_of((kind, tiles[index].origin, USED))
        set_tiles(draft, player, with_item(tiles, index, tile))


def _first_of(tiles: tuple[Tile, ...], kind: int) -> int:
    """The place of the tile that a use marks: a usable one, else one that is not used yet."""
    unused = -1
    for index, tile in enumerate(tiles):
        if tile.kind == kind and tile.status != USED:
            if tile.status == READY:
                return index
            unused = index if unused < 0 else unused
    return unused


class Played(NamedTuple):
    """A player laid the hand face up."""

    player: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        draft.shown = (*draft.shown, *seat.hand)
        set_hand(draft, self.player, ())


class Cleared(NamedTuple):
    """The cards laid face up went to a pile: `discards` or `removed`."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        pile = list(draft.piles[ZONES.index(self.zone)])
        for card in draft.shown:
            pile[card] += 1
        set_pile(draft, self.zone, tuple(pile))
        draft.shown = ()


class Drew(NamedTuple):
    """A player drew a card from the deck into the hand."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        deck = draft.piles[0]
        draft.piles = (with_item(deck, self.card, deck[self.card] - 1), *draft.piles[1:])
        hand = draft.seats[self.player].hand
        set_hand(draft, self.player, (*hand, self.card))


class Reshuffled(NamedTuple):
    """All cards of a pile became part of the deck."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        index = ZONES.index(self.zone)
        pile = draft.piles[index]
        deck = tuple(a + b for a, b in zip(draft.piles[0], pile, strict=True))
        set_pile(draft, self.zone, (0,) * len(pile))
        set_pile(draft, "deck", deck)


class Gained(NamedTuple):
    """A player got gold during play (`gold` may be negative)."""

    player: int
    gold: int
    rule: str

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        set_seat(draft, self.player, seat._replace(gold=seat.gold + self.gold))


class Remembered(NamedTuple):
    """A memory took a new value; `player` is -1 for a memory of the table."""

    player: int
    slot: int
    value: int

    def fold(self, draft: Draft) -> None:
        if self.player < 0:
            draft.memory = with_item(draft.memory, self.slot, self.value)
        else:
            seat = draft.seats[self.player]
            memory = with_item(seat.memory, self.slot, self.value)
            set_seat(draft, self.player, seat._replace(memory=memory))


class TurnStarted(NamedTuple):
    """A player's turn began; `forgotten` are the memory slots that last a turn."""

    player: int
    forgotten: tuple[int, ...]

    def fold(self, draft: Draft) -> None:
        draft.active = self.player
        draft.used = ()
        for slot in self.forgotten:
            for player in range(len(draft.seats)):
                set_value(draft, player, slot, 0)


class TurnEnded(NamedTuple):
    """A player's turn ended."""

    player: int

    def fold(self, draft: Draft) -> None:
        return


class LastRound(NamedTuple):
    """This round is the last one."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.ending = True


class GameOver(NamedTuple):
    """The game ended; nothing happens any more."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.stage = ("over", 0)
        draft.stack = ()


Event = (
    Built
    | Placed
    | Moved
    | Removed
    | Stored
    | Supplied
    | Received
    | Struck
    | Took
    | Lost
    | Readied
    | Used
    | Played
    | Cleared
    | Drew
    | Reshuffled
    | Gained
    | Remembered
    | TurnStarted
    | TurnEnded
    | LastRound
    | GameOver
)

TRIGGERS: Mapping[type, str] = {
    Built: "build",
    Placed: "place",
    Moved: "move",
    Removed: "remove",
    Stored: "remove",
    Took: "take",
    Lost: "lose",
    TurnStarted: "turn_start",
    TurnEnded: "turn_end",
}


def binds(event: Event) -> Mapping[str, Any]:
    """The words that a rule which follows an event may use."""
    match event:
        case Built():
            player, _, hex, strayed = event
            return {"here": 1 << hex, "actor": player, "strayed": strayed}
        case Moved(origin=origin, hex=hex):
            return {"here": 1 << hex, "actor": event.player, "origin": 1 << origin}
        case Placed(hex=hex) | Removed(hex=hex) | Stored(hex=hex) | Took(hex=hex) | Lost(hex=hex):
            return (
                {"here": 1 << hex, "actor": event.player} if hex >= 0 else {"actor": event.player}
            )
        case _:
            return {"actor": event.player}


def to_json(event: Event) -> dict[str, Any]:
    """An event as plain data: its name and its facts."""
    return {"event": type(event).__name__.lower(), **event._asdict()}
