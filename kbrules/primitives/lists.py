"""Words for what loops run over besides hexes and groups: players, and things of the boxes."""

from __future__ import annotations

from typing import Any

from kbrules.game.board import Board
from kbrules.game.catalog import NONE
from kbrules.game.view import View
from kbrules.primitives.registry import (
    Cards,
    Number,
    PieceKinds,
    Places,
    Players,
    Terrains,
    TileKinds,
    word,
)


@word("for player in players: ...", steady=True)
def players(view: View) -> Players:
    """All players, the one the rule is evaluated for first, then in turn order."""
    number = len(view.state.seats)
    return tuple((view.me + i) % number for i in range(number))


@word("for player in others: ...", steady=True)
def others(view: View) -> Players:
    """All other players, in turn order after the one the rule is evaluated for."""
    found: tuple[int, ...] = players(view)
    return found[1:]


@word("for ground in revealed_terrains: ...", steady=True)
def revealed_terrains(view: View) -> Terrains:
    """The terrains on the card revealed last in this turn; none if there is none."""
    card = view.state.revealed
    found: tuple[int, ...] = () if card == NONE else view.board.catalog.deck[card].terrains
    return found


@word("count(any(ground - occupied) for ground in shown_terrains)", steady=True)
def shown_terrains(view: View) -> Terrains:
    """The terrains on the cards face up, used or not: each once, those on this board alone.

    Cards that were set aside when another was chosen do not count.
    """
    cards = view.state.shown
    return tuple(dict.fromkeys(t for card in cards for t in view.board.terrains_of_card[card]))


@word("all(any(mine & ground) for ground in terrains)")
def terrains(board: Board) -> Terrains:
    """The terrains that lie on the board, in the order of the boxes."""
    return _kinds_on_board(board, are_places=False)


@word("count(any(mine & adjacent(site)) for site in place_kinds)")
def place_kinds(board: Board) -> Places:
    """The kinds of place that lie on the board, in the order of the boxes."""
    return _kinds_on_board(board, are_places=True)


def _kinds_on_board(board: Board, *, are_places: bool) -> tuple[int, ...]:
    kinds = enumerate(board.catalog.hexes)
    return tuple(i for i, kind in kinds if board.kinds[i] and kind.is_place is are_places)


@word("sum(supply(kind) for kind in piece_kinds)")
def piece_kinds(board: Board) -> PieceKinds:
    """The kinds of piece that players have; those of nobody are not among them."""
    return tuple(i for i, piece in enumerate(board.catalog.pieces) if not piece.neutral)


@word("all(held(kind) > 0 for kind in tile_kinds)")
def tile_kinds(board: Board) -> TileKinds:
    """The kinds of tile that lie on the board at the start of the game."""
    return tuple(sorted(set(board.tiles.values())))


@word("most(held(kind) for kind in held_tiles)", steady=True)
def held_tiles(view: View) -> TileKinds:
    """The tiles that the player holds, one by one, in the order they were taken."""
    return tuple(tile.kind for tile in view.state.seats[view.me].tiles)


@word("count(scoring_cards) > 3", steady=True, work=4)
def scoring_cards(view: View) -> Cards:
    """The scoring cards in play, tasks among them."""
    cards = range(len(view.board.catalog.cards))
    return tuple(card for card in cards if view.rules.is_in_play(card, view.state))


@word("count(waiting_cards) > 0", steady=True, work=4)
def waiting_cards(view: View) -> Cards:
    """The scoring cards beside the table, which may come into play."""
    cards = range(len(view.board.catalog.cards))
    return tuple(card for card in cards if view.rules.is_beside(card, view.state))


def _register_count(sort: Any, example: str, things: str) -> None:
    """Register `count` of a sort of list. things: what such a list is of."""

    def count(board: Board, of: tuple[int, ...]) -> int:
        return len(of)

    count.__annotations__ = {"of": sort, "return": Number}
    count.__doc__ = f"How many {things} there are in the list."
    word(f"count({example})")(count)


_register_count(Players, "others", "players")
_register_count(Terrains, "terrains", "terrains")
_register_count(Places, "place_kinds", "kinds of place")
_register_count(PieceKinds, "piece_kinds", "kinds of piece")
_register_count(TileKinds, "held_tiles", "tiles, or kinds of tile,")
_register_count(Cards, "scoring_cards", "cards")
