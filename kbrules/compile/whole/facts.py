"""What events do to a table that is changed in place: the twin of their `fold`.

Each answers what rules that follow such an event may speak of: here, origin, strayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kbrules.compile.whole.places import Place
from kbrules.compile.whole.table import Play
from kbrules.game import events as of
from kbrules.game import events_of_cards as of_cards
from kbrules.game.state import FRESH, NONE, READY, ZONES, Tile, tile_of
from kbrules.hex.masks import Mask, bits

Binds = tuple[int, int, bool]
NOTHING: Binds = (0, 0, False)


def lay(play: Play, player: int, piece: int, hexes: Mask, from_supply: int) -> None:
    """Put a piece on all the hexes it covers."""
    play.occupied |= hexes
    if piece:
        play.laid[piece] |= hexes
    if player < 0:
        play.neutral[piece] |= hexes
        return
    seat = play.seats[player]
    if piece:
        seat.others[piece] |= hexes
    seat.all |= hexes
    seat.near |= play.board.grid.neighbours(hexes)
    seat.supplied(piece, -from_supply)


def take_up(play: Play, player: int, piece: int, hexes: Mask) -> None:
    """Take a piece off all the hexes it lies on."""
    play.occupied &= ~hexes
    if piece:
        play.laid[piece] &= ~hexes
    if player < 0:
        play.neutral[piece] &= ~hexes
        return
    seat = play.seats[player]
    if piece:
        seat.others[piece] &= ~hexes
    seat.all &= ~hexes
    seat.near = play.board.grid.neighbours(seat.all)


def lift(play: Play, hexes: Mask) -> tuple[int, int, Mask]:
    """Take up the piece of a player on a hex, to see what it could do; `put_back` undoes it."""
    for player, seat in enumerate(play.seats):
        if seat.all & hexes:
            piece, near = seat.kind_at(hexes), seat.near
            take_up(play, player, piece, hexes)
            return player, piece, near
    return -1, 0, 0


def put_back(play: Play, hexes: Mask, lifted: tuple[int, int, Mask]) -> None:
    """Put back what `lift` took up."""
    player, piece, near = lifted
    if player < 0:
        return
    seat = play.seats[player]
    play.occupied |= hexes
    if piece:
        play.laid[piece] |= hexes
        seat.others[piece] |= hexes
    seat.all |= hexes
    seat.near = near


def shift(play: Play, player: int, piece: int, origin: int, hex: int) -> None:
    """Move a piece of one hex."""
    change = 1 << origin | 1 << hex
    if origin == hex:
        return
    play.occupied ^= change
    if piece:
        play.laid[piece] ^= change
    if player < 0:
        play.neutral[piece] ^= change
        return
    seat = play.seats[player]
    if piece:
        seat.others[piece] ^= change
    seat.all ^= change
    seat.near = play.board.grid.neighbours(seat.all)


def take(play: Play, player: int, places: Mask) -> None:
    """Take one tile from each place of a set that has one left."""
    seat, told = play.seats[player], play.told.get(of.Took)
    for hex in bits(places & play.stocked):
        index = play.board.places.index(hex)
        kind, *left = play.stock[index]
        play.stock = (*play.stock[:index], tuple(left), *play.stock[index + 1 :])
        if not left:
            play.stocked ^= 1 << hex
        seat.get(tile_of((kind, hex, FRESH)))
        play.taken[player][kind] += 1
        if told is not None:
            play.news.append((told, (player, 1 << hex, 0, False)))


def _built(play: Play, event: of.Built) -> Binds:
    lay(play, event.player, event.piece, 1 << event.hex, 1)
    return 1 << event.hex, 0, event.strayed


def _placed(play: Play, event: of.Placed) -> Binds:
    lay(play, event.player, event.piece, event.hexes, 1)
    return event.hexes, 0, event.strayed


def _moved(play: Play, event: of.Moved) -> Binds:
    take_up(play, event.player, event.piece, 1 << event.origin)
    lay(play, event.player, event.piece, 1 << event.hex, 0)
    return 1 << event.hex, 1 << event.origin, False


def _removed(play: Play, event: of.Removed) -> Binds:
    take_up(play, event.player, event.piece, event.hexes)
    if event.player >= 0:
        play.seats[event.player].supplied(event.piece, 1)
    return event.hexes, 0, False


def _stored(play: Play, event: of.Stored) -> Binds:
    take_up(play, event.player, event.piece, event.hexes)
    return event.hexes, 0, False


def _supplied(play: Play, event: of.Supplied) -> Binds:
    if event.player >= 0:
        play.seats[event.player].supplied(event.piece, event.number)
    return NOTHING


def _received(play: Play, event: of.Received) -> Binds:
    seat = play.seats[event.player]
    seat.get(Tile(event.kind, -1, FRESH))
    play.taken[event.player][event.kind] += 1
    return NOTHING


def _took(play: Play, event: of.Took) -> Binds:
    left = list(play.stock[event.place])
    left.remove(event.kind)
    play.stock = (*play.stock[: event.place], tuple(left), *play.stock[event.place + 1 :])
    if not left:
        play.stocked &= ~(1 << event.hex)
    seat = play.seats[event.player]
    seat.get(Tile(event.kind, event.hex, FRESH))
    play.taken[event.player][event.kind] += 1
    return 1 << event.hex, 0, False


def _stocked(play: Play, event: of.Stocked) -> Binds:
    lying = play.stock[event.place]
    number = event.number
    lying = lying[:number] if number < 0 else (*lying, *(event.kind,) * number)
    play.restock((*play.stock[: event.place], lying, *play.stock[event.place + 1 :]))
    return NOTHING


def _lost(play: Play, event: of.Lost) -> Binds:
    seat = play.seats[event.player]
    tiles = list(seat.tiles)
    index = next(i for i, t in enumerate(tiles) if t.kind == event.kind and t.origin == event.hex)
    gone = tiles.pop(index)
    if event.used_first and gone.status == READY:
        of.ready_one(tiles, event.kind)
    seat.tiles = tuple(tiles)
    return (1 << event.hex if event.hex >= 0 else 0), 0, False


def _readied(play: Play, event: of.Readied) -> Binds:
    play.seats[event.player].make_ready(event.held)
    return NOTHING


def _used(play: Play, event: of.Used) -> Binds:
    if event.kind < 0:
        play.used = (*play.used, event.action)
    else:
        play.seats[event.player].spend(event.kind)
        play.used_tiles[event.player][event.kind] += 1
    return NOTHING


def _gained(play: Play, event: of.Gained) -> Binds:
    play.seats[event.player].gold += event.gold
    gains = play.gains[event.player]
    gains[event.rule] = gains.get(event.rule, 0) + event.gold
    return NOTHING


def _remembered(play: Play, event: of.Remembered) -> Binds:
    values = play.memory if event.player < 0 else play.seats[event.player].memory
    values[event.slot] = event.value
    return NOTHING


def _last_round(play: Play, event: of.LastRound) -> Binds:
    play.ending = True
    return NOTHING


def _game_over(play: Play, event: of.GameOver) -> Binds:
    play.stage, play.over = ("over", 0), True
    return NOTHING


def _played(play: Play, event: of_cards.Played) -> Binds:
    seat = play.seats[event.player]
    play.show((*play.shown, *seat.hand), play.choice)
    seat.hand = ()
    return NOTHING


def _chose(play: Play, event: of_cards.Chose) -> Binds:
    left = list(play.shown)
    left.remove(event.card)
    play.aside = (*play.aside, *left)
    play.show((event.card,), event.terrain)
    return NOTHING


def _reopened(play: Play, event: of_cards.Reopened) -> Binds:
    play.show(play.shown)
    return NOTHING


def _cleared(play: Play, event: of_cards.Cleared) -> Binds:
    for card in (*play.shown, *play.aside):
        _add(play, ZONES.index(event.zone), card, 1)
    play.aside = ()
    play.show(())
    return NOTHING


def _kept(play: Play, event: of_cards.Kept) -> Binds:
    back = play.aside
    if play.choice == NONE and len(play.shown) > 1:
        back = (*play.shown, *back)
        play.show(())
    play.aside = ()
    seat = play.seats[event.player]
    seat.hand = (*seat.hand, *back)
    return NOTHING


def _died(play: Play, event: of_cards.Died) -> Binds:
    _add(play, ZONES.index("removed"), event.card, 1)
    left = list(play.shown)
    left.remove(event.card)
    play.show(tuple(left))
    return NOTHING


def _drew(play: Play, event: of_cards.Drew) -> Binds:
    draw(play, play.seats[event.player], event.card)
    return NOTHING


def draw(play: Play, seat: Place, card: int) -> None:
    """Put a card of the deck into a player's hand."""
    play.piles[0][card] -= 1
    seat.hand = (*seat.hand, card)


def _revealed(play: Play, event: of_cards.Revealed) -> Binds:
    _add(play, 0, event.card, -1)
    _add(play, 1, event.card, 1)
    play.revealed = event.card
    return NOTHING


def _reshuffled(play: Play, event: of_cards.Reshuffled) -> Binds:
    index = ZONES.index(event.zone)
    for card, number in enumerate(tuple(play.piles[index])):
        _add(play, index, card, -number)
        _add(play, 0, card, number)
    return NOTHING


def _struck(play: Play, event: of_cards.Struck) -> Binds:
    removed = ZONES.index("removed")
    for card in event.cards:
        _add(play, removed, card, play.piles[0][card])
        _add(play, 0, card, -play.piles[0][card])
    for seat in play.seats:
        for card in (card for card in seat.hand if card in event.cards):
            _add(play, removed, card, 1)
        seat.hand = tuple(card for card in seat.hand if card not in event.cards)
    return NOTHING


def _add(play: Play, zone: int, card: int, number: int) -> None:
    """Put a number of cards of a kind on a pile, or take them off it."""
    play.piles[zone][card] += number


FACTS: Mapping[type, Callable[[Play, Any], Binds]] = {
    of.Built: _built,
    of.Placed: _placed,
    of.Moved: _moved,
    of.Removed: _removed,
    of.Stored: _stored,
    of.Supplied: _supplied,
    of.Received: _received,
    of.Took: _took,
    of.Stocked: _stocked,
    of.Lost: _lost,
    of.Readied: _readied,
    of.Used: _used,
    of.Gained: _gained,
    of.Remembered: _remembered,
    of.LastRound: _last_round,
    of.GameOver: _game_over,
    of_cards.Played: _played,
    of_cards.Chose: _chose,
    of_cards.Reopened: _reopened,
    of_cards.Cleared: _cleared,
    of_cards.Kept: _kept,
    of_cards.Died: _died,
    of_cards.Drew: _drew,
    of_cards.Revealed: _revealed,
    of_cards.Reshuffled: _reshuffled,
    of_cards.Struck: _struck,
}
