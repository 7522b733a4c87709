"""Events: what happened, fact by fact. Folding them is the only way the table changes."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from kbrules.game.board import NONE
from kbrules.game.state import (
    FRESH,
    LIMITS,
    READY,
    THIS_TURN,
    USED,
    ZONES,
    Draft,
    Seat,
    Tile,
    seat_of,
    tile_of,
)
from kbrules.hex.sets import Mask

# How single facts are written into a draft; the events are made of these.


def with_item(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])


def set_seat(draft: Draft, player: int, seat: Seat) -> None:
    """Put a player's seat into the draft."""
    draft.seats = with_item(draft.seats, player, seat)


def set_tiles(draft: Draft, player: int, tiles: tuple[Tile, ...]) -> None:
    """Put tiles into a player's hands."""
    pieces, all_, supply, hand, _, memory, gold = draft.seats[player]
    set_seat(draft, player, seat_of((pieces, all_, supply, hand, tiles, memory, gold)))


def set_hand(draft: Draft, player: int, hand: tuple[int, ...]) -> None:
    """Put cards into a player's hand."""
    pieces, all_, supply, _, tiles, memory, gold = draft.seats[player]
    set_seat(draft, player, seat_of((pieces, all_, supply, hand, tiles, memory, gold)))


def set_pile(draft: Draft, zone: str, pile: tuple[int, ...]) -> None:
    """Put a pile of cards into the draft."""
    draft.piles = with_item(draft.piles, ZONES.index(zone), pile)


def take_pieces(draft: Draft, player: int, piece: int, hexes: Mask) -> None:
    """Take a piece off all the hexes it lies on; it is in nobody's supply yet."""
    draft.occupied &= ~hexes
    if player < 0:
        draft.neutral = with_item(draft.neutral, piece, draft.neutral[piece] & ~hexes)
        return
    pieces, all_, supply, hand, tiles, memory, gold = draft.seats[player]
    pieces = with_item(pieces, piece, pieces[piece] & ~hexes)
    set_seat(draft, player, seat_of((pieces, all_ & ~hexes, supply, hand, tiles, memory, gold)))


def put_pieces(draft: Draft, player: int, piece: int, hexes: Mask, from_supply: int) -> None:
    """Put a piece on all the hexes it covers, taking that many pieces from the owner's supply."""
    draft.occupied |= hexes
    if player < 0:
        draft.neutral = with_item(draft.neutral, piece, draft.neutral[piece] | hexes)
        return
    seats = draft.seats
    pieces, all_, supply, hand, tiles, memory, gold = seats[player]
    pieces = with_item(pieces, piece, pieces[piece] | hexes)
    if from_supply:
        supply = with_item(supply, piece, supply[piece] - from_supply)
    seat = seat_of((pieces, all_ | hexes, supply, hand, tiles, memory, gold))
    draft.seats = with_item(seats, player, seat)


def give(draft: Draft, player: int, piece: int, count: int) -> None:
    """Put pieces back into a player's supply. Player -1, nobody, has none."""
    if player >= 0:
        seat = draft.seats[player]
        supply = with_item(seat.supply, piece, seat.supply[piece] + count)
        set_seat(draft, player, seat._replace(supply=supply))


# Events of the cards: played, chosen, drawn, revealed, put on piles, taken out of the game.


class Played(NamedTuple):
    """A player laid the hand face up."""

    player: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        draft.shown = (*draft.shown, *seat.hand)
        set_hand(draft, self.player, ())


class Chose(NamedTuple):
    """A player chose a terrain of the cards laid face up; cards not chosen are set aside."""

    player: int
    card: int
    terrain: int

    def fold(self, draft: Draft) -> None:
        left = list(draft.shown)
        left.remove(self.card)
        draft.shown = (self.card,)
        draft.aside = (*draft.aside, *left)
        draft.choice = self.terrain


class Reopened(NamedTuple):
    """Which terrain of the card in use is used is to be chosen once more."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.choice = NONE


class Cleared(NamedTuple):
    """All cards laid face up went to one of the piles, those set aside too."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        pile = list(draft.piles[ZONES.index(self.zone)])
        for card in (*draft.shown, *draft.aside):
            pile[card] += 1
        set_pile(draft, self.zone, tuple(pile))
        draft.shown = draft.aside = ()
        draft.choice = NONE


class Kept(NamedTuple):
    """A player took back what was not used: cards set aside, or several without a choice."""

    player: int

    def fold(self, draft: Draft) -> None:
        back = draft.aside
        if draft.choice == NONE and len(draft.shown) > 1:
            back = (*draft.shown, *back)
            draft.shown = ()
        draft.aside = ()
        set_hand(draft, self.player, (*draft.seats[self.player].hand, *back))


class Died(NamedTuple):
    """One card laid face up left the game; if it was the chosen one, the choice is open again."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        removed = draft.piles[ZONES.index("removed")]
        removed = with_item(removed, self.card, removed[self.card] + 1)
        set_pile(draft, "removed", removed)
        left = list(draft.shown)
        left.remove(self.card)
        draft.shown = tuple(left)
        draft.choice = NONE


class Drew(NamedTuple):
    """A player drew a card from the deck into the hand."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        deck = draft.piles[0]
        draft.piles = (with_item(deck, self.card, deck[self.card] - 1), *draft.piles[1:])
        hand = draft.seats[self.player].hand
        set_hand(draft, self.player, (*hand, self.card))


class Revealed(NamedTuple):
    """A card of the deck was shown to all and went to the discards at once."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        deck, discards, *rest = draft.piles
        deck = with_item(deck, self.card, deck[self.card] - 1)
        discards = with_item(discards, self.card, discards[self.card] + 1)
        draft.piles = (deck, discards, *rest)
        draft.revealed = self.card


class Reshuffled(NamedTuple):
    """All cards of a pile became part of the deck."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        pile = draft.piles[ZONES.index(self.zone)]
        set_pile(draft, self.zone, (0,) * len(pile))
        deck = tuple(a + b for a, b in zip(draft.piles[0], pile, strict=True))
        set_pile(draft, "deck", deck)


class Entered(NamedTuple):
    """A scoring card that lay beside the table came into play."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside &= ~(1 << self.card)


class Retired(NamedTuple):
    """A scoring card left the game."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside &= ~(1 << self.card)
        draft.retired |= 1 << self.card


class PutBeside(NamedTuple):
    """A scoring card in play was put beside the table."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside |= 1 << self.card


class Struck(NamedTuple):
    """All cards of some kinds that were in the deck or in a hand left the game."""

    player: int
    cards: tuple[int, ...]

    def fold(self, draft: Draft) -> None:
        deck, removed = list(draft.piles[0]), list(draft.piles[ZONES.index("removed")])
        for card in self.cards:
            removed[card] += deck[card]
            deck[card] = 0
        for player, seat in enumerate(draft.seats):
            for card in (card for card in seat.hand if card in self.cards):
                removed[card] += 1
            hand = tuple(card for card in seat.hand if card not in self.cards)
            set_hand(draft, player, hand)
        set_pile(draft, "deck", tuple(deck))
        set_pile(draft, "removed", tuple(removed))


class Built(NamedTuple):
    """A piece came from its owner's supply to a hex; `strayed` if one waiver alone let it."""

    player: int
    piece: int
    hex: int
    strayed: bool = False

    def fold(self, draft: Draft) -> None:
        player, piece, hex, _ = self
        put_pieces(draft, player, piece, 1 << hex, 1)


class Placed(NamedTuple):
    """A piece came to the board without building: from its owner's supply, or nobody's (-1).

    `hex` was chosen, `hexes` are covered; `strayed` if one waiver alone let it.
    """

    player: int
    piece: int
    hex: int
    hexes: Mask
    strayed: bool = False

    def fold(self, draft: Draft) -> None:
        put_pieces(draft, self.player, self.piece, self.hexes, 1)


class Moved(NamedTuple):
    """A piece went from one hex to another."""

    player: int
    piece: int
    origin: int
    hex: int

    def fold(self, draft: Draft) -> None:
        take_pieces(draft, self.player, self.piece, 1 << self.origin)
        put_pieces(draft, self.player, self.piece, 1 << self.hex, 0)


class Swapped(NamedTuple):
    """A piece went from one hex to another; the piece that stood there goes the other way."""

    player: int
    piece: int
    origin: int
    hex: int

    def fold(self, draft: Draft) -> None:
        player, piece, origin, hex = self
        across = 1 << origin | 1 << hex  # both stay occupied
        if player < 0:
            draft.neutral = with_item(draft.neutral, piece, draft.neutral[piece] ^ across)
            return
        seat = draft.seats[player]
        pieces = with_item(seat.pieces, piece, seat.pieces[piece] ^ across)
        set_seat(draft, player, seat._replace(pieces=pieces, all=reduce(or_, pieces)))


class Removed(NamedTuple):
    """A piece left the board, all `hexes` of it, and went back to its owner's supply."""

    player: int
    piece: int
    hex: int
    hexes: Mask

    def fold(self, draft: Draft) -> None:
        take_pieces(draft, self.player, self.piece, self.hexes)
        give(draft, self.player, self.piece, 1)


class Stored(NamedTuple):
    """A piece left the board, all `hexes` of it, without going back to its owner's supply."""

    player: int
    piece: int
    hex: int
    hexes: Mask

    def fold(self, draft: Draft) -> None:
        take_pieces(draft, self.player, self.piece, self.hexes)


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
        tiles = (*seat.tiles, Tile(self.kind, -1, FRESH))
        set_tiles(draft, self.player, tiles)


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
        tile = Tile(self.kind, self.hex, FRESH)
        set_tiles(draft, self.player, (*seat.tiles, tile))


class Stocked(NamedTuple):
    """Tiles came to lie on a place, or left the game from there if `number` is negative."""

    player: int
    kind: int
    hex: int
    place: int
    number: int

    def fold(self, draft: Draft) -> None:
        tiles = draft.stock[self.place]
        tiles = tiles[: self.number] if self.number < 0 else (*tiles, *(self.kind,) * self.number)
        draft.stock = with_item(draft.stock, self.place, tiles)


class Lost(NamedTuple):
    """The tile from a hex left the game; if `used_first`, its use passes to an equal, used one."""

    player: int
    kind: int
    hex: int
    used_first: bool = False

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        tiles = list(seat.tiles)
        index = next(i for i, t in enumerate(tiles) if t.kind == self.kind and t.origin == self.hex)
        gone = tiles.pop(index)
        if self.used_first and gone.status == READY:
            used = (i for i, t in enumerate(tiles) if t.kind == self.kind and t.status == USED)
            if (index := next(used, -1)) >= 0:
                tiles[index] = tiles[index]._replace(status=READY)
        set_tiles(draft, self.player, tuple(tiles))


class Readied(NamedTuple):
    """A player's tiles may be used again, but for those that came from a place in `held`."""

    player: int
    held: Mask = 0

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        if seat.tiles:
            tiles = (
                t._replace(status=READY) if is_readied(t, self.held) else t for t in seat.tiles
            )
            set_tiles(draft, self.player, tuple(tiles))


def is_readied(tile: Tile, held: Mask) -> bool:
    """Whether a tile that is not usable becomes so, if those from some places are held back."""
    _, origin, status = tile
    return status != READY and not (origin >= 0 and held >> origin & 1)


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
        index = first_of(tiles, kind)
        tile = tile_of((kind, tiles[index].origin, USED))
        set_tiles(draft, player, with_item(tiles, index, tile))


def first_of(tiles: tuple[Tile, ...], kind: int) -> int:
    """The place of the tile that a use marks: a usable one, else one that is not used yet."""
    unused = -1
    for index, tile in enumerate(tiles):
        if tile.kind == kind and tile.status != USED:
            if tile.status == READY:
                return index
            unused = index if unused < 0 else unused
    return unused


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
        draft.revealed = NONE
        draft.cut &= (1 << THIS_TURN) - 1
        for slot in self.forgotten:
            for player, seat in enumerate(draft.seats):
                if seat.memory[slot]:
                    memory = with_item(seat.memory, slot, 0)
                    set_seat(draft, player, seat._replace(memory=memory))


class TurnEnded(NamedTuple):
    """A player's turn ended."""

    player: int

    def fold(self, draft: Draft) -> None:
        return


class CutOff(NamedTuple):
    """A limit, one of `LIMITS`, stopped what a rule would have done; reported once in a turn."""

    player: int
    limit: str
    rule: str

    def fold(self, draft: Draft) -> None:
        bit = 1 << LIMITS.index(self.limit)
        draft.cut |= bit | bit << THIS_TURN


class TurnLeft(NamedTuple):
    """The turn under way ends at once: what is still to be done in it is left."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.stack = ()


class AnotherTurn(NamedTuple):
    """After this turn the player takes another one."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.further |= 1


class AnotherFinish(NamedTuple):
    """What finishes the game is done once more, by all players."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.further |= 1


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
    Built | Placed | Moved | Swapped | Removed | Stored | Supplied | Received | Struck | Took |
    Stocked | Lost | Readied | Used | Played | Chose | Cleared | Kept | Reopened | Died | Drew |
    Revealed | Reshuffled | Entered | PutBeside | Retired | Gained | Remembered | TurnStarted |
    TurnEnded | CutOff | TurnLeft | AnotherTurn | AnotherFinish | LastRound | GameOver
)  # fmt: skip


def to_json(event: Event) -> dict[str, Any]:
    """An event as plain data: its name and its facts."""
    return {"event": type(event).__name__.lower(), **event._asdict()}
