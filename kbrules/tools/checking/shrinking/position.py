"""A position by names alone, so that it can be laid out by any rules, made smaller and written.

Hexes keep the addresses they had where the position was taken; what they are called follows
from what of the board is still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from kbrules.engine.game import Game
from kbrules.game.board import NONE
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.hex.sets import Address, bits
from kbrules.library.boards.positions import drawn_tiles, legend_of
from kbrules.scenario.report import visible_pieces

OwnedPiece = tuple[int, str]
"""Whose piece (a seat, -1 for nobody), and which."""
MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class HeldTile:
    """A tile in a player's hands; without an origin if that is not on the board any more."""

    tile: str
    origin: Address | None
    status: str


@dataclass(frozen=True, slots=True)
class SeatData:
    """What a player has beside the pieces on the board; `supply` where that does not follow."""

    supply: Mapping[str, int] = field(default_factory=dict)
    hand: tuple[str, ...] = ()
    tiles: tuple[HeldTile, ...] = ()
    gold: int = 0


@dataclass(frozen=True, slots=True)
class PositionData:
    """A position at somebody's actions, and moves made from there on.

    kinds: the id of the kind of each hex. tiles: the tile of each place that has one. left: how
    many tiles lie there. chance: the places whose tile was drawn. rules: those whose action was
    done this turn.
    """

    players: int
    kinds: Mapping[Address, str]
    pieces: Mapping[Address, OwnedPiece]
    seats: tuple[SeatData, ...]
    tiles: Mapping[Address, str] = field(default_factory=dict)
    left: Mapping[Address, int] = field(default_factory=dict)
    chance: frozenset[Address] = frozenset()
    sector: tuple[int, int] | None = None
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    player: int = 0
    rules: tuple[str, ...] = ()
    ending: bool = False
    moves: tuple[tuple[Move, Address | None], ...] = ()

    @property
    def size(self) -> tuple[int, int, int]:
        """How much there is to look at: pieces and moves, things in hands, hexes."""
        held = sum(len(seat.tiles) + len(seat.hand) + bool(seat.gold) for seat in self.seats)
        return len(self.pieces) + len(self.moves), held + len(self.cards), len(self.kinds)

    def within(self, hexes: frozenset[Address]) -> PositionData:
        """The same of a part of the board; what lay elsewhere is gone, tiles from there stay."""
        seats = tuple(replace(s, tiles=tuple(_with_origins_on(s.tiles, hexes))) for s in self.seats)
        return replace(
            self,
            kinds={at: kind for at, kind in self.kinds.items() if at in hexes},
            pieces={at: piece for at, piece in self.pieces.items() if at in hexes},
            tiles={at: tile for at, tile in self.tiles.items() if at in hexes},
            left={at: count for at, count in self.left.items() if at in hexes},
            seats=seats,
        )


def _with_origins_on(tiles: tuple[HeldTile, ...], hexes: frozenset[Address]) -> Iterator[HeldTile]:
    for tile in tiles:
        yield tile if tile.origin in hexes else replace(tile, origin=None)


def position_data(game: Game, state: State, sector: tuple[int, int] | None = None) -> PositionData:
    """The position of a state, as if nothing of what is half done had been begun.

    sector: the height and width of a sector of the table.
    """
    board, catalog = game.board, game.ruleset.catalog
    address = board.grid.address
    kinds = {
        address(hex): kind.id
        for kind, mask in zip(catalog.hexes, board.kinds, strict=True)
        for hex in bits(mask)
    }
    pieces = {
        address(hex): (player, catalog.pieces[piece].id)
        for (player, piece), mask in visible_pieces(state).items()
        for hex in bits(mask)
    }
    legend = set(list(legend_of(board).values())[:MAX_DIGITS])
    chance = {address(hex) for hex in drawn_tiles(board)}
    tiles = {address(hex): catalog.tiles[kind].id for hex, kind in board.tiles.items()}
    stock = zip(board.places, state.stock, strict=True)
    return PositionData(
        players=game.players,
        kinds=kinds,
        pieces=pieces,
        seats=tuple(_seats(game, state)),
        tiles={at: tile for at, tile in tiles.items() if at in chance or tile in legend},
        left={address(hex): len(left) for hex, left in stock},
        chance=frozenset(chance),
        sector=sector,
        cards=game.cards,
        options=game.options,
        shown=tuple(catalog.card_name(card) for card in state.shown),
        player=state.active,
        rules=tuple(_used_rules(game, state)),
        ending=state.ending,
    )


def _seats(game: Game, state: State) -> Iterator[SeatData]:
    catalog, grid = game.ruleset.catalog, game.board.grid
    for seat in state.seats:
        kinds = zip(catalog.pieces, seat.supply, seat.pieces, strict=True)
        supply = {
            piece.id: count
            for piece, count, mask in kinds
            if not piece.neutral and count + mask.bit_count() // piece.size != piece.supply
        }
        tiles = tuple(
            HeldTile(
                catalog.tiles[tile.kind].id,
                grid.address(tile.origin)
                if tile.origin >= 0 and grid.full >> tile.origin & 1
                else None,
                tile.status,
            )
            for tile in seat.tiles
        )
        hand = tuple(catalog.card_name(card) for card in seat.hand if card != NONE)
        yield SeatData(supply, hand, tiles, seat.gold)


def _used_rules(game: Game, state: State) -> Iterator[str]:
    """The rules, not of tiles, whose action was done this turn."""
    for path in state.used:
        offer = game.plan.offers.get(path)
        if offer is not None and offer.owner.tile < 0:
            yield offer.owner.rule.id
