"""How single facts are written into a draft; the events are made of these."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from kbrules.game.state import ZONES, Draft, Seat, Tile, seat_of
from kbrules.hex.masks import Mask


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


def set_value(draft: Draft, player: int, slot: int, value: int) -> None:
    """Put a value into a player's memory."""
    seat = draft.seats[player]
    if seat.memory[slot] != value:
        set_seat(draft, player, seat._replace(memory=with_item(seat.memory, slot, value)))


def take_piece(draft: Draft, player: int, piece: int, hex: int) -> None:
    """Take a piece of one hex off the board; it is in nobody's supply yet. Player -1 is nobody."""
    take_pieces(draft, player, piece, 1 << hex)


def take_pieces(draft: Draft, player: int, piece: int, hexes: Mask) -> None:
    """Take a piece off all the hexes it lies on; it is in nobody's supply yet."""
    draft.occupied &= ~hexes
    if player < 0:
        draft.neutral = with_item(draft.neutral, piece, draft.neutral[piece] & ~hexes)
        return
    pieces, all_, supply, hand, tiles, memory, gold = draft.seats[player]
    pieces = with_item(pieces, piece, pieces[piece] & ~hexes)
    set_seat(draft, player, seat_of((pieces, all_ & ~hexes, supply, hand, tiles, memory, gold)))


def put_piece(draft: Draft, player: int, piece: int, hex: int, from_supply: int) -> None:
    """Put a piece on a hex, taking that many from its owner's supply. Player -1 is nobody."""
    put_pieces(draft, player, piece, 1 << hex, from_supply)


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


def bring_across(draft: Draft, player: int, piece: int, origin: int, hex: int) -> None:
    """Bring a piece to a hex whose own piece comes the other way: both stay occupied."""
    across = 1 << origin | 1 << hex
    if player < 0:
        draft.neutral = with_item(draft.neutral, piece, draft.neutral[piece] ^ across)
        return
    seat = draft.seats[player]
    pieces = with_item(seat.pieces, piece, seat.pieces[piece] ^ across)
    set_seat(draft, player, seat._replace(pieces=pieces, all=reduce(or_, pieces)))


def give(draft: Draft, player: int, piece: int, count: int) -> None:
    """Put pieces back into a player's supply. Player -1, nobody, has none."""
    if player >= 0:
        seat = draft.seats[player]
        supply = with_item(seat.supply, piece, seat.supply[piece] + count)
        set_seat(draft, player, seat._replace(supply=supply))
